// SPDX-License-Identifier: BSD-3-Clause
#include "bytes.hpp"
#include "playback.hpp"

namespace rosbag2_transport::detail {

PlayOptions declare_play_options(rclcpp::Node & node) {
  using Texts = std::vector<std::string>;
  const auto text = [&](const char * name) { return node.declare_parameter<std::string>(name, ""); };
  const auto texts = [&](const std::string & name) { return node.declare_parameter<Texts>("play." + name, Texts{}); };
  const auto flag = [&](const std::string & name) { return node.declare_parameter<bool>("play." + name, false); };
  const auto duration = [&](const std::string & name, std::int64_t seconds) {
    const std::string key = "play." + name;
    const auto sec = node.declare_parameter<std::int64_t>(key + ".sec", seconds);
    const auto nsec = node.declare_parameter<std::int64_t>(key + ".nsec", 0);
    return std::chrono::nanoseconds(std::chrono::seconds(sec)) + std::chrono::nanoseconds(nsec);
  };
  const auto not_negative = [](std::chrono::nanoseconds value, const char * name) {
    if (value < std::chrono::nanoseconds::zero()) {
      throw BagError(std::string("play.") + name + " must not be negative");
    }
    return value;
  };

  PlayOptions options;
  options.uri = text("storage.uri");
  options.storage_id = text("storage.storage_id");
  if (options.uri.empty()) { throw BagError("the parameter storage.uri must name a bag"); }
  const auto ahead = node.declare_parameter<std::int64_t>("play.read_ahead_queue_size", 1000);
  if (ahead < 1) { throw BagError("play.read_ahead_queue_size must be at least 1"); }
  options.read_ahead_queue_size = static_cast<std::size_t>(ahead);
  options.rate = node.declare_parameter<double>("play.rate", 1.0);
  if (!(options.rate > 0.0)) { throw BagError("play.rate must be greater than 0"); }

  TopicSelection & selection = options.selection;
  selection.topics = texts("topics_to_filter");
  selection.services = texts("services_to_filter");
  selection.regex = text("play.regex_to_filter");
  // Without any of these three everything is played.
  const bool all = selection.topics.empty() && selection.services.empty() && selection.regex.empty();
  selection.all_topics = selection.all_services = all;
  selection.exclude_topics = texts("exclude_topics_to_filter");
  selection.exclude_services = texts("exclude_services_to_filter");
  selection.exclude_regex = text("play.exclude_regex_to_filter");
  selection.include_hidden_topics = true;
  const std::string overrides = text("play.qos_profile_overrides_path");
  if (!overrides.empty()) { options.qos_overrides = read_qos_overrides(overrides); }

  options.loop = flag("loop");
  options.start_paused = flag("start_paused");
  options.disable_keyboard_controls = flag("disable_keyboard_controls");
  options.clock_publish_frequency = node.declare_parameter<double>("play.clock_publish_frequency", 0.0);
  options.clock_publish_on_topic_publish = flag("clock_publish_on_topic_publish");
  const Texts triggers = texts("clock_trigger_topics");
  options.clock_trigger_topics = {triggers.begin(), triggers.end()};
  options.delay = not_negative(duration("delay", 0), "delay");
  options.start_offset = not_negative(duration("start_offset", 0), "start_offset");
  options.playback_duration = duration("playback_duration", -1);
  options.playback_until = duration("playback_until", -1);
  options.wait_acked_timeout = duration("wait_acked_timeout", -1);
  return options;
}

}  // namespace rosbag2_transport::detail
