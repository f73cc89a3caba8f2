// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joy.hpp>
#include <std_msgs/msg/bool.hpp>
#include <std_msgs/msg/float64.hpp>
#include <std_msgs/msg/string.hpp>

#include "ambf_teleop/psm_teleop.hpp"

namespace ambf_arm_nodes
{

/// What a teleoperation tells, and its orders, with the names and types of a dVRK.
class TeleopTopics
{
public:
  /// `teleop` is ordered, `ordered` is called after each order.
  TeleopTopics(
    rclcpp::Node & node, const std::string & teleop_name, ambf_teleop::PsmTeleop & teleop,
    std::function<void()> ordered);

  void publish(const ambf_teleop::TeleopEvent & event);

private:
  using String = std_msgs::msg::String;
  using Bool = std_msgs::msg::Bool;
  using Float64 = std_msgs::msg::Float64;
  using Joy = sensor_msgs::msg::Joy;

  void listen(
    rclcpp::Node & node, const std::string & name, ambf_teleop::PsmTeleop & teleop,
    const std::function<void()> & ordered);

  rclcpp::Logger logger_;
  rclcpp::Publisher<String>::SharedPtr current_state_, desired_state_, status_, warning_, error_;
  rclcpp::Publisher<Bool>::SharedPtr following_, align_mtm_;
  rclcpp::Publisher<Float64>::SharedPtr scale_;
  rclcpp::Publisher<Joy>::SharedPtr rotation_locked_, translation_locked_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
};

}  // namespace ambf_arm_nodes
