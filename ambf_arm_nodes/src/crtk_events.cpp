// SPDX-License-Identifier: BSD-3-Clause
#include "crtk_events.hpp"

#include <algorithm>

#include "crtk_convert.hpp"
#include "crtk_qos.hpp"

namespace ambf_arm_nodes
{
namespace
{

void say(rclcpp::Publisher<std_msgs::msg::String> & to, const std::string & text)
{
  std_msgs::msg::String message;
  message.data = text;
  to.publish(message);
}

void say(rclcpp::Publisher<std_msgs::msg::Float64> & to, double value)
{
  std_msgs::msg::Float64 message;
  message.data = value;
  to.publish(message);
}

void say(const rclcpp::Publisher<std_msgs::msg::Bool>::SharedPtr & to, bool value)
{
  if (!to) { return; }
  std_msgs::msg::Bool message;
  message.data = value;
  to->publish(message);
}

}  // namespace

EventTopics::EventTopics(
  rclcpp::Node & node, const std::string & arm, ambf_arms::ArmKind kind,
  std::function<void()> newcomer)
: logger_(node.get_logger())
{
  const rclcpp::PublisherOptions kept = qos::to_late_joiners();
  rclcpp::PublisherOptions watched = kept;
  watched.event_callbacks.matched_callback = [newcomer](rclcpp::MatchedInfo & info) {
    if (info.current_count_change > 0) { newcomer(); }
  };
  operating_state_ = node.create_publisher<crtk_msgs::msg::OperatingState>(
    arm + "/operating_state", qos::events(), watched);
  const auto text = [&](const char * topic, const rclcpp::QoS & how) {
    return node.create_publisher<String>(arm + topic, how, kept);
  };
  desired_state_ = text("/desired_state", qos::value());
  status_ = text("/status", qos::events());
  warning_ = text("/warning", qos::events());
  error_ = text("/error", qos::events());
  goal_reached_ = node.create_publisher<Bool>(arm + "/goal_reached", qos::events(), kept);
  ratio_ = node.create_publisher<Float64>(arm + "/trajectory_j/ratio", qos::value(), kept);
  ratio_v_ = node.create_publisher<Float64>(arm + "/trajectory_j/ratio_v", qos::value(), kept);
  ratio_a_ = node.create_publisher<Float64>(arm + "/trajectory_j/ratio_a", qos::value(), kept);
  if (kind == ambf_arms::ArmKind::Psm) { tool_type_ = text("/tool_type", qos::value()); }
  if (kind == ambf_arms::ArmKind::Ecm) { tool_type_ = text("/endoscope_type", qos::value()); }
  if (kind == ambf_arms::ArmKind::Psm || kind == ambf_arms::ArmKind::Ecm) {
    arm_clutch_ =
      node.create_publisher<sensor_msgs::msg::Joy>(arm + "/arm_clutch", qos::events(), kept);
  }
  if (kind == ambf_arms::ArmKind::Mtm) {
    orientation_locked_ =
      node.create_publisher<Bool>(arm + "/orientation_locked", qos::value(), kept);
    gripper_closed_ = node.create_publisher<Bool>(arm + "/gripper/closed", qos::value(), kept);
    gripper_pinch_ =
      node.create_publisher<std_msgs::msg::Empty>(arm + "/gripper/pinch", qos::orders());
  }
}

crtk_msgs::msg::OperatingState EventTopics::operating_state(const ambf_arms::ControlEvent & event)
{
  crtk_msgs::msg::OperatingState message;
  last_stamp_ = std::max(last_stamp_ + 1, wall_.now().nanoseconds());
  message.header.stamp = rclcpp::Time(last_stamp_);
  fill(message, event);
  return message;
}

void EventTopics::publish(const ambf_arms::ControlEvent & event)
{
  using Kind = ambf_arms::ControlEvent::Kind;
  switch (event.kind) {
    case Kind::OperatingState:
      operating_state_->publish(operating_state(event));
      break;
    case Kind::DesiredState:
      say(*desired_state_, event.text);
      break;
    case Kind::Status:
      RCLCPP_INFO(logger_, "%s", event.text.c_str());
      say(*status_, event.text);
      break;
    case Kind::Warning:
      RCLCPP_WARN(logger_, "%s", event.text.c_str());
      say(*warning_, event.text);
      break;
    case Kind::Error:
      // A stream of poses that cannot be met tells each of them, and one line in two seconds is enough of it.
      if (event.text != logged_ || wall_.now() - logged_at_ > rclcpp::Duration(2, 0)) {
        RCLCPP_ERROR(logger_, "%s", event.text.c_str());
        logged_ = event.text;
        logged_at_ = wall_.now();
      }
      say(*error_, event.text);
      break;
    case Kind::GoalReached:
      say(goal_reached_, event.flag);
      break;
    case Kind::Ratio: {
      const auto [v, a] = event.ratio;
      say(*ratio_, v == a ? v : 0.0);
      say(*ratio_v_, v);
      say(*ratio_a_, a);
      break;
    }
    case Kind::OrientationLocked:
      say(orientation_locked_, event.flag);
      break;
    case Kind::Tool:
      if (tool_type_) { say(*tool_type_, event.text); }
      break;
    case Kind::GripperClosed:
      say(gripper_closed_, event.flag);
      break;
    case Kind::GripperPinch:
      if (gripper_pinch_) { gripper_pinch_->publish(std_msgs::msg::Empty()); }
      break;
    case Kind::BaseFrame:
    case Kind::FollowEnded:
      break;
  }
}

}  // namespace ambf_arm_nodes
