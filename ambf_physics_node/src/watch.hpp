// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include <rclcpp/clock.hpp>
#include <rclcpp/node.hpp>
#include <rclcpp/publisher_base.hpp>

namespace ambf_physics
{

/// Who listens, in this process or elsewhere.
inline std::size_t reader_count(const rclcpp::PublisherBase & publisher)
{
  return publisher.get_subscription_count() + publisher.get_intra_process_subscription_count();
}

inline bool has_readers(const rclcpp::PublisherBase & publisher)
{
  return reader_count(publisher) > 0;
}

/// What the graph tells; nothing, once it was left: Ctrl-C may come before any line.
template <typename Ask>
std::vector<rclcpp::TopicEndpointInfo> endpoints(const rclcpp::Node & node, const Ask & ask)
{
  try {
    return ask();
  } catch (const std::exception &) {
    if (node.get_node_options().context()->is_valid()) { throw; }
    return {};
  }
}

inline std::vector<rclcpp::TopicEndpointInfo> publishers_of(
  const rclcpp::Node & node, const std::string & topic)
{
  return endpoints(node, [&] { return node.get_publishers_info_by_topic(topic); });
}

inline std::vector<rclcpp::TopicEndpointInfo> subscriptions_of(
  const rclcpp::Node & node, const std::string & topic)
{
  return endpoints(node, [&] { return node.get_subscriptions_info_by_topic(topic); });
}

/// The full name of the node behind a publisher or a subscription.
inline std::string node_of(const rclcpp::TopicEndpointInfo & endpoint)
{
  const std::string ns = endpoint.node_namespace();
  return ns + (ns == "/" ? "" : "/") + endpoint.node_name();
}

/// Readers of a topic that says nothing new while the world waits. One that comes is owed what was said
/// last: at once, and again a little later, as it may have met the publisher after that met it.
class Newcomers
{
public:
  /// True: what was said last is owed to somebody. `step` is the world's, `now` in steady ns.
  bool owed(std::size_t readers, std::uint64_t step, std::int64_t now)
  {
    const bool came = readers > readers_;
    readers_ = readers;
    if (came) {
      waiting_ = true;
      step_ = step;
      since_ = now;
      return true;
    }
    if (waiting_ && step != step_) { waiting_ = false; }  // it hears of the steps
    if (!waiting_ || now - since_ < 500'000'000) { return false; }
    waiting_ = false;
    return true;
  }

private:
  std::size_t readers_ = 0;
  std::uint64_t step_ = 0;
  std::int64_t since_ = 0;
  bool waiting_ = false;
};

/// What "at most once a second" is measured by: a node's own clock may be the world's, which stops.
inline rclcpp::Clock & steady_clock()
{
  static rclcpp::Clock clock(RCL_STEADY_TIME);
  return clock;
}

/// [ns] of a rate [Hz].
inline std::int64_t period_of(double rate)
{
  return static_cast<std::int64_t>(1e9 / std::clamp(rate, 0.001, 1e6));
}

}  // namespace ambf_physics
