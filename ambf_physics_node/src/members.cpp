// SPDX-License-Identifier: BSD-3-Clause
#include "members.hpp"

#include <chrono>
#include <utility>
#include <vector>

#include "ambf_simulation/pacer.hpp"
#include "qos.hpp"

namespace ambf_physics
{

Members::Members(
  rclcpp::Node & node, const Parameters & parameters, const std::string & world_namespace,
  rclcpp::CallbackGroup::SharedPtr group, std::mutex & mutex, BarrierMembers & revisions)
: mutex_(mutex),
  presence_(
    node, node.get_node_topics_interface()->resolve_topic_name(world_namespace + "/World/Barrier")),
  revisions_(revisions)
{
  rclcpp::SubscriptionOptions options;
  options.callback_group = group;
  const auto lost = [this] {
    std::lock_guard<std::mutex> lock(mutex_);
    one_lost_ = true;
  };
  options.event_callbacks.liveliness_callback = [lost](rclcpp::QOSLivelinessChangedInfo & info) {
    if (info.alive_count_change < 0 || info.not_alive_count_change > 0) { lost(); }
  };
  options.event_callbacks.matched_callback = [lost](rclcpp::MatchedInfo & info) {
    if (info.current_count_change < 0) { lost(); }
  };
  const auto lease =
    std::chrono::nanoseconds(static_cast<std::int64_t>(parameters.agent_lease * 1e9));
  hello_ = node.create_subscription<ambf_msgs::msg::BarrierMember>(
    world_namespace + "/World/Barrier", qos::lease(lease),
    [this](const ambf_msgs::msg::BarrierMember & member, const rclcpp::MessageInfo & info) {
      std::lock_guard<std::mutex> lock(mutex_);
      revisions_[member.name] = member.manifest_revision;
      presence_.hello(member.name, member.process, info, steady_now());
    },
    options);
}

std::set<std::string> Members::take_gone()
{
  if (!std::exchange(one_lost_, false)) { return {}; }
  std::vector<std::string> names;
  for (const auto & [name, revision] : revisions_) { names.push_back(name); }
  const auto gone = presence_.vanished(names);
  for (const auto & name : gone) { presence_.forget(name); }
  return gone;
}

}  // namespace ambf_physics
