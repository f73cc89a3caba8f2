// SPDX-License-Identifier: BSD-3-Clause
#include "teleop_topics.hpp"

#include <crtk_msgs/msg/string_stamped.hpp>

#include "crtk_qos.hpp"

namespace ambf_arm_nodes
{

using ambf_teleop::PsmTeleop;
using ambf_teleop::TeleopEvent;

TeleopTopics::TeleopTopics(
  rclcpp::Node & node, const std::string & teleop_name, PsmTeleop & teleop,
  std::function<void()> ordered)
: logger_(node.get_logger())
{
  const rclcpp::PublisherOptions kept = qos::to_late_joiners();
  const auto text = [&](const char * topic, const rclcpp::QoS & how) {
    return node.create_publisher<String>(teleop_name + topic, how, kept);
  };
  current_state_ = text("/current_state", qos::value());
  desired_state_ = text("/desired_state", qos::value());
  status_ = text("/status", qos::events());
  warning_ = text("/warning", qos::events());
  error_ = text("/error", qos::events());
  following_ = node.create_publisher<Bool>(teleop_name + "/following", qos::value(), kept);
  align_mtm_ = node.create_publisher<Bool>(teleop_name + "/align_mtm", qos::value(), kept);
  scale_ = node.create_publisher<Float64>(teleop_name + "/scale", qos::value(), kept);
  // A dVRK tells these two as buttons.
  rotation_locked_ =
    node.create_publisher<Joy>(teleop_name + "/rotation_locked", qos::value(), kept);
  translation_locked_ =
    node.create_publisher<Joy>(teleop_name + "/translation_locked", qos::value(), kept);
  listen(node, teleop_name, teleop, ordered);
}

void TeleopTopics::listen(
  rclcpp::Node & node, const std::string & name, PsmTeleop & teleop,
  const std::function<void()> & ordered)
{
  subscriptions_.push_back(node.create_subscription<crtk_msgs::msg::StringStamped>(
    name + "/state_command", qos::orders(),
    [&teleop, ordered](crtk_msgs::msg::StringStamped::ConstSharedPtr command) {
      teleop.state_command(command->string);
      ordered();
    }));
  subscriptions_.push_back(node.create_subscription<Float64>(
    name + "/set_scale", qos::orders(), [&teleop, ordered](Float64::ConstSharedPtr scale) {
      teleop.set_scale(scale->data);
      ordered();
    }));
  const auto flag = [&](const char * topic, void (PsmTeleop::*order)(bool)) {
    subscriptions_.push_back(node.create_subscription<Bool>(
      name + topic, qos::orders(), [&teleop, order, ordered](Bool::ConstSharedPtr on) {
        (teleop.*order)(on->data);
        ordered();
      }));
  };
  flag("/lock_rotation", &PsmTeleop::lock_rotation);
  flag("/lock_translation", &PsmTeleop::lock_translation);
  flag("/set_align_MTM", &PsmTeleop::set_align_mtm);
}

void TeleopTopics::publish(const TeleopEvent & event)
{
  using Kind = TeleopEvent::Kind;
  const auto say = [&](const rclcpp::Publisher<String>::SharedPtr & to) {
    String message;
    message.data = event.text;
    to->publish(message);
  };
  const auto tell = [&](const rclcpp::Publisher<Bool>::SharedPtr & to) {
    Bool message;
    message.data = event.flag;
    to->publish(message);
  };
  const auto button = [&](const rclcpp::Publisher<Joy>::SharedPtr & to) {
    Joy message;
    message.buttons.push_back(event.flag ? 1 : 0);
    to->publish(message);
  };
  switch (event.kind) {
    case Kind::CurrentState:
      return say(current_state_);
    case Kind::DesiredState:
      return say(desired_state_);
    case Kind::Following:
      return tell(following_);
    case Kind::AlignMtm:
      return tell(align_mtm_);
    case Kind::RotationLocked:
      return button(rotation_locked_);
    case Kind::TranslationLocked:
      return button(translation_locked_);
    case Kind::Scale: {
      Float64 message;
      message.data = event.value;
      return scale_->publish(message);
    }
    case Kind::Status:
      RCLCPP_INFO(logger_, "%s", event.text.c_str());
      return say(status_);
    case Kind::Warning:
      RCLCPP_WARN(logger_, "%s", event.text.c_str());
      return say(warning_);
    case Kind::Error:
      RCLCPP_ERROR(logger_, "%s", event.text.c_str());
      return say(error_);
  }
}

}  // namespace ambf_arm_nodes
