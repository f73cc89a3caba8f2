// SPDX-License-Identifier: BSD-3-Clause
#include "clock_topic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "convert.hpp"
#include "ambf_simulation/pacer.hpp"
#include "watch.hpp"

namespace ambf_physics
{

namespace
{

/// So long a new world looks for others [ns].
constexpr std::int64_t kNew = 5'000'000'000;
/// So long another world has to give way [ns].
constexpr std::int64_t kPatience = 2'000'000'000;

}  // namespace

ClockTopic::ClockTopic(rclcpp::Node & node, const std::string & world_namespace, bool enabled)
: node_(node), fallback_(world_namespace + "/clock"), began_(steady_now()), settled_(!enabled)
{
  if (enabled) { create("/clock"); }
}

void ClockTopic::create(const std::string & topic)
{
  publisher_ = node_.create_publisher<rosgraph_msgs::msg::Clock>(topic, rclcpp::ClockQoS());
}

std::string ClockTopic::other(std::int64_t now)
{
  // Two simulators may have one name: then their publishers tell who is who.
  using Gid = std::array<std::uint8_t, RMW_GID_STORAGE_SIZE>;
  Gid own_gid{};
  std::copy_n(publisher_->get_gid().data, own_gid.size(), own_gid.begin());
  const std::pair<std::string, Gid> own{node_.get_fully_qualified_name(), own_gid};
  const std::int64_t rival_since = std::exchange(rival_since_, 0);
  for (const auto & endpoint : publishers_of(node_, "/clock")) {
    const std::string name = node_of(endpoint);
    if (endpoint.endpoint_gid() == own_gid) { continue; }
    // Of two worlds that start together the second by name gives way; one that does not is older, or no
    // world. The name of a node may be heard later than its topics.
    if (
      own < std::pair{name, endpoint.endpoint_gid()} ||
      endpoint.node_name() == "_NODE_NAME_UNKNOWN_") {
      rival_since_ = rival_since != 0 ? rival_since : now;
      if (now - rival_since_ < kPatience) { continue; }
    }
    return name;
  }
  return {};
}

void ClockTopic::refresh(std::int64_t now)
{
  if (!settled_) {
    const std::string name = other(now);
    settled_ = now - began_ > kNew && rival_since_ == 0;
    if (!name.empty()) {
      RCLCPP_WARN(
        node_.get_logger(), "/clock is published by %s already: this world uses %s", name.c_str(),
        fallback_.c_str());
      create(fallback_);
      settled_ = true;
      rival_since_ = 0;
    }
  }
  watched_ = publisher_ && has_readers(*publisher_);
}

bool ClockTopic::publish(double time)
{
  // While it is not clear whose topic it is this world keeps silent: two times at once harm more than none.
  if (!watched_ || rival_since_ != 0) { return false; }
  const auto stamp = static_cast<std::int64_t>(std::llround(time * 1e9));
  // Strictly increasing, except after a reset.
  if (stamp <= stamp_) { return false; }
  stamp_ = stamp;
  rosgraph_msgs::msg::Clock message;
  message.clock = to_stamp(time);
  publisher_->publish(message);
  return true;
}

}  // namespace ambf_physics
