// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <rclcpp/rclcpp.hpp>

namespace ambf_physics
{

/// A plugin with topics: its class derives from this one beside ambf_simulation::Plugin.
class TopicPlugin
{
public:
  virtual ~TopicPlugin() = default;

  /// Once, after the first `bind`: makes publishers and subscriptions, by habit below the world's namespace.
  /// Their callbacks run in other threads than the step: what they bring, and what the step tells, goes through
  /// an ambf_teleop::Mailbox.
  virtual void start(rclcpp::Node & node, const std::string & world_namespace) = 0;
};

}  // namespace ambf_physics
