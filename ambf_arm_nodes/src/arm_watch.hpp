// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include <crtk_msgs/msg/operating_state.hpp>
#include <crtk_msgs/msg/string_stamped.hpp>
#include <rclcpp/rclcpp.hpp>
#include <std_msgs/msg/string.hpp>

#include "ambf_node_support/time.hpp"
#include "ambf_teleop/psm_teleop.hpp"

namespace ambf_arm_nodes
{

using ambf_node_support::steady_seconds;

/// The state of an arm on CRTK topics, and whether it answers.
class ArmWatch
{
public:
  /// `arm`: its namespace; `on_error` is called with what the arm tells as an error.
  ArmWatch(
    rclcpp::Node & node, const std::string & arm, double timeout,
    std::function<void(const std::string &)> on_error);

  /// Its data came.
  void heard();
  ambf_teleop::TeleopArm state() const;
  void command(const char * text);

private:
  using OperatingState = crtk_msgs::msg::OperatingState;
  using StringStamped = crtk_msgs::msg::StringStamped;

  double timeout_;
  double heard_at_ = -1e300;
  double back_at_ = -1e300;   ///< since when data come again
  double state_at_ = -1e300;  ///< of the newest state
  bool known_ = false;
  ambf_teleop::TeleopArm state_;
  rclcpp::Clock wall_{RCL_SYSTEM_TIME};
  rclcpp::Subscription<OperatingState>::SharedPtr operating_state_;
  rclcpp::Subscription<std_msgs::msg::String>::SharedPtr error_;
  rclcpp::Publisher<StringStamped>::SharedPtr command_;
};

}  // namespace ambf_arm_nodes
