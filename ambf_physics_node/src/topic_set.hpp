// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <rclcpp/rclcpp.hpp>

#include "convert.hpp"
#include "ambf_simulation/pacer.hpp"
#include "object_kinds.hpp"
#include "parameters.hpp"
#include "qos.hpp"
#include "source_names.hpp"
#include "watch.hpp"
#include "short_names.hpp"

namespace ambf_physics
{

/// What all sets of topics share.
struct TopicWiring
{
  rclcpp::Node & node;
  Simulation & simulation;
  const Parameters & parameters;
  SourceNames & sources;
  rclcpp::CallbackGroup::SharedPtr command_group;
  std::atomic<std::uint64_t> & rejected;
};

/// State and Command topics of all objects of one kind (object_kinds.hpp). `rebuild` is called when the
/// world's revision changed; publishing is for one thread at a time.
template <typename Kind>
class TopicSet
{
public:
  explicit TopicSet(const TopicWiring & wiring) : wiring_(wiring) {}

  void rebuild(std::shared_ptr<const Roster> roster);
  /// Asks every publisher whether somebody listens.
  void refresh_watched();
  bool anybody_watching() const { return !watched_.empty(); }

  /// Publishes what is due; returns when the next is [steady ns].
  std::int64_t publish_due(const SharedState & shared, std::int64_t now);
  /// Publishes every watched object once: the end of a lock-step call.
  void publish_all(const SharedState & shared, std::int64_t now);
  /// The publishers that somebody reads.
  void add_watched(std::vector<rclcpp::PublisherBase::SharedPtr> & out) const
  {
    for (const Entry * entry : watched_) { out.push_back(entry->publisher); }
  }

  std::uint64_t published() const { return published_; }
  std::uint64_t late() const { return late_; }  ///< messages that fell more than a period behind

private:
  static constexpr bool takes_commands = requires { typename Kind::Command; };

  struct Sender
  {
    std::array<std::uint8_t, RMW_GID_STORAGE_SIZE> gid{};
    std::uint32_t source = 0;
    bool known = false;            ///< it has a name
    std::int64_t next_lookup = 0;  ///< of a name that has not been heard [steady ns]
  };
  static constexpr std::size_t kSenders = 8;  ///< so many are remembered per topic

  /// What only kinds with commands have.
  template <typename K, bool with_commands>
  struct Inlet
  {
  };
  template <typename K>
  struct Inlet<K, true>
  {
    typename rclcpp::Subscription<typename K::Command>::SharedPtr subscription;
    std::shared_ptr<typename K::Inbox> inbox;
    typename K::Order order;       ///< the newest command, while it is checked
    std::vector<Sender> senders;   ///< the newest last
    std::int64_t next_report = 0;  ///< of a rejected command [steady ns]
    std::atomic<std::int64_t> unheard_since{
      0};  ///< somebody publishes who cannot be heard [steady ns]; 0: told
  };

  struct Entry : Inlet<Kind, takes_commands>
  {
    std::string topic;
    std::uint32_t index = 0;
    std::int64_t low_period = 20'000'000;
    std::int64_t high_period = 1'000'000;
    std::int64_t due = 0;
    typename Kind::State message;
    typename rclcpp::Publisher<typename Kind::State>::SharedPtr publisher;
  };

  std::shared_ptr<Entry> make_entry(const std::string & topic);
  void receive(Entry & entry, const auto & command, const rclcpp::MessageInfo & info);
  std::uint32_t sender(Entry & entry, const rclcpp::MessageInfo & info);
  void report_unheard(Entry & entry);
  void publish(Entry & entry, const SharedState & shared);

