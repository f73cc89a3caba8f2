// SPDX-License-Identifier: BSD-3-Clause
#include "arm_watch.hpp"

#include <algorithm>
#include <utility>

#include "crtk_qos.hpp"

namespace ambf_arm_nodes
{
namespace
{

/// An arm that was silent may be another one by now: its state is waited for so long, for one that
/// tells it only when it changes [s].
constexpr double state_patience = 2.0;

}  // namespace

ArmWatch::ArmWatch(
  rclcpp::Node & node, const std::string & arm, double timeout,
  std::function<void(const std::string &)> on_error)
: timeout_(timeout)
{
  operating_state_ = node.create_subscription<OperatingState>(
    arm + "/operating_state", qos::events(), [this](OperatingState::ConstSharedPtr state) {
      state_.enabled = state->state == "ENABLED";
      state_.fault = state->state == "FAULT";
      state_.homed = state->is_homed;
      state_.busy = state->is_busy;
      known_ = true;
      state_at_ = steady_seconds();
    });
  // Errors that are older than this node are not about its teleoperation.
  error_ = node.create_subscription<std_msgs::msg::String>(
    arm + "/error", rclcpp::QoS(20).reliable(),
    [told = std::move(on_error)](std_msgs::msg::String::ConstSharedPtr text) { told(text->data); });
  command_ = node.create_publisher<StringStamped>(arm + "/state_command", qos::orders());
}

void ArmWatch::heard()
{
  const double now = steady_seconds();
  if (now - heard_at_ > timeout_) { back_at_ = now; }
  heard_at_ = now;
}

ambf_teleop::TeleopArm ArmWatch::state() const
{
  const double now = steady_seconds();
  const bool data = now - heard_at_ <= timeout_;
  const bool believed = known_ && (state_at_ >= back_at_ || now - back_at_ >= state_patience);
  ambf_teleop::TeleopArm state = state_;
  state.there = data && believed;
  return state;
}

void ArmWatch::command(const char * text)
{
  StringStamped message;
  message.header.stamp = wall_.now();
  message.string = text;
  command_->publish(message);
}

}  // namespace ambf_arm_nodes
