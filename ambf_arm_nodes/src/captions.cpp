// SPDX-License-Identifier: BSD-3-Clause
#include "captions.hpp"

#include "crtk_qos.hpp"

namespace ambf_arm_nodes
{
namespace
{

using ambf_msgs::msg::Caption;
using ambf_teleop::TeleopEvent;

/// How long a line about an event is shown [s]; a line about a condition is shown while it lasts.
constexpr float note = 6.0F;
constexpr float until_replaced = 0.0F;

}  // namespace

Captions::Captions(rclcpp::Node & node, const std::string & world, const std::string & source)
: publisher_(node.create_publisher<Caption>(world + "/World/Caption", qos::orders()))
{
  message_.source = source;
}

void Captions::say(std::uint8_t level, const std::string & text, float duration)
{
  message_.level = level;
  message_.text = text;
  message_.duration = duration;
  publisher_->publish(message_);
}

TeleopCaptions::TeleopCaptions(
  rclcpp::Node & node, const std::string & world, const std::string & topic,
  const std::string & leads)
: captions_(node, world, topic), leads_(leads)
{
}

void TeleopCaptions::tell(const std::vector<TeleopEvent> & events)
{
  using Kind = TeleopEvent::Kind;
  const TeleopEvent * wrong = nullptr;
  const TeleopEvent * status = nullptr;
  bool ordered = false, began = false, ended = false;
  for (const TeleopEvent & event : events) {
    switch (event.kind) {
      case Kind::Following:
        began = event.flag;
        ended = !event.flag;
        break;
      case Kind::DesiredState:
        ordered = true;
        break;
      case Kind::Status:
        status = &event;
        break;
      case Kind::Warning:
      case Kind::Error:
        if (wrong == nullptr || wrong->kind == Kind::Warning) { wrong = &event; }
        break;
      default:
        break;
    }
  }
  if (wrong != nullptr) {
    const bool error = wrong->kind == Kind::Error;
    problem_ = error || ended;
    captions_.say(
      error ? Caption::ERROR : Caption::WARNING, wrong->text, problem_ ? until_replaced : note);
    return;
  }
  // Why the hand does not lead stands there until it does, or until somebody gives orders.
  if (began || ordered) { problem_ = false; }
  if (problem_) { return; }
  if (began) {
    captions_.say(Caption::INFO, leads_, note);
  } else if (status != nullptr) {
    captions_.say(Caption::INFO, status->text, note);
  }
}

}  // namespace ambf_arm_nodes
