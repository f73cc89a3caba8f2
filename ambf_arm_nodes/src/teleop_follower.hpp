// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <builtin_interfaces/msg/time.hpp>
#include <geometry_msgs/msg/pose_stamped.hpp>
#include <geometry_msgs/msg/wrench_stamped.hpp>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <std_msgs/msg/empty.hpp>
#include <std_msgs/msg/string.hpp>

#include "ambf_teleop/psm_teleop.hpp"
#include "arm_watch.hpp"

namespace ambf_arm_nodes
{

/// An arm on CRTK topics that follows a hand.
class TeleopFollower
{
public:
  TeleopFollower(
    rclcpp::Node & node, const std::string & arm, double timeout, bool wants_force,
    std::function<void(const std::string &)> on_error);

  ambf_teleop::TeleopFollower read() const;
  void obey(const ambf_teleop::TeleopOutput & out);

  /// Of the set-point, where the arm is commanded.
  const ambf_teleop::Pose & T_reference_setpoint() const { return T_reference_setpoint_; }
  const std::string & reference() const { return reference_; }
  /// What the tip exerts on the world, axes of the frame where the arm is commanded [N].
  Eigen::Vector3d force_at_tip() const;

private:
  using Time = builtin_interfaces::msg::Time;
  using PoseStamped = geometry_msgs::msg::PoseStamped;
  using JointState = sensor_msgs::msg::JointState;
  using WrenchStamped = geometry_msgs::msg::WrenchStamped;

  void listen_to_setpoints(rclcpp::Node & node, const std::string & arm);
  void listen_to_upheavals(rclcpp::Node & node, const std::string & arm);
  void take_setpoint();

  double timeout_;
  ArmWatch watch_;
  PoseStamped setpoint_, local_;
  bool has_setpoint_ = false, has_local_ = false;
  bool valid_ = false;
  double setpoint_at_ = -1e300;
  std::uint64_t setpoints_ = 0, upheavals_ = 0;
  ambf_teleop::Pose T_reference_setpoint_, T_base_setpoint_, T_reference_base_;
  std::string reference_;
  std::optional<double> jaw_;
  std::optional<std::string> tool_;
  std::optional<double> sim_time_;
  Eigen::Vector3d body_force_ = Eigen::Vector3d::Zero();
  Eigen::Quaterniond R_reference_tip_ = Eigen::Quaterniond::Identity();

  PoseStamped servo_;
  JointState servo_jaw_;
  rclcpp::Publisher<PoseStamped>::SharedPtr servo_cp_;
  rclcpp::Publisher<JointState>::SharedPtr jaw_servo_jp_;
  rclcpp::Publisher<std_msgs::msg::Empty>::SharedPtr hold_;
  rclcpp::Subscription<PoseStamped>::SharedPtr setpoint_cp_, local_setpoint_cp_, measured_cp_;
  rclcpp::Subscription<JointState>::SharedPtr jaw_setpoint_js_;
  rclcpp::Subscription<WrenchStamped>::SharedPtr measured_cf_;
  rclcpp::Subscription<std_msgs::msg::String>::SharedPtr tool_type_;
  rclcpp::Subscription<Time>::SharedPtr time_;
};

}  // namespace ambf_arm_nodes
