// SPDX-License-Identifier: BSD-3-Clause
#include "playback.hpp"

#include <algorithm>
#include <cstring>

#include "bytes.hpp"
#include "read_ahead.hpp"

namespace rosbag2_transport::detail {

using namespace std::chrono_literals;

namespace {

/// Room for a burst of messages that a reliable reader has not acknowledged yet.
constexpr std::size_t kDepth = 1000;
/// Kept for late readers where the recorded profile does not say how many.
constexpr std::size_t kLatchedDepth = 10;
/// Given to reliable readers to get the last messages before the player goes.
constexpr std::chrono::seconds kLastMessages{10};

}  // namespace

Playback::Playback(rclcpp::Node & node, std::function<void()> on_end)
: node_(node),
  options_(declare_play_options(node)),
  on_end_(std::move(on_end)),
  bag_(options_.uri, options_.storage_id) {
  for (const auto & problem : bag_.problems()) { RCLCPP_WARN(node.get_logger(), "%s", problem.c_str()); }
  clock_.set_rate(options_.rate);
  make_publishers();
  if (options_.start_paused) { clock_.pause(); }
  clock_.set(bag_.metadata().starting_time + options_.start_offset.count());
  if (options_.clock_publish_frequency > 0.0 || options_.clock_publish_on_topic_publish) {
    clock_publisher_ = node.create_publisher<rosgraph_msgs::msg::Clock>("/clock", rclcpp::ClockQoS());
  }
  if (options_.clock_publish_frequency > 0.0) {
    const std::chrono::duration<double> period(1.0 / options_.clock_publish_frequency);
    clock_timer_ =
      node.create_wall_timer(std::chrono::duration_cast<std::chrono::nanoseconds>(period), [this] { publish_clock(); });
  }
  RCLCPP_INFO(node.get_logger(), "Set rate to %g", options_.rate);
  thread_ = std::thread([this] { run(); });
}

Playback::~Playback() { stop(); }

void Playback::stop() {
  clock_.stop();
  if (thread_.joinable() && thread_.get_id() != std::this_thread::get_id()) { thread_.join(); }
}

void Playback::pause() {
  if (clock_.is_paused()) { return; }
  clock_.pause();
  RCLCPP_INFO(node_.get_logger(), "Pausing play.");
}

void Playback::resume() {
  if (!clock_.is_paused()) { return; }
  clock_.resume();
  RCLCPP_INFO(node_.get_logger(), "Resuming play.");
}

bool Playback::set_rate(double rate) {
  if (!(rate > 0.0)) {
    RCLCPP_WARN(node_.get_logger(), "Failed to set rate to invalid value %g", rate);
    return false;
  }
  clock_.set_rate(rate);
  RCLCPP_INFO(node_.get_logger(), "Set rate to %g", rate);
  return true;
}

void Playback::make_publishers() {
  const TopicFilter filter(options_.selection);
  const auto & topics = bag_.metadata().topics;
  publishers_.resize(topics.size());
  triggers_clock_.resize(topics.size(), false);
  for (std::size_t i = 0; i < topics.size(); ++i) {
    const TopicMetadata & topic = topics[i].topic;
    if (!filter.takes(topic.name, topic.type)) { continue; }
    triggers_clock_[i] = options_.clock_publish_on_topic_publish &&
                         (options_.clock_trigger_topics.empty() || options_.clock_trigger_topics.count(topic.name));
    try {
      rclcpp::PublisherOptions publisher_options;
      publisher_options.event_callbacks.matched_callback = [this, name = topic.name](rclcpp::MatchedInfo & info) {
        RCLCPP_DEBUG(node_.get_logger(), "Topic '%s' has %zu subscriptions", name.c_str(), info.current_count);
      };
      publishers_[i] = node_.create_generic_publisher(topic.name, topic.type, choose_qos(topic), publisher_options);
    } catch (const std::exception & error) {
      RCLCPP_WARN(node_.get_logger(), "Ignoring a topic '%s', reason: %s.", topic.name.c_str(), error.what());
    }
  }
}

rclcpp::QoS Playback::choose_qos(const TopicMetadata & topic) const {
  const auto overridden = options_.qos_overrides.find(topic.name);
  if (overridden != options_.qos_overrides.end()) {
    RCLCPP_INFO(node_.get_logger(), "Overriding QoS profile for topic %s", topic.name.c_str());
    return rclcpp::QoS(rclcpp::QoSInitialization::from_rmw(overridden->second), overridden->second);
  }
  rclcpp::QoS qos(kDepth);
  const auto & offered = topic.offered_qos_profiles;
  if (offered.empty()) { return qos; }
  const auto same = [&](const rmw_qos_profile_t & profile) {
    return profile.reliability == offered[0].reliability && profile.durability == offered[0].durability;
  };
  if (!std::all_of(offered.begin(), offered.end(), same)) {
    RCLCPP_WARN(node_.get_logger(),
      "Not all original publishers on topic %s offered the same QoS profiles. The default is offered; "
      "give the topic a profile with --qos-profile-overrides-path.",
      topic.name.c_str());
    return qos;
  }
  if (offered[0].reliability == RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT) { qos.best_effort(); }
  if (offered[0].durability == RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL) {
    qos.transient_local().keep_last(offered[0].depth > 0 ? offered[0].depth : kLatchedDepth);
  }
  return qos;
}

void Playback::run() {
  try {
    do {
      if (options_.delay.count() > 0) {
        RCLCPP_INFO(node_.get_logger(), "Sleep %g sec", static_cast<double>(options_.delay.count()) * 1e-9);
        if (!clock_.sleep_for(options_.delay)) { break; }
      }
      play_once();
    } while (options_.loop && !clock_.is_stopped());
    if (!clock_.is_stopped()) { wait_for_acknowledgement(); }
  } catch (const std::exception & error) { RCLCPP_ERROR(node_.get_logger(), "Failed to play: %s", error.what()); }
  if (on_end_) { on_end_(); }
}

void Playback::play_once() {
  const std::int64_t start = bag_.metadata().starting_time + options_.start_offset.count();
  std::int64_t end = INT64_MAX;
  // Stock: the later of the two ends counts.
  if (options_.playback_duration.count() >= 0) { end = start + options_.playback_duration.count(); }
  if (options_.playback_until.count() >= 0) {
    end = end == INT64_MAX ? options_.playback_until.count() : std::max(end, options_.playback_until.count());
  }
  ReadAhead ahead(bag_, start, options_.read_ahead_queue_size);
  clock_.set(start);
  while (const auto message = ahead.next()) {
    if (message->log_time > end) { break; }
    if (!publishers_[message->topic]) { continue; }
    if (!clock_.wait_until(message->log_time)) { return; }
    publish(*message);
  }
}

void Playback::publish(const StoredMessage & message) {
  if (triggers_clock_[message.topic]) { publish_clock(); }
  rclcpp::SerializedMessage serialized(message.data.size());
  rcl_serialized_message_t & bytes = serialized.get_rcl_serialized_message();
  std::memcpy(bytes.buffer, message.data.data(), message.data.size());
  bytes.buffer_length = message.data.size();
  try {
    publishers_[message.topic]->publish(serialized);
  } catch (const std::exception & error) {
    RCLCPP_ERROR_THROTTLE(node_.get_logger(), *node_.get_clock(), 1000,
      "Failed to publish message on '%s' topic. \nError: %s", publishers_[message.topic]->get_topic_name(),
      error.what());
  }
}

void Playback::publish_clock() {
  rosgraph_msgs::msg::Clock message;
  const std::int64_t now = clock_.now();
  message.clock.sec = static_cast<std::int32_t>(now / 1'000'000'000);
  message.clock.nanosec = static_cast<std::uint32_t>(now % 1'000'000'000);
  clock_publisher_->publish(message);
}

void Playback::wait_for_acknowledgement() {
  const auto asked = options_.wait_acked_timeout;
  // 0 is for ever, as stock has it; so is -1 to the middleware.
  const auto limit = asked.count() < 0    ? std::chrono::nanoseconds(kLastMessages)
                     : asked.count() == 0 ? std::chrono::nanoseconds(-1)
                                          : asked;
  const auto deadline = PlaybackClock::Steady::now() + limit;
  for (const auto & publisher : publishers_) {
    if (!publisher || publisher->get_subscription_count() == 0) { continue; }
    const auto left = std::max<std::chrono::nanoseconds>(deadline - PlaybackClock::Steady::now(), 0ns);
    if (!publisher->wait_for_all_acked(limit.count() < 0 ? limit : left) && asked.count() >= 0) {
      RCLCPP_ERROR(node_.get_logger(),
        "Timed out while waiting for all published messages to be acknowledged for topic %s",
        publisher->get_topic_name());
    }
  }
}

}  // namespace rosbag2_transport::detail
