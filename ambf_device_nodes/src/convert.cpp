// SPDX-License-Identifier: BSD-3-Clause
#include "convert.hpp"

#include <array>

#include "ambf_node_support/eigen.hpp"

namespace ambf_device_nodes
{

using ambf_node_support::fill;
using ambf_node_support::to_eigen;

ambf_teleop::Pose from_msg(const geometry_msgs::msg::Pose & pose)
{
  return {to_eigen(pose.position), to_eigen(pose.orientation)};
}

ambf_teleop::Twist from_msg(const geometry_msgs::msg::Twist & twist)
{
  return {to_eigen(twist.linear), to_eigen(twist.angular)};
}

ambf_teleop::Wrench from_msg(const geometry_msgs::msg::Wrench & wrench)
{
  return {to_eigen(wrench.force), to_eigen(wrench.torque)};
}

ambf_devices::ProxySample from_msg(const ambf_msgs::msg::ProxyState & state)
{
  ambf_devices::ProxySample sample;
  sample.T_world_proxy = from_msg(state.pose);
  sample.T_world_reference = from_msg(state.reference_pose);
  sample.R_world_camera = to_eigen(state.active_camera_pose.orientation);
  sample.device_sequence = state.sequence;
  sample.clutch_actions = state.clutch_actions;
  sample.haptic_linear_change = state.haptic_linear_change;
  sample.haptic_angular_change = state.haptic_angular_change;
  return sample;
}

tl::expected<ambf_devices::GuidanceCommand, std::string> from_msg(
  const ambf_msgs::msg::DeviceCommand & command)
{
  using ambf_devices::GuidanceAxes;
  using ambf_msgs::msg::DeviceCommand;
  using ambf_teleop::GuidanceMode;
  constexpr std::array<GuidanceMode, 6> modes{GuidanceMode::None,     GuidanceMode::Wrench,
                                              GuidanceMode::SetPoint, GuidanceMode::Line,
                                              GuidanceMode::Plane,    GuidanceMode::Wall};
  constexpr std::array<GuidanceAxes, 3> axes{
    GuidanceAxes::Base, GuidanceAxes::User, GuidanceAxes::World};
  if (command.mode >= modes.size()) {
    return tl::unexpected(
      "mode: found " + std::to_string(command.mode) + ", expected 0 to 5 (MODE_NONE to MODE_WALL)");
  }
  if (command.axes >= axes.size()) {
    return tl::unexpected(
      "axes: found " + std::to_string(command.axes) +
      ", expected 0 to 2 (AXES_BASE, AXES_USER, AXES_WORLD)");
  }
  ambf_devices::GuidanceCommand result;
  ambf_teleop::Guidance & g = result.guidance;
  g.mode = modes[command.mode];
  g.wrench = from_msg(command.wrench);
  g.pose = from_msg(command.pose);
  // A direction that the mode does not ask for may be left at zero.
  if (command.mode >= DeviceCommand::MODE_LINE) {
    g.direction = to_eigen(command.direction).normalized();
    if (!(to_eigen(command.direction).norm() > 0.0)) {
      return tl::unexpected(
        std::string("direction: expected a vector of a length above 0 for a line, plane or wall"));
    }
  }
  g.linear_stiffness = command.linear_stiffness;
  g.linear_damping = command.linear_damping;
  g.angular_stiffness = command.angular_stiffness;
  g.angular_damping = command.angular_damping;
  result.axes = axes[command.axes];
  result.replaces = command.replaces;
  result.time_limit = command.time_limit;
  return result;
}

void fill(geometry_msgs::msg::Pose & message, const ambf_teleop::Pose & pose)
{
  fill(message, pose.position, pose.orientation);
}

void fill(geometry_msgs::msg::Twist & message, const ambf_teleop::Twist & twist)
{
  fill(message.linear, twist.linear);
  fill(message.angular, twist.angular);
}

void fill(geometry_msgs::msg::Wrench & message, const ambf_teleop::Wrench & wrench)
{
  fill(message.force, wrench.force);
  fill(message.torque, wrench.torque);
}

void fill(ambf_msgs::msg::DeviceSample & message, const ambf_devices::DeviceSample & sample)
{
  fill(message.pose, sample.T_base_tip);
  fill(message.twist, sample.twist);
  message.gripper = sample.gripper;
  message.position_clutch = sample.position_clutch;
  message.camera_clutch = sample.camera_clutch;
  message.relocated = sample.relocated;
  for (std::size_t i = 0; i < message.actions.size(); ++i) {
    message.actions[i] = i < 32 && ((sample.actions >> i) & 1u) != 0;
  }
  message.sequence = sample.sequence;
}

}  // namespace ambf_device_nodes
