// SPDX-License-Identifier: BSD-3-Clause
#include "recording.hpp"

#include <algorithm>
#include <sstream>

#include "message_definition.hpp"
#include "rclcpp/typesupport_helpers.hpp"

namespace rosbag2_transport::detail {

namespace {

/// Enough for a second of a 1 kHz topic while the executor is busy with the others.
constexpr std::size_t kDepth = 1000;

template <typename PredicateT>
bool all_offer(const std::vector<rclcpp::TopicEndpointInfo> & publishers, PredicateT && predicate) {
  return !publishers.empty() &&
         std::all_of(publishers.begin(), publishers.end(), [&](const rclcpp::TopicEndpointInfo & publisher) {
           return predicate(publisher.qos_profile().get_rmw_qos_profile());
         });
}

bool is_reliable(const rmw_qos_profile_t & qos) { return qos.reliability == RMW_QOS_POLICY_RELIABILITY_RELIABLE; }

bool is_transient_local(const rmw_qos_profile_t & qos) {
  return qos.durability == RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
}

}  // namespace

Recording::Recording(rclcpp::Node & node, std::function<void()> on_failure)
: node_(node),
  options_(declare_record_options(node)),
  filter_(options_.selection),
  on_failure_(std::move(on_failure)),
  writer_(options_.bag) {
  use_sim_time_ = node.get_parameter("use_sim_time").as_bool();
  paused_ = options_.start_paused;
  // While the context is valid the middleware can still be asked for what it holds.
  shutdown_callback_ = node.get_node_base_interface()->get_context()->add_pre_shutdown_callback([this] { stop(); });
  graph_event_ = node.get_graph_event();
  graph_event_->set();
  RCLCPP_INFO(node.get_logger(), "Listening for topics...");
  if (use_sim_time_) {
    RCLCPP_INFO(node.get_logger(), "use_sim_time set, waiting for /clock before starting recording...");
  } else {
    discover();
  }
  if (!options_.is_discovery_disabled) {
    discovery_timer_ = node.create_wall_timer(options_.polling_interval, [this] {
      if (graph_event_->check_and_clear()) { discover(); }
    });
  }
  failure_timer_ = node.create_wall_timer(std::chrono::milliseconds(200), [this] {
    if (writer_.error().empty()) { return; }
    failure_timer_->cancel();
    stop();
    if (on_failure_) { on_failure_(); }
  });
  RCLCPP_INFO(node.get_logger(), paused_ ? "Wait for recording: Press SPACE to start." : "Recording...");
}

Recording::~Recording() {
  node_.get_node_base_interface()->get_context()->remove_pre_shutdown_callback(shutdown_callback_);
  stop();
}

void Recording::pause() {
  if (!paused_.exchange(true)) { RCLCPP_INFO(node_.get_logger(), "Pausing recording."); }
}

void Recording::resume() {
  if (paused_.exchange(false)) { RCLCPP_INFO(node_.get_logger(), "Resuming recording."); }
}

void Recording::discover() {
  if (use_sim_time_ && node_.now().nanoseconds() == 0) {
    graph_event_->set();  // not yet: look again
    return;
  }
  const std::lock_guard lock(topics_mutex_);
  for (const auto & [name, types] : node_.get_topic_names_and_types()) {
    const auto known = topics_.find(name);
    if (known != topics_.end()) {
      warn_of_incompatible(*known->second, node_.get_publishers_info_by_topic(name));
      continue;
    }
    if (types.size() != 1) {
      if (filter_.takes(name, types[0]) && refused_.insert(name).second) {
        RCLCPP_ERROR(node_.get_logger(),
          "Topic '%s' has more than one type associated. Only topics with one type are supported", name.c_str());
      }
      continue;
    }
    if (!filter_.takes(name, types[0]) || refused_.count(name)) { continue; }
    const auto publishers = node_.get_publishers_info_by_topic(name);
    if (publishers.empty() && !options_.include_unpublished_topics) { continue; }
    if (options_.ignore_leaf_topics && node_.get_subscriptions_info_by_topic(name).empty()) { continue; }
    subscribe(name, types[0], publishers);
  }
}

void Recording::subscribe(
  const std::string & name, const std::string & type, const std::vector<rclcpp::TopicEndpointInfo> & publishers) {
  auto topic = std::make_unique<Subscribed>();
  Subscribed & entry = *topic;
  entry.name = name;
  try {
    const auto library = rclcpp::get_typesupport_library(type, "rosidl_typesupport_cpp");
    const auto * support = rclcpp::get_message_typesupport_handle(type, "rosidl_typesupport_cpp", *library);
    TopicMetadata metadata;
    metadata.name = name;
    metadata.type = type;
    for (const auto & publisher : publishers) {
      metadata.offered_qos_profiles.push_back(publisher.qos_profile().get_rmw_qos_profile());
      if (metadata.type_description_hash.empty()) {
        metadata.type_description_hash = type_hash(publisher.topic_type_hash());
      }
    }
    if (metadata.type_description_hash.empty()) { metadata.type_description_hash = type_hash(*support); }
    entry.index = writer_.add_topic(std::move(metadata), message_definition(*support));
    entry.subscription = node_.create_generic_subscription(name, type, choose_qos(name, publishers),
      [this, &entry](std::shared_ptr<const rclcpp::SerializedMessage> message, const rclcpp::MessageInfo & info) {
        const std::lock_guard lock(entry.mutex);
        record(entry, std::move(message), info.get_rmw_message_info());
      });
  } catch (const std::exception & error) {
    refused_.insert(name);
    RCLCPP_WARN(node_.get_logger(),
      "Topic '%s' has unknown type '%s' . Only topics with known type are supported. Reason: '%s'", name.c_str(),
      type.c_str(), error.what());
    return;
  }
  topics_[name] = std::move(topic);
  RCLCPP_INFO(node_.get_logger(), "Subscribed to topic '%s'", name.c_str());
}

rclcpp::QoS Recording::choose_qos(
  const std::string & name, const std::vector<rclcpp::TopicEndpointInfo> & publishers) const {
  const auto overridden = options_.qos_overrides.find(name);
  if (overridden != options_.qos_overrides.end()) {
    RCLCPP_INFO(node_.get_logger(), "Overriding subscription profile for %s", name.c_str());
    return rclcpp::QoS(rclcpp::QoSInitialization::from_rmw(overridden->second), overridden->second);
  }
  // The strictest request that every publisher there is can meet.
  rclcpp::QoS qos(kDepth);
  if (!publishers.empty() && !all_offer(publishers, is_reliable)) { qos.best_effort(); }
  if (all_offer(publishers, is_transient_local)) { qos.transient_local(); }
  return qos;
}

void Recording::warn_of_incompatible(
  Subscribed & topic, const std::vector<rclcpp::TopicEndpointInfo> & publishers) const {
  if (topic.warned || publishers.empty()) { return; }
  const auto requested = topic.subscription->get_actual_qos().get_rmw_qos_profile();
  const char * missing = nullptr;
  if (is_reliable(requested) && !all_offer(publishers, is_reliable)) {
    missing = "best effort, but the recorder already asked for reliable";
  } else if (is_transient_local(requested) && !all_offer(publishers, is_transient_local)) {
    missing = "volatile, but the recorder already asked for transient local";
  }
  if (!missing) { return; }
  topic.warned = true;
  RCLCPP_WARN(node_.get_logger(),
    "A new publisher for subscribed topic %s was found offering %s. Messages from it will not be "
    "recorded; give the topic a profile with --qos-profile-overrides-path.",
    topic.name.c_str(), missing);
}

void Recording::record(
  Subscribed & topic, std::shared_ptr<const rclcpp::SerializedMessage> message, const rmw_message_info_t & info) {
  topic.losses.note(info.publisher_gid, info.publication_sequence_number);
  if (paused_) { return; }
  const rcl_serialized_message_t & bytes = message->get_rcl_serialized_message();
  RecordedMessage recorded;
  recorded.topic = topic.index;
  recorded.log_time = use_sim_time_ ? node_.now().nanoseconds() : info.received_timestamp;
  recorded.publish_time = info.source_timestamp;
  recorded.sequence = static_cast<std::uint32_t>(info.publication_sequence_number);
  recorded.data = {reinterpret_cast<const char *>(bytes.buffer), bytes.buffer_length};
  recorded.owner = std::move(message);
  writer_.write(std::move(recorded));
}

void Recording::drain() {
  for (auto & [name, topic] : topics_) {
    const std::lock_guard lock(topic->mutex);
    // At most what can be waiting, so that a busy topic does not keep us for ever.
    for (std::size_t i = 0; i < kDepth; ++i) {
      auto message = std::make_shared<rclcpp::SerializedMessage>();
      rclcpp::MessageInfo info;
      try {
        if (!topic->subscription->take_serialized(*message, info)) { break; }
      } catch (const std::exception &) {
        break;  // the context has gone: there is nothing to take from
      }
      record(*topic, std::move(message), info.get_rmw_message_info());
    }
  }
}

bool Recording::stop() {
  std::call_once(stopped_, [this] {
    if (discovery_timer_) { discovery_timer_->cancel(); }
    {
      const std::lock_guard lock(topics_mutex_);
      drain();
    }
    const WriteReport report = writer_.close();
    stop_result_ = report.error.empty();
    log_losses(report);
  });
  return stop_result_;
}

void Recording::log_losses(const WriteReport & report) const {
  const auto logger = node_.get_logger();
  if (!report.error.empty()) {
    RCLCPP_ERROR(logger, "Recording failed: %s. The bag was closed with what had been written.", report.error.c_str());
  }
  std::uint64_t dropped = 0, lost = 0;
  std::ostringstream per_topic;
  for (const auto & [name, count] : report.dropped) {
    dropped += count;
    per_topic << "\n\t" << name << ": " << count;
  }
  if (dropped > 0) {
    RCLCPP_WARN(logger, "Cache buffers lost messages per topic: %s\nTotal lost: %lu", per_topic.str().c_str(),
      static_cast<unsigned long>(dropped));
  }
  std::ostringstream before;
  for (const auto & [name, topic] : topics_) {
    if (topic->losses.lost() == 0) { continue; }
    lost += topic->losses.lost();
    before << "\n\t" << name << ": " << topic->losses.lost() << " in " << topic->losses.gaps() << " gaps of "
           << topic->losses.publishers().size() << " publishers";
  }
  if (lost > 0) {
    RCLCPP_WARN(logger, "Messages lost before they reached the recorder, per topic: %s\nTotal lost: %lu",
      before.str().c_str(), static_cast<unsigned long>(lost));
  }
  RCLCPP_INFO(logger, "Recorded %lu messages of %zu topics to '%s'; lost before the recorder: %lu, in it: %lu",
    static_cast<unsigned long>(report.written), topics_.size(), options_.bag.folder.c_str(),
    static_cast<unsigned long>(lost), static_cast<unsigned long>(dropped));
  RCLCPP_INFO(logger, "Recording stopped");
}

}  // namespace rosbag2_transport::detail
