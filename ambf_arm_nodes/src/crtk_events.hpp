// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include <crtk_msgs/msg/operating_state.hpp>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joy.hpp>
#include <std_msgs/msg/bool.hpp>
#include <std_msgs/msg/empty.hpp>
#include <std_msgs/msg/float64.hpp>
#include <std_msgs/msg/string.hpp>

#include "ambf_arms/arm_control.hpp"

namespace ambf_arm_nodes
{

/// What an arm tells when something happens.
class EventTopics
{
public:
  /// `newcomer` is called when somebody new listens to operating_state.
  EventTopics(
    rclcpp::Node & node, const std::string & arm, ambf_arms::ArmKind kind,
    std::function<void()> newcomer);

  void publish(const ambf_arms::ControlEvent & event);
  /// Clients compare its stamps with their own clock, and with each other: wall time, strictly rising.
  crtk_msgs::msg::OperatingState operating_state(const ambf_arms::ControlEvent & event);

private:
  template <class Message>
  using Publisher = typename rclcpp::Publisher<Message>::SharedPtr;
  using String = std_msgs::msg::String;
  using Bool = std_msgs::msg::Bool;
  using Float64 = std_msgs::msg::Float64;

  rclcpp::Logger logger_;
  rclcpp::Clock wall_{RCL_SYSTEM_TIME};
  std::int64_t last_stamp_ = 0;
  std::string logged_;  ///< newest error in the log
  rclcpp::Time logged_at_{0, 0, RCL_SYSTEM_TIME};
  Publisher<crtk_msgs::msg::OperatingState> operating_state_;
  Publisher<String> desired_state_, status_, warning_, error_, tool_type_;
  Publisher<Bool> goal_reached_, orientation_locked_, gripper_closed_;
  Publisher<std_msgs::msg::Empty> gripper_pinch_;
  Publisher<Float64> ratio_, ratio_v_, ratio_a_;
  Publisher<sensor_msgs::msg::Joy> arm_clutch_;
};

}  // namespace ambf_arm_nodes