  TopicWiring wiring_;
  std::mutex mutex_;  ///< entries against the command callbacks
  std::shared_ptr<const Roster> roster_;
  std::vector<std::shared_ptr<Entry>> entries_;
  std::vector<Entry *> watched_;
  std::uint64_t published_ = 0;
  std::uint64_t late_ = 0;
};

template <typename Kind>
void TopicSet<Kind>::rebuild(std::shared_ptr<const Roster> roster)
{
  const Parameters & parameters = wiring_.parameters;
  std::map<std::string, std::shared_ptr<Entry>> before;
  for (auto & entry : entries_) { before.emplace(entry->topic, entry); }
  std::vector<std::shared_ptr<Entry>> entries;
  const auto & objects = Kind::objects(*roster);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto & names = Kind::names(objects[i]);
    if (!has_topics(parameters, names)) { continue; }
    const auto it = before.find(names.topic);
    auto entry = it != before.end() ? it->second : make_entry(names.topic);
    std::lock_guard<std::mutex> lock(mutex_);
    entry->index = static_cast<std::uint32_t>(i);
    const double low = parameters.min_rate > 0.0 ? parameters.min_rate : objects[i].rate.low;
    const double high = parameters.max_rate > 0.0 ? parameters.max_rate : objects[i].rate.high;
    entry->low_period = period_of(low);
    entry->high_period = period_of(std::max(low, high));
    if constexpr (takes_commands) { entry->inbox = Kind::inbox(wiring_.simulation, entry->index); }
    Kind::describe(entry->message, *roster, entry->index);
    entries.push_back(std::move(entry));
  }
  {
    std::lock_guard<std::mutex> lock(mutex_);
    entries_ = std::move(entries);
    roster_ = std::move(roster);
  }
  refresh_watched();
}

template <typename Kind>
std::shared_ptr<typename TopicSet<Kind>::Entry> TopicSet<Kind>::make_entry(
  const std::string & topic)
{
  auto entry = std::make_shared<Entry>();
  entry->topic = topic;
  entry->publisher = wiring_.node.template create_publisher<typename Kind::State>(
    topic + "/State",
    qos::latest().keep_last(static_cast<std::size_t>(wiring_.parameters.state_depth)));
  if constexpr (takes_commands) {
    using Command = typename Kind::Command;
    rclcpp::SubscriptionOptions options;
    options.callback_group = wiring_.command_group;
    options.event_callbacks.incompatible_qos_callback =
      [weak = std::weak_ptr<Entry>(entry)](rclcpp::QOSRequestedIncompatibleQoSInfo &) {
        if (const auto held = weak.lock()) { held->unheard_since = steady_now(); }
      };
    entry->subscription = wiring_.node.template create_subscription<Command>(
      topic + "/Command",
      qos::latest().keep_last(static_cast<std::size_t>(wiring_.parameters.command_depth)),
      [this, weak = std::weak_ptr<Entry>(entry)](
        const Command & command, const rclcpp::MessageInfo & info) {
        if (const auto held = weak.lock()) { receive(*held, command, info); }
      },
      options);
  }
  return entry;
}

template <typename Kind>
void TopicSet<Kind>::receive(Entry & entry, const auto & command, const rclcpp::MessageInfo & info)
{
  const std::uint32_t source = sender(entry, info);
  std::lock_guard<std::mutex> lock(mutex_);
  if (!roster_ || entry.index >= Kind::objects(*roster_).size()) { return; }
  const auto checked = Kind::to_order(command, *roster_, entry.index, entry.order);
  if (!checked) {
    wiring_.rejected.fetch_add(1);
    if (const std::int64_t now = steady_now(); now >= entry.next_report) {
      entry.next_report = now + 1'000'000'000;
      RCLCPP_WARN(
        wiring_.node.get_logger(), "%s/Command from %s rejected: %s", entry.topic.c_str(),
        wiring_.sources.name(source).c_str(), checked.error().c_str());
    }
    return;
  }
  if (!*checked) { return; }
  entry.order.source = source;
  Kind::post(wiring_.simulation, *entry.inbox, entry.order);
}

