// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Geometry>

#include "ambf_adf/joint.hpp"

namespace ambf_adf
{

/// Smallest rotation that turns the direction of `from` onto that of `to` (papers I.2.2,
/// corrected). For opposite directions it is half a turn about from x x_axis, or about from x
/// y_axis where `from` is parallel to the x axis: `offset` values in files depend on exactly this
/// choice. Zero vectors give the identity.
Eigen::Matrix3d rotation_between(const Eigen::Vector3d & from, const Eigen::Vector3d & to);

/// R_PC at joint value 0: Rot(a_p, child offset) Rmin(a_c -> a_p).
Eigen::Matrix3d child_rotation_at_zero(const Joint & joint);

/// T_PC, the child's body frame in the parent's, at joint value q [rad or m] (spec 5.3). For joints
/// without a single axis q is ignored. The scales are those of the parent's and the child's body.
Eigen::Isometry3d child_in_parent(
  const Joint & joint, double q, double parent_scale = 1.0, double child_scale = 1.0);

/// How well two body poses satisfy a joint.
struct JointFit
{
  double q = 0.0;               ///< joint value that fits best [rad or m]
  double position_error = 0.0;  ///< distance of the pivots after moving by q [m]
  double angle_error = 0.0;     ///< rotation that no q can remove [rad]; 0 for point-to-point
};

/// The joint value and the residuals for given body poses T_WP and T_WC. Joints with more than one
/// free axis are measured at their zero.
JointFit fit_joint(
  const Joint & joint, const Eigen::Isometry3d & t_wp, const Eigen::Isometry3d & t_wc,
  double parent_scale = 1.0, double child_scale = 1.0);

/// The same joint seen from the other body: parent and child exchanged, same motion for the same q
/// (the axes change sign so that positive q keeps its meaning).
Joint swap_parent_and_child(const Joint & joint);

}  // namespace ambf_adf
