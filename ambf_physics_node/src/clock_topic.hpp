// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include <rclcpp/rclcpp.hpp>
#include <rosgraph_msgs/msg/clock.hpp>

namespace ambf_physics
{

/// Simulation time for others: on /clock, of which a graph has one publisher, or below the world where
/// somebody else was there first. One thread at a time.
class ClockTopic
{
public:
  ClockTopic(rclcpp::Node & node, const std::string & world_namespace, bool enabled);

  /// Asks whether somebody listens, and, while this node is new, who else publishes: discovery takes
  /// a while, so what was there first is often found after the start.
  void refresh(std::int64_t now);
  bool watched() const { return watched_; }

  /// Sends the time [s] unless it was sent already. True: it was sent.
  bool publish(double time);
  /// After a reset the time may go back.
  void restart() { stamp_ = -1; }

private:
  /// The node that publishes /clock beside this one and does not give way; empty: none.
  std::string other(std::int64_t now);
  void create(const std::string & topic);

  rclcpp::Node & node_;
  std::string fallback_;
  rclcpp::Publisher<rosgraph_msgs::msg::Clock>::SharedPtr publisher_;
  std::int64_t began_ = 0;
  std::int64_t rival_since_ = 0;  ///< another world has been seen that should give way
  bool settled_ = false;          ///< the topic is this world's for good
  bool watched_ = false;
  std::int64_t stamp_ = -1;
};

}  // namespace ambf_physics