template <typename Kind>
std::uint32_t TopicSet<Kind>::sender(Entry & entry, const rclcpp::MessageInfo & info)
{
  const auto & gid = info.get_rmw_message_info().publisher_gid;
  const auto is_its = [&](const auto & other) {
    return std::equal(other.begin(), other.end(), gid.data);
  };
  auto & senders = entry.senders;
  auto it = std::find_if(
    senders.begin(), senders.end(), [&](const Sender & one) { return is_its(one.gid); });
  if (it == senders.end()) {
    if (senders.size() == kSenders) { senders.erase(senders.begin()); }
    it = senders.emplace(senders.end());
    std::copy_n(gid.data, it->gid.size(), it->gid.begin());
  }
  // The name of a node may be heard later than its first messages: ask again now and then.
  const std::int64_t now = steady_now();
  if (it->known || now < it->next_lookup) { return it->source; }
  it->next_lookup = now + 100'000'000;
  std::string name = "topic";
  for (const auto & endpoint : publishers_of(wiring_.node, entry.topic + "/Command")) {
    if (is_its(endpoint.endpoint_gid()) && endpoint.node_name() != "_NODE_NAME_UNKNOWN_") {
      it->known = true;
      name = node_of(endpoint);
    }
  }
  it->source = wiring_.sources.number(name);
  return it->source;
}

template <typename Kind>
void TopicSet<Kind>::refresh_watched()
{
  std::lock_guard<std::mutex> lock(mutex_);
  watched_.clear();
  for (const auto & entry : entries_) {
    if (has_readers(*entry->publisher)) {
      watched_.push_back(entry.get());
    } else {
      entry->due = 0;  // the next reader is a beginning, not late
    }
    if constexpr (takes_commands) {
      if (entry->unheard_since != 0) { report_unheard(*entry); }
    }
  }
}

template <typename Kind>
void TopicSet<Kind>::report_unheard(Entry & entry)
{
  std::string names;
  bool unknown = false;
  for (const auto & endpoint : publishers_of(wiring_.node, entry.topic + "/Command")) {
    if (endpoint.qos_profile().reliability() != rclcpp::ReliabilityPolicy::BestEffort) { continue; }
    unknown = unknown || endpoint.node_name() == "_NODE_NAME_UNKNOWN_";
    names += (names.empty() ? "" : ", ") + node_of(endpoint);
  }
  // The name of a node may be heard later than its topics.
  if ((unknown || names.empty()) && steady_now() - entry.unheard_since < 3'000'000'000) { return; }
  entry.unheard_since = 0;
  RCLCPP_WARN(
    wiring_.node.get_logger(),
    "%s/Command: %s publishes best effort and is not heard: commands are reliable",
    entry.topic.c_str(), names.empty() ? "somebody" : names.c_str());
}

template <typename Kind>
void TopicSet<Kind>::publish(Entry & entry, const SharedState & shared)
{
  const auto & state = shared.state;
  if (!roster_ || state.revision != roster_->revision) { return; }
  auto & message = entry.message;
  Kind::fill(message, *roster_, shared, entry.index);
  message.header.stamp = to_stamp(state.time);
  message.sim_time = state.time;
  message.sim_step = state.step;
  message.wall_time = wall_stamp();
  if constexpr (requires { message.commanded_by; }) {
    const Commander * commander = Kind::commander(shared, entry.index);
    const bool live = commander != nullptr && commander->live;
    message.commanded_by = live ? wiring_.sources.name(commander->source) : std::string{};
    message.applied_step = live ? commander->applied_step : 0;
  }
  entry.publisher->publish(message);
  ++published_;
}

template <typename Kind>
std::int64_t TopicSet<Kind>::publish_due(const SharedState & shared, std::int64_t now)
{
  std::int64_t next = now + 50'000'000;
  for (Entry * entry : watched_) {
    const Commander * commander = Kind::commander(shared, entry->index);
    const bool live = commander != nullptr && commander->live;
    const std::int64_t period = live ? entry->high_period : entry->low_period;
    // A topic that was idle has its next turn far away: a command brings it near. Topics of one rate have their
    // turns at one moment, so that one awakening serves them all.
    const std::int64_t turn = now - now % period;
    if (entry->due > now + period || entry->due == 0) { entry->due = turn; }
    if (entry->due <= now) {
      publish(*entry, shared);
      entry->due += period;
      if (
        entry->due < now - period) {  // after a stall one turn is made up for, the others are lost
        entry->due = turn;
        ++late_;
      }
    }
    next = std::min(next, entry->due);
  }
  return next;
}

template <typename Kind>
void TopicSet<Kind>::publish_all(const SharedState & shared, std::int64_t now)
{
  for (Entry * entry : watched_) {
    publish(*entry, shared);
    entry->due = now + entry->low_period;
  }
}

}  // namespace ambf_physics
