// SPDX-License-Identifier: BSD-3-Clause
#include "agents.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "ambf_simulation/pacer.hpp"
#include "ambf_simulation/step_barrier.hpp"
#include "qos.hpp"

namespace ambf_physics
{

namespace
{
/// Of those that were dropped so many are remembered.
constexpr std::size_t kRemembered = 20;
}  // namespace

Agents::Agents(
  rclcpp::Node & node, const Parameters & parameters, const std::string & world_namespace,
  rclcpp::CallbackGroup::SharedPtr group, std::mutex & mutex, AgentRoster & roster)
: node_(node),
  parameters_(parameters),
  mutex_(mutex),
  lease_(static_cast<std::int64_t>(parameters.agent_lease * 1e9)),
  roster_(roster),
  presence_(
    node, node.get_node_topics_interface()->resolve_topic_name(world_namespace + "/World/Agents"))
{
  const std::string base = world_namespace + "/World";
  join_ = node.create_service<JoinWorld>(
    base + "/join",
    [this](const JoinWorld::Request::SharedPtr request, JoinWorld::Response::SharedPtr response) {
      on_join(*request, *response);
    },
    rclcpp::ServicesQoS(), group);
  leave_ = node.create_service<LeaveWorld>(
    base + "/leave",
    [this](const LeaveWorld::Request::SharedPtr request, LeaveWorld::Response::SharedPtr response) {
      on_leave(*request, *response);
    },
    rclcpp::ServicesQoS(), group);
  rclcpp::SubscriptionOptions watched;
  watched.callback_group = group;
  watched.event_callbacks.liveliness_callback = [this](rclcpp::QOSLivelinessChangedInfo & info) {
    if (info.alive_count_change >= 0 && info.not_alive_count_change <= 0) { return; }
    std::lock_guard<std::mutex> lock(mutex_);
    const std::int64_t now = steady_now();
    const auto here = static_cast<int>(presence_.counted_here(now, lease_));
    roster_.lease_lost(static_cast<std::uint32_t>(std::max(info.alive_count - here, 0)), now);
  };
  watched.event_callbacks.matched_callback = [this](rclcpp::MatchedInfo & info) {
    if (info.current_count_change >= 0) { return; }
    std::lock_guard<std::mutex> lock(mutex_);
    publisher_lost_ = true;
  };
  hello_ = node.create_subscription<ambf_msgs::msg::AgentHello>(
    base + "/Agents", qos::lease(std::chrono::nanoseconds(lease_)),
    [this](const ambf_msgs::msg::AgentHello & hello, const rclcpp::MessageInfo & info) {
      std::lock_guard<std::mutex> lock(mutex_);
      const std::int64_t now = steady_now();
      roster_.hello(hello.name, now, presence_.hello(hello.name, hello.process, info, now));
    },
    watched);
}

void Agents::on_join(const JoinWorld::Request & request, JoinWorld::Response & response)
{
  std::lock_guard<std::mutex> lock(mutex_);
  response.lease = parameters_.agent_lease;
  if (request.name.empty()) {
    response.message = "name: found nothing, expected the agent's name";
  } else if (!std::isfinite(request.delay_budget) || request.delay_budget < 0.0) {
    response.message = "delay_budget: expected seconds of wall time, 0 for ever";
  } else if (!roster_.join(request.name, request.delay_budget, steady_now())) {
    response.joined_already = true;
    response.message = "an agent named '" + request.name + "' has joined already";
  } else {
    response.ok = true;
    presence_.forget(request.name);  // whoever had the name before
    remember_names();
    RCLCPP_INFO(node_.get_logger(), "agent '%s' joined", request.name.c_str());
  }
}

void Agents::on_leave(const LeaveWorld::Request & request, LeaveWorld::Response & response)
{
  std::lock_guard<std::mutex> lock(mutex_);
  response.ok = roster_.leave(request.name);
  if (!response.ok) {
    response.message = "no agent '" + request.name + "'; joined: " + joined(roster_.names());
    return;
  }
  RCLCPP_INFO(node_.get_logger(), "agent '%s' left", request.name.c_str());
  remember_names();
  on_gone({request.name}, "the agent left");
}

void Agents::drop_dead(std::int64_t now)
{
  const bool look = roster_.suspicious() || std::exchange(publisher_lost_, false);
  const auto vanished = look ? presence_.vanished(roster_.names()) : std::set<std::string>{};
  drop(roster_.take_dead(now, lease_, vanished), "it died, or never said hello on World/Agents");
  if (parameters_.delay_fallback != "drop") { return; }
  const auto late = roster_.over_budget(now);
  for (const auto & name : late) { roster_.leave(name); }
  drop(late, "its delay budget is used up");
}

void Agents::drop(const std::vector<std::string> & names, const std::string & why)
{
  if (names.empty()) { return; }
  for (const auto & name : names) {
    RCLCPP_WARN(
      node_.get_logger(), "agent '%s' is gone and no longer holds the world: %s", name.c_str(),
      why.c_str());
    std::lock_guard<std::mutex> lock(names_mutex_);
    dropped_.push_back(name);
    if (dropped_.size() > kRemembered) { dropped_.erase(dropped_.begin()); }
  }
  remember_names();
  on_gone(names, "the agent was dropped: " + why);
}

std::vector<std::string> Agents::names() const
{
  std::lock_guard<std::mutex> lock(names_mutex_);
  return names_;
}

std::vector<std::string> Agents::dropped() const
{
  std::lock_guard<std::mutex> lock(names_mutex_);
  return dropped_;
}

void Agents::remember_names()
{
  std::lock_guard<std::mutex> lock(names_mutex_);
  names_ = roster_.names();
}

}  // namespace ambf_physics
