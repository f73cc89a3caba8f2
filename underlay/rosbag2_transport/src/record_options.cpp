// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <ctime>

#include "bytes.hpp"
#include "recording.hpp"

namespace rosbag2_transport::detail {

namespace {

std::string default_folder() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[64];
  std::strftime(text, sizeof text, "rosbag2_%Y_%m_%d-%H_%M_%S", &local);
  return text;
}

}  // namespace

RecordOptions declare_record_options(rclcpp::Node & node) {
  using Texts = std::vector<std::string>;
  const auto text = [&](const char * name, const char * value = "") {
    return node.declare_parameter<std::string>(name, value);
  };
  const auto texts = [&](const char * name) { return node.declare_parameter<Texts>(name, Texts{}); };
  const auto flag = [&](const char * name, bool value = false) { return node.declare_parameter<bool>(name, value); };
  const auto number = [&](const char * name, std::int64_t value) {
    return node.declare_parameter<std::int64_t>(name, value);
  };

  RecordOptions options;
  TopicSelection & selection = options.selection;
  selection.all_topics = flag("record.all_topics");
  selection.all_services = flag("record.all_services");
  selection.topics = texts("record.topics");
  for (auto & topic : selection.topics) {
    topic = rclcpp::expand_topic_or_service_name(topic, node.get_name(), node.get_namespace());
  }
  selection.topic_types = texts("record.topic_types");
  selection.services = texts("record.services");
  selection.regex = text("record.regex");
  selection.exclude_topics = texts("record.exclude_topics");
  selection.exclude_topic_types = texts("record.exclude_topic_types");
  selection.exclude_services = texts("record.exclude_services");
  selection.exclude_regex = text("record.exclude_regex");
  selection.include_hidden_topics = flag("record.include_hidden_topics");
  options.is_discovery_disabled = flag("record.is_discovery_disabled");
  options.include_unpublished_topics = flag("record.include_unpublished_topics");
  options.ignore_leaf_topics = flag("record.ignore_leaf_topics");
  options.start_paused = flag("record.start_paused");
  options.disable_keyboard_controls = flag("record.disable_keyboard_controls");
  options.polling_interval = std::chrono::seconds(number("record.topic_polling_interval.sec", 0)) +
                             std::chrono::nanoseconds(number("record.topic_polling_interval.nsec", 100'000'000));
  if (options.polling_interval <= std::chrono::nanoseconds::zero()) {
    throw BagError("record.topic_polling_interval must be positive");
  }
  const std::string overrides = text("record.qos_profile_overrides_path");
  if (!overrides.empty()) { options.qos_overrides = read_qos_overrides(overrides); }
  if (text("record.rmw_serialization_format", "cdr") != "cdr") {
    throw BagError("record.rmw_serialization_format: only 'cdr' can be recorded");
  }

  const std::string mode = text("record.compression_mode", "none");
  if (mode == "message") {
    throw BagError(
      "MCAP storage does not support message compression; compress its chunks with "
      "the storage preset profile zstd_fast, or use the compression mode 'file'");
  }
  if (mode != "none" && !mode.empty() && mode != "file") {
    throw BagError("record.compression_mode: '" + mode + "' is none of none, file and message");
  }
  options.bag.compress_file = mode == "file";
  const std::string format = text("record.compression_format");
  if (!format.empty() && format != "zstd") {
    throw BagError("record.compression_format: '" + format + "' is not there; there is zstd");
  }

  const std::string uri = text("storage.uri");
  options.bag.folder = uri.empty() ? default_folder() : uri;
  if (text("storage.storage_id", "mcap") != "mcap") {
    throw BagError("storage.storage_id: only mcap can be recorded (sqlite3 can be played)");
  }
  const std::int64_t cache = number("storage.max_cache_size", 100 * 1024 * 1024);
  if (cache < 0) { throw BagError("storage.max_cache_size must not be negative"); }
  options.bag.max_cache_size = static_cast<std::size_t>(cache);
  options.bag.mcap = mcap_preset(text("storage.storage_preset_profile"));
  for (const auto & pair : texts("storage.custom_data")) {
    const auto equals = pair.find('=');
    if (equals == std::string::npos) {
      throw BagError("storage.custom_data: '" + pair + "' is not of the form key=value");
    }
    options.bag.custom_data[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  const char * distro = std::getenv("ROS_DISTRO");
  options.bag.ros_distro = distro ? distro : "";
  return options;
}

}  // namespace rosbag2_transport::detail
