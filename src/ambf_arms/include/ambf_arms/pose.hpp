// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Geometry>

#include "ambf_arms/types.hpp"

namespace ambf_arms
{

/// A pose from a message: refuses what is not finite and a quaternion of length 0, and brings any
/// other quaternion to unit length.
Result<Eigen::Isometry3d> make_pose(
  const Eigen::Vector3d & position, const Eigen::Quaterniond & orientation) noexcept;

/// A pose from the 4 x 4 matrix of a file. Files round: what is within 1e-3 of a rotation is made
/// one; what is not, and mirror images, are refused.
Result<Eigen::Isometry3d> make_pose(const Eigen::Matrix4d & matrix) noexcept;

bool is_finite(const Eigen::Isometry3d & pose) noexcept;

/// Angle [rad] of the rotation that takes one orientation to the other; exact also for tiny angles.
double angle_between(const Eigen::Matrix3d & a, const Eigen::Matrix3d & b) noexcept;

/// Rotation vector w [rad] with exp(w) = R, |w| <= pi.
Eigen::Vector3d rotation_vector(const Eigen::Matrix3d & rotation) noexcept;

/// Moves `angle` by full turns: to the one nearest to `near` within [low, high], else to the nearest.
double nearest_turn(double angle, double near, double low, double high) noexcept;

}  // namespace ambf_arms
