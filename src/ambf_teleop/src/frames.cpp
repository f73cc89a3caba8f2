// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/frames.hpp"

namespace ambf_teleop
{

Pose operator*(const Pose & T_a_b, const Pose & T_b_c) noexcept
{
  return {
    T_a_b.position + T_a_b.orientation * T_b_c.position,
    (T_a_b.orientation * T_b_c.orientation).normalized()};
}

Pose inverse(const Pose & T_a_b) noexcept
{
  const Eigen::Quaterniond R_b_a = T_a_b.orientation.conjugate();
  return {-(R_b_a * T_a_b.position), R_b_a};
}

Pose handle_in_user(const DeviceOffsets & offsets, const Pose & T_base_tip) noexcept
{
  return offsets.base * T_base_tip * offsets.tip;
}

Twist handle_twist_in_user(
  const DeviceOffsets & offsets, const Pose & T_base_tip, const Twist & tip_base) noexcept
{
  const Eigen::Vector3d arm_base = T_base_tip.orientation * offsets.tip.position;
  const Eigen::Vector3d handle_base = tip_base.linear + tip_base.angular.cross(arm_base);
  return {offsets.base.orientation * handle_base, offsets.base.orientation * tip_base.angular};
}

Wrench world_to_device_base(
  const DeviceOffsets & offsets, const Pose & T_base_tip, const Eigen::Quaterniond & R_world_camera,
  const Wrench & at_handle_world) noexcept
{
  const Eigen::Vector3d force = world_to_base_axes(offsets, R_world_camera, at_handle_world.force);
  const Eigen::Vector3d torque =
    world_to_base_axes(offsets, R_world_camera, at_handle_world.torque);
  const Eigen::Vector3d arm_base = T_base_tip.orientation * offsets.tip.position;
  return {force, torque + arm_base.cross(force)};
}

Eigen::Vector3d world_to_base_axes(
  const DeviceOffsets & offsets, const Eigen::Quaterniond & R_world_camera,
  const Eigen::Vector3d & in_world) noexcept
{
  const Eigen::Vector3d in_user = R_world_camera.conjugate() * in_world;
  return offsets.base.orientation.conjugate() * in_user;
}

bool is_finite(const Pose & pose) noexcept
{
  return pose.position.allFinite() && pose.orientation.coeffs().allFinite();
}

bool is_finite(const Wrench & wrench) noexcept
{
  return wrench.force.allFinite() && wrench.torque.allFinite();
}

}  // namespace ambf_teleop
