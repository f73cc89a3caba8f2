// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Geometry>

namespace ambf_teleop
{

/// Rotation vector (axis times angle, angle in [0, pi]) of a unit quaternion: the ToAxisAngle of
/// dissertation eq. 3.4. Exact to rounding for small angles, where acos would lose half the digits.
Eigen::Vector3d rotation_vector(const Eigen::Quaterniond & rotation) noexcept;

Eigen::Quaterniond from_rotation_vector(const Eigen::Vector3d & vector) noexcept;

/// The same rotation with its angle made smaller by `angle` [rad], down to the identity.
Eigen::Quaterniond shortened(const Eigen::Quaterniond & rotation, double angle) noexcept;

/// Difference of two rotation vectors of a turning body. The vector flips sign where the angle
/// passes pi; the nearer of both ways to write `previous` is taken, so that the difference, and a
/// damping made of it, has no spike there.
Eigen::Vector3d rotation_vector_change(
  const Eigen::Vector3d & current, const Eigen::Vector3d & previous) noexcept;

/// Angle between two orientations [rad].
double angle_between(const Eigen::Quaterniond & a, const Eigen::Quaterniond & b) noexcept;

}  // namespace ambf_teleop
