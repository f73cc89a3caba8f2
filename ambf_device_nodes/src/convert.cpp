// SPDX-License-Identifier: BSD-3-Clause
#include "convert.hpp"

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
  return sample;
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
