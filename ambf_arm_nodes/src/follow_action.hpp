// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <builtin_interfaces/msg/time.hpp>
#include <rclcpp/rclcpp.hpp>

#include "ambf_arms/arm_control.hpp"
#include "crtk_commands.hpp"

namespace ambf_arm_nodes
{

/// What the action needs of the arm's node.
struct FollowSink
{
  CommandSink command;
  std::function<void()>
    tell_events;                  ///< hands what has happened to `FollowAction::ended` and others
  std::function<double()> lived;  ///< simulated time up to which the arm has been moved [s]
};

/// The action <arm>/follow_joint_trajectory. Goals are accepted and then, where they make no sense,
/// aborted: a goal that is rejected has no result that would say why.
class FollowAction
{
public:
  virtual ~FollowAction() = default;
  /// The arm is known, or is another one: its joints have parameters.
  virtual void arm_known(const ambf_arms::ArmControl & arm) = 0;
  /// Stops the arm where its client has canceled; before every tick.
  virtual void serve(ambf_arms::ArmControl & arm) = 0;
  /// Feedback, so many times a second of simulated time; after a tick.
  virtual void tell_progress(
    const ambf_arms::ArmControl & arm, const builtin_interfaces::msg::Time & simulated) = 0;
  /// An event of the kind FollowEnded.
  virtual void ended(const ambf_arms::ControlEvent & event) = 0;
};

/// Null where control_msgs was not there when this package was built.
std::unique_ptr<FollowAction> make_follow_action(
  rclcpp::Node & node, const std::string & arm, FollowSink sink);

}  // namespace ambf_arm_nodes
