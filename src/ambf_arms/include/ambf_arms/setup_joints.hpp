// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Geometry>

// Arms on set-up joints: the bases are known in the frame of the cart that all of them stand on, and are
// expressed in the tip of one arm, the reference, so that an instrument's pose is one in the picture.

namespace ambf_arms
{

/// The arm in whose tip frame the others are expressed.
struct ReferenceArm
{
  Eigen::Isometry3d T_cart_base = Eigen::Isometry3d::Identity();
  Eigen::Isometry3d T_base_tip = Eigen::Isometry3d::Identity();
};

/// The cart in the tip of the reference.
inline Eigen::Isometry3d cart_in_tip(const ReferenceArm & reference)
{
  return (reference.T_cart_base * reference.T_base_tip).inverse();
}

/// The base of an arm in the tip of the reference: what `set_base_frame` of that arm is given.
inline Eigen::Isometry3d base_in_tip(
  const ReferenceArm & reference, const Eigen::Isometry3d & T_cart_base)
{
  return cart_in_tip(reference) * T_cart_base;
}

}  // namespace ambf_arms
