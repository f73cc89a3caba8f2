// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <crtk_msgs/msg/string_stamped.hpp>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joy.hpp>
#include <std_msgs/msg/bool.hpp>
#include <std_msgs/msg/float64.hpp>
#include <std_msgs/msg/string.hpp>

#include "ambf_teleop/console_state.hpp"
#include "captions.hpp"

namespace ambf_arm_nodes
{

/// A surgeon's console without the furniture: console/* and system/* of a dVRK. Pedals and head sensor
/// are pressed by the emulate_* topics; it commands the pairs of hands and arms.
class Console : public rclcpp::Node
{
public:
  explicit Console(const rclcpp::NodeOptions & options);

private:
  using String = std_msgs::msg::String;
  using StringStamped = crtk_msgs::msg::StringStamped;

  ambf_teleop::ConsoleState make_state();
  void offer_console(const std::string & topic);
  void offer_system(const std::string & topic);
  void connect_pair(const std::string & name);
  void tell_arms(const std::vector<const char *> & commands);
  void publish_events();
  void publish(const ambf_teleop::ConsoleEvent & event);
  template <class Message, class Use>
  void listen(const std::string & topic, Use use);

  std::string below_;
  ambf_teleop::ConsoleState state_;
  std::unique_ptr<Captions> captions_;
  rclcpp::Clock wall_{RCL_SYSTEM_TIME};
  rclcpp::Publisher<std_msgs::msg::Bool>::SharedPtr enabled_;
  rclcpp::Publisher<std_msgs::msg::Float64>::SharedPtr scale_, volume_;
  rclcpp::Publisher<String>::SharedPtr selected_, unselected_, status_, warning_;
  std::vector<rclcpp::Publisher<sensor_msgs::msg::Joy>::SharedPtr> pedals_;
  std::map<std::string, rclcpp::Publisher<StringStamped>::SharedPtr> commands_;
  std::map<std::string, rclcpp::Publisher<std_msgs::msg::Float64>::SharedPtr> scales_;
  std::map<std::string, rclcpp::Publisher<StringStamped>::SharedPtr> arms_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
};

}  // namespace ambf_arm_nodes
