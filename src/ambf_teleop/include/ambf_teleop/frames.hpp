// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Geometry>

namespace ambf_teleop
{

/// A rigid transform. `T_a_b` places frame b in frame a: p_a = orientation * p_b + position.
struct Pose
{
  Eigen::Vector3d position = Eigen::Vector3d::Zero();               ///< [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< unit length
};

/// T_a_c = T_a_b * T_b_c; the quaternion is brought back to unit length.
Pose operator*(const Pose & T_a_b, const Pose & T_b_c) noexcept;
Pose inverse(const Pose & T_a_b) noexcept;

struct Twist
{
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();   ///< of the frame's origin [m/s]
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  ///< [rad/s]
};

struct Wrench
{
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< [N]
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();  ///< [N m], about the frame's origin
};

/// Fixed corrections of a device (dissertation Table 3.1: IID-BO, IID-TO). The driver measures the
/// end-effector in the device's base, T_base_tip; everything else works in the user's frame, whose
/// axes are those of the view: the first camera's.
struct DeviceOffsets
{
  Pose base;  ///< T_user_base, pre-multiplied
  Pose tip;   ///< T_tip_handle, post-multiplied
};

/// IID = IID-BO * IID-E * IID-TO: the handle in the user's frame.
Pose handle_in_user(const DeviceOffsets & offsets, const Pose & T_base_tip) noexcept;

/// Velocity of the handle in the user's frame, from that of the tip in the base frame.
Twist handle_twist_in_user(
  const DeviceOffsets & offsets, const Pose & T_base_tip, const Twist & tip_base) noexcept;

/// A wrench at the handle in world axes as the wrench at the tip in base axes that the device's
/// motors must give. The lever arm of the tip offset enters the torque.
Wrench world_to_device_base(
  const DeviceOffsets & offsets, const Pose & T_base_tip, const Eigen::Quaterniond & R_world_camera,
  const Wrench & at_handle_world) noexcept;

/// Axes only: a vector in world axes in the axes of the device's base.
Eigen::Vector3d world_to_base_axes(
  const DeviceOffsets & offsets, const Eigen::Quaterniond & R_world_camera,
  const Eigen::Vector3d & in_world) noexcept;

bool is_finite(const Pose & pose) noexcept;
bool is_finite(const Wrench & wrench) noexcept;

}  // namespace ambf_teleop
