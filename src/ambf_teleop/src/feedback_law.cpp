// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/feedback_law.hpp"

#include "ambf_teleop/rotation.hpp"

namespace ambf_teleop
{

Wrench feedback_wrench(
  const FeedbackGains & gains, FeedbackErrors & errors, const FeedbackFrames & frames,
  const Pose & T_world_proxy, const Pose & T_world_reference, double dt) noexcept
{
  const auto in_base = [&frames](const Eigen::Vector3d & in_world) {
    return world_to_base_axes(frames.offsets, frames.R_world_camera, in_world);
  };
  const Eigen::Quaterniond & R_world_proxy = T_world_proxy.orientation;

  // Table 3.5 eq. 12.
  const Eigen::Vector3d linear = in_base(T_world_reference.position - T_world_proxy.position);
  // Table 3.5 eq. 15; its axis is in the proxy's body, hence the turn into the world.
  const Eigen::Vector3d angular = in_base(
    R_world_proxy * rotation_vector(R_world_proxy.conjugate() * T_world_reference.orientation));

  Eigen::Vector3d linear_rate = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular_rate = Eigen::Vector3d::Zero();
  if (errors.valid && dt > 0.0) {
    linear_rate = (linear - errors.linear) / dt;  // eq. 13
    angular_rate = rotation_vector_change(angular, errors.angular) / dt;
  }
  errors = {linear, angular, true};

  // Table 3.5 eq. 14 and 16, negated: the hand is pulled from its reference towards the proxy.
  return {
    -gains.linear_stiffness.cwiseProduct(linear) - gains.linear_damping.cwiseProduct(linear_rate),
    -gains.angular_stiffness.cwiseProduct(angular) -
      gains.angular_damping.cwiseProduct(angular_rate)};
}

double stored_energy(
  const FeedbackGains & gains, const FeedbackErrors & errors, double workspace_scale) noexcept
{
  const Eigen::Vector3d & e = errors.linear;
  return 0.5 * gains.linear_stiffness.cwiseProduct(e).dot(e) / workspace_scale;
}

double stored_angular_energy(const FeedbackGains & gains, const FeedbackErrors & errors) noexcept
{
  return 0.5 * gains.angular_stiffness.cwiseProduct(errors.angular).dot(errors.angular);
}

Wrench at_tip(const FeedbackFrames & frames, const Wrench & at_handle_base) noexcept
{
  const Eigen::Vector3d arm_base = frames.T_base_tip.orientation * frames.offsets.tip.position;
  return {at_handle_base.force, at_handle_base.torque + arm_base.cross(at_handle_base.force)};
}

}  // namespace ambf_teleop
