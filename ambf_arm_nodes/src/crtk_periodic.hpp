// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include <builtin_interfaces/msg/time.hpp>
#include <geometry_msgs/msg/pose_stamped.hpp>
#include <geometry_msgs/msg/twist_stamped.hpp>
#include <geometry_msgs/msg/wrench_stamped.hpp>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <std_msgs/msg/float64_multi_array.hpp>

#include "ambf_arms/arm_control.hpp"

namespace ambf_arm_nodes
{

/// What an arm tells all the time: joints, poses, forces. A topic that nobody reads costs nothing.
class PeriodicTopics
{
public:
  using Time = builtin_interfaces::msg::Time;

  /// `newcomer` is called when somebody new listens to any of them.
  PeriodicTopics(
    rclcpp::Node & node, const std::string & arm, const std::string & name, ambf_arms::ArmKind kind,
    bool has_jaw, std::function<void()> newcomer);

  /// Everything. `stamp` 0 says that the values are not to be believed; `simulated` is the time of the
  /// world that they are of.
  void publish(const ambf_arms::ArmControl & arm, const Time & stamp, const Time & simulated);
  /// The set-point alone, in answer to a command.
  void publish_setpoint(const ambf_arms::ArmControl & arm, const Time & stamp);
  void set_base_in_world(const Eigen::Isometry3d & pose) { T_world_base_ = pose; }

private:
  template <class Message>
  using Publisher = typename rclcpp::Publisher<Message>::SharedPtr;
  using PoseStamped = geometry_msgs::msg::PoseStamped;
  using TwistStamped = geometry_msgs::msg::TwistStamped;
  using WrenchStamped = geometry_msgs::msg::WrenchStamped;
  using JointState = sensor_msgs::msg::JointState;
  using Matrix = std_msgs::msg::Float64MultiArray;
  using Vector6 = ambf_arms::Vector6;

  template <class Message>
  Publisher<Message> make(rclcpp::Node & node, const std::string & topic);
  void pose(
    const Publisher<PoseStamped> & to, const Eigen::Isometry3d & value, const std::string & in);
  void wrench(const Publisher<WrenchStamped> & to, const Vector6 & value, const std::string & in);
  void joints(const ambf_arms::ArmControl & arm);
  void jaw(const ambf_arms::ArmControl & arm);
  void setpoint_joints(const ambf_arms::ArmControl & arm);

  std::string name_;
  std::function<void()> newcomer_;
  Time stamp_;
  Eigen::Isometry3d T_world_base_ = Eigen::Isometry3d::Identity();
  ambf_arms::ArmReadings readings_;
  PoseStamped pose_;
  TwistStamped twist_;
  WrenchStamped wrench_;
  JointState joints_, jaw_;
  Matrix matrix_;
  Publisher<PoseStamped> measured_cp_, setpoint_cp_, local_measured_cp_, local_setpoint_cp_;
  Publisher<PoseStamped> T_b_w_;
  Publisher<TwistStamped> measured_cv_, local_measured_cv_;
  Publisher<WrenchStamped> body_measured_cf_, spatial_measured_cf_;
  Publisher<JointState> measured_js_, setpoint_js_, gravity_js_;
  Publisher<JointState> jaw_measured_js_, jaw_setpoint_js_, gripper_measured_js_;
  Publisher<Matrix> body_jacobian_, spatial_jacobian_;
  Publisher<Time> sim_time_;
};

}  // namespace ambf_arm_nodes
