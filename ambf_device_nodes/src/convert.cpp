// SPDX-License-Identifier: BSD-3-Clause
#include "convert.hpp"

#include <array>

namespace ambf_device_nodes
{
namespace
{

template <typename Message>
Eigen::Vector3d vector(const Message & message)
{
  return {message.x, message.y, message.z};
}

template <typename Message>
void set(Message & message, const Eigen::Vector3d & v)
{
  message.x = v.x();
  message.y = v.y();
  message.z = v.z();
}

Eigen::Quaterniond rotation(const geometry_msgs::msg::Quaternion & q)
{
  return Eigen::Quaterniond(q.w, q.x, q.y, q.z);
}

}  // namespace

ambf_teleop::Pose from_msg(const geometry_msgs::msg::Pose & pose)
{
  return {vector(pose.position), rotation(pose.orientation)};
}

ambf_teleop::Twist from_msg(const geometry_msgs::msg::Twist & twist)
{
  return {vector(twist.linear), vector(twist.angular)};
}

ambf_teleop::Wrench from_msg(const geometry_msgs::msg::Wrench & wrench)
{
  return {vector(wrench.force), vector(wrench.torque)};
}

ambf_devices::ProxySample from_msg(const ambf_msgs::msg::ProxyState & state)
{
  ambf_devices::ProxySample sample;
  sample.T_world_proxy = from_msg(state.pose);
  sample.T_world_reference = from_msg(state.reference_pose);
  sample.R_world_camera = rotation(state.active_camera_pose.orientation);
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
    g.direction = vector(command.direction).normalized();
    if (!(vector(command.direction).norm() > 0.0)) {
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
  set(message.position, pose.position);
  message.orientation.x = pose.orientation.x();
  message.orientation.y = pose.orientation.y();
  message.orientation.z = pose.orientation.z();
  message.orientation.w = pose.orientation.w();
}

void fill(geometry_msgs::msg::Twist & message, const ambf_teleop::Twist & twist)
{
  set(message.linear, twist.linear);
  set(message.angular, twist.angular);
}

void fill(geometry_msgs::msg::Wrench & message, const ambf_teleop::Wrench & wrench)
{
  set(message.force, wrench.force);
  set(message.torque, wrench.torque);
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
