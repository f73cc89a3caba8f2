// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <crtk_msgs/msg/string_stamped.hpp>
#include <rclcpp/rclcpp.hpp>

#include "ambf_arms/arm_control.hpp"

namespace ambf_arm_nodes
{

/// How commands reach the arm.
struct CommandSink
{
  std::function<ambf_arms::ArmControl *()> arm;  ///< null: there is none yet
  std::function<void()> commanded;               ///< after every command
};

/// state_command as it comes by two ways: live, and kept for those who come late. Each is used once.
class StateCommandFilter
{
public:
  /// Is it to be obeyed? `sent` is when the middleware sent it, which stands for a stamp that the client
  /// did not give (crtk_python_client up to 1.4 gives none); `now` is wall time [ns]. What was kept is
  /// refused where it is too old, or has neither.
  bool take(
    const crtk_msgs::msg::StringStamped & command, std::int64_t sent, bool kept, std::int64_t now);

private:
  struct Heard
  {
    std::int64_t stamp = 0;
    std::string text;
  };
  std::array<Heard, 32> heard_{};
  std::size_t next_ = 0;
};

/// What an arm listens to.
class CommandTopics
{
public:
  CommandTopics(
    rclcpp::Node & node, const std::string & arm, ambf_arms::ArmKind kind, bool has_jaw,
    CommandSink sink);

  /// Does whoever commands a force still have a publisher?
  bool force_client_gone() const;
  bool jaw_force_client_gone() const;

private:
  template <class Message, class Use>
  rclcpp::SubscriptionBase::SharedPtr listen(
    const std::string & topic, const rclcpp::QoS & qos, Use use);
  template <class Message, class Use>
  void listen_to_force(const std::string & topic, Use use);
  void motion();
  void forces();
  void settings();
  void jaw();
  void tools(ambf_arms::ArmKind kind);
  void state_commands();

  rclcpp::Node & node_;
  std::string arm_;
  CommandSink sink_;
  StateCommandFilter filter_;
  rclcpp::Clock wall_{RCL_SYSTEM_TIME};
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  rclcpp::SubscriptionBase::SharedPtr force_, jaw_force_;  ///< by which the last force came
};

}  // namespace ambf_arm_nodes
