// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include <ambf_msgs/msg/agent_hello.hpp>
#include <ambf_msgs/srv/join_world.hpp>
#include <ambf_msgs/srv/leave_world.hpp>
#include <rclcpp/rclcpp.hpp>

#include "ambf_simulation/agent_roster.hpp"
#include "parameters.hpp"
#include "presence.hpp"
#include "short_names.hpp"

namespace ambf_physics
{

/// Who takes part in the world clock: the services join and leave, the hellos and the leases.
/// Everything but `names` and `dropped` happens under the mutex of the step server.
class Agents
{
public:
  Agents(
    rclcpp::Node & node, const Parameters & parameters, const std::string & world_namespace,
    rclcpp::CallbackGroup::SharedPtr group, std::mutex & mutex, AgentRoster & roster);

  /// Called for agents that left or were dropped, when they no longer count. With the mutex.
  std::function<void(const std::vector<std::string> & names, const std::string & why)> on_gone;

  /// Drops those that died, never said hello, or used up their budget. With the mutex.
  void drop_dead(std::int64_t now);

  /// Who has joined, and the last that were dropped. Any thread, whatever it holds.
  std::vector<std::string> names() const;
  std::vector<std::string> dropped() const;

private:
  using JoinWorld = ambf_msgs::srv::JoinWorld;
  using LeaveWorld = ambf_msgs::srv::LeaveWorld;

  void on_join(const JoinWorld::Request & request, JoinWorld::Response & response);
  void on_leave(const LeaveWorld::Request & request, LeaveWorld::Response & response);
  void drop(const std::vector<std::string> & names, const std::string & why);
  void remember_names();

  rclcpp::Node & node_;
  const Parameters & parameters_;
  std::mutex & mutex_;
  std::int64_t lease_;  ///< [ns]
  AgentRoster & roster_;
  /// How an agent can be recognised: what its hello said and who sent it.
  Presence presence_;
  bool publisher_lost_ = false;  ///< of the agents' topic, since the last look

  /// Names for those who hold locks of their own; a leaf in the order of locks.
  mutable std::mutex names_mutex_;
  std::vector<std::string> names_;
  std::vector<std::string> dropped_;

  rclcpp::Service<JoinWorld>::SharedPtr join_;
  rclcpp::Service<LeaveWorld>::SharedPtr leave_;
  rclcpp::Subscription<ambf_msgs::msg::AgentHello>::SharedPtr hello_;
};

}  // namespace ambf_physics
