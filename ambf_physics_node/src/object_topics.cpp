#include "object_topics.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "convert.hpp"
#include "qos.hpp"

namespace ambf_physics
{

using ambf_msgs::msg::RigidBodyCmd;
using ambf_msgs::msg::RigidBodyState;

namespace
{

std::int64_t period_of(double rate)
{
  return static_cast<std::int64_t>(1e9 / std::clamp(rate, 0.001, 1e5));
}

}  // namespace

ObjectTopics::ObjectTopics(
  rclcpp::Node & node, Simulation & simulation, const Parameters & parameters, SourceNames & sources,
  rclcpp::CallbackGroup::SharedPtr command_group, std::atomic<std::uint64_t> & rejected)
: node_(node), simulation_(simulation), parameters_(parameters), sources_(sources),
  command_group_(std::move(command_group)), rejected_(rejected)
{
}

bool ObjectTopics::selected(const Roster::Body & body) const
{
  if (body.info.passive || parameters_.publish == "none") {return false;}
  if (parameters_.publish == "all") {return true;}
  const auto & list = parameters_.publish_list;
  return std::any_of(
    list.begin(), list.end(), [&](const std::string & name) {
      return name == body.info.name || name == body.info.topic || name == body.info.qualified;
    });
}

void ObjectTopics::rebuild(std::shared_ptr<const Roster> roster)
{
  std::map<std::string, std::shared_ptr<Entry>> before;
  for (auto & entry : entries_) {before.emplace(entry->topic, entry);}
  std::vector<std::shared_ptr<Entry>> entries;
  for (std::size_t i = 0; i < roster->bodies.size(); ++i) {
    const Roster::Body & body = roster->bodies[i];
    if (!selected(body)) {continue;}
    const auto it = before.find(body.info.topic);
    auto entry = it != before.end() ? it->second : make_entry(body.info.topic);
    std::lock_guard<std::mutex> lock(mutex_);
    entry->index = static_cast<ambf_dynamics::BodyIndex>(i);
    const double low = parameters_.min_rate > 0.0 ? parameters_.min_rate : body.rate.low;
    const double high = parameters_.max_rate > 0.0 ? parameters_.max_rate : body.rate.high;
    entry->low_period = period_of(low);
    entry->high_period = period_of(std::max(low, high));
    entry->box = simulation_.commands().box(entry->index);
    describe(entry->message, body);
    entries.push_back(std::move(entry));
  }
  {
    std::lock_guard<std::mutex> lock(mutex_);
    entries_ = std::move(entries);
    roster_ = std::move(roster);
  }
  refresh_watched();
}

std::shared_ptr<ObjectTopics::Entry> ObjectTopics::make_entry(const std::string & topic)
{
  auto entry = std::make_shared<Entry>();
  entry->topic = topic;
  rclcpp::PublisherOptions publisher_options;
  entry->publisher = node_.create_publisher<RigidBodyState>(
    topic + "/State", qos::latest().keep_last(static_cast<std::size_t>(parameters_.state_depth)),
    publisher_options);
  rclcpp::SubscriptionOptions subscription_options;
  subscription_options.callback_group = command_group_;
  entry->subscription = node_.create_subscription<RigidBodyCmd>(
    topic + "/Command", qos::latest(),
    [this, weak = std::weak_ptr<Entry>(entry)](
      const RigidBodyCmd & command, const rclcpp::MessageInfo & info) {
      if (const auto held = weak.lock()) {receive(*held, command, info);}
    },
    subscription_options);
  return entry;
}

void ObjectTopics::receive(
  Entry & entry, const RigidBodyCmd & command, const rclcpp::MessageInfo & info)
{
  const std::uint32_t source = sender(entry, info);
  std::lock_guard<std::mutex> lock(mutex_);
  if (!roster_ || entry.index >= roster_->bodies.size()) {return;}
  BodyOrder & order = entry.box->back();
  if (const auto done = to_order(command, *roster_, entry.index, order); !done) {
    rejected_.fetch_add(1);
    RCLCPP_WARN_THROTTLE(
      node_.get_logger(), *node_.get_clock(), 1000, "%s/Command from %s rejected: %s",
      entry.topic.c_str(), sources_.name(source).c_str(), done.error().c_str());
    return;
  }
  order.source = source;
  entry.box->publish();
  simulation_.commands().posted();
}

std::uint32_t ObjectTopics::sender(Entry & entry, const rclcpp::MessageInfo & info)
{
  const auto & gid = info.get_rmw_message_info().publisher_gid;
  if (entry.source != 0 && std::equal(entry.last_gid.begin(), entry.last_gid.end(), gid.data)) {
    return entry.source;
  }
  std::copy_n(gid.data, entry.last_gid.size(), entry.last_gid.begin());
  std::string name = "topic";
  for (const auto & endpoint : node_.get_publishers_info_by_topic(entry.topic + "/Command")) {
    const auto & other = endpoint.endpoint_gid();
    if (std::equal(other.begin(), other.end(), gid.data)) {
      name = endpoint.node_namespace() + (endpoint.node_namespace() == "/" ? "" : "/") +
        endpoint.node_name();
    }
  }
  entry.source = sources_.number(name);
  return entry.source;
}

void ObjectTopics::refresh_watched()
{
  std::lock_guard<std::mutex> lock(mutex_);
  watched_.clear();
  for (const auto & entry : entries_) {
    if (entry->publisher->get_subscription_count() +
      entry->publisher->get_intra_process_subscription_count() > 0)
    {
      watched_.push_back(entry.get());
    }
  }
}

void ObjectTopics::publish(
  Entry & entry, const SharedState & shared)
{
  const auto & state = shared.state;
  const auto & commanders = shared.commanders;
  if (!roster_ || state.revision != roster_->revision || entry.index >= roster_->bodies.size()) {return;}
  fill(entry.message, roster_->bodies[entry.index], state, entry.index);
  entry.message.wall_time = wall_stamp();
  if (entry.index < commanders.size() && commanders[entry.index].live) {
    entry.message.commanded_by = sources_.name(commanders[entry.index].source);
    entry.message.applied_step = commanders[entry.index].applied_step;
  } else {
    entry.message.commanded_by.clear();
    entry.message.applied_step = 0;
  }
  entry.publisher->publish(entry.message);
  ++published_;
}

std::int64_t ObjectTopics::publish_due(
  const SharedState & shared, std::int64_t now)
{
  const auto & commanders = shared.commanders;
  std::int64_t next = now + 50'000'000;
  for (Entry * entry : watched_) {
    const bool live = entry->index < commanders.size() && commanders[entry->index].live;
    const std::int64_t period = live ? entry->high_period : entry->low_period;
    // A topic that was idle has its next turn far away: a command brings it near.
    if (entry->due > now + period) {entry->due = now;}
    if (entry->due <= now) {
      publish(*entry, shared);
      entry->due += period;
      if (entry->due < now - period) {
        entry->due = now + period;
        ++late_;
      }
    }
    next = std::min(next, entry->due);
  }
  return next;
}

void ObjectTopics::publish_all(
  const SharedState & shared, std::int64_t now)
{
  for (Entry * entry : watched_) {
    publish(*entry, shared);
    entry->due = now + entry->low_period;
  }
}

bool ObjectTopics::wait_for_acked(std::chrono::nanoseconds timeout)
{
  const auto end = std::chrono::steady_clock::now() + timeout;
  for (Entry * entry : watched_) {
    const auto left = end - std::chrono::steady_clock::now();
    if (left.count() <= 0 || !entry->publisher->wait_for_all_acked(left)) {return false;}
  }
  return true;
}

}  // namespace ambf_physics
