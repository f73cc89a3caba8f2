// SPDX-License-Identifier: BSD-3-Clause
#include "bag_text.hpp"

#include <cstdio>
#include <ctime>

#include "topic_filter.hpp"

namespace rosbag2_transport::detail {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

template <typename... ArgumentT> std::string format(const char * pattern, ArgumentT... arguments) {
  char text[128];
  std::snprintf(text, sizeof text, pattern, arguments...);
  return text;
}

std::string seconds(std::int64_t time) {
  return format("%ld.%09ld", static_cast<long>(time / kSecond), static_cast<long>(time % kSecond));
}

std::string time_point(std::int64_t time) {
  const std::time_t whole = time / kSecond;
  std::tm local{};
  localtime_r(&whole, &local);
  char date[64];
  std::strftime(date, sizeof date, "%b %e %Y %H:%M:%S", &local);
  return format("%s.%09ld (%s)", date, static_cast<long>(time % kSecond), seconds(time).c_str());
}

std::string file_size(std::uint64_t bytes) {
  const char * const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto size = static_cast<double>(bytes);
  int unit = 0;
  for (; size >= 1024.0 && unit < 4; ++unit) { size /= 1024.0; }
  return format(unit == 0 ? "%.0f %s" : "%.1f %s", size, units[unit]);
}

/// Lines one below the other, behind a title of that width.
class Column {
public:
  explicit Column(std::size_t indent) : indent_(indent) {}
  void add(const std::string & line) { text_ += (text_.empty() ? "" : std::string(indent_, ' ')) + line + "\n"; }
  std::string text() const { return text_.empty() ? "\n" : text_; }

private:
  std::size_t indent_;
  std::string text_;
};

}  // namespace

std::string describe_bag(const BagMetadata & metadata, std::uint64_t size, const ServiceCalls & calls) {
  constexpr std::size_t kIndent = 19;
  Column files(kIndent), topics(kIndent), services(kIndent + 2);
  for (const auto & file : metadata.files) { files.add(file.path); }
  std::uint64_t service_events = 0, service_count = 0;
  for (const auto & [topic, count] : metadata.topics) {
    const std::string format = " | Serialization Format: " + topic.serialization_format;
    if (is_service_event_topic(topic.name, topic.type)) {
      service_events += count;
      ++service_count;
      const std::string type = topic.type.substr(0, topic.type.size() - std::string("_Event").size());
      const auto called = calls.find(topic.name);
      services.add("Service: " + service_of_event_topic(topic.name) + " | Type: " + type +
                   (called == calls.end() ? " | Event Count: " + std::to_string(count)
                                          : " | Request Count: " + std::to_string(called->second.first) +
                                              " | Response Count: " + std::to_string(called->second.second)) +
                   format);
    } else {
      topics.add("Topic: " + topic.name + " | Type: " + topic.type + " | Count: " + std::to_string(count) + format);
    }
  }
  std::string text = "\nFiles:             " + files.text();
  text += "Bag size:          " + file_size(size) + "\n";
  text += "Storage id:        " + metadata.storage_identifier + "\n";
  text += "ROS Distro:        " + (metadata.ros_distro.empty() ? "unknown" : metadata.ros_distro) + "\n";
  text += "Duration:          " + seconds(metadata.duration) + "s\n";
  text += "Start:             " + time_point(metadata.starting_time) + "\n";
  text += "End:               " + time_point(metadata.starting_time + metadata.duration) + "\n";
  text += "Messages:          " + std::to_string(metadata.message_count - service_events) + "\n";
  text += "Topic information: " + topics.text();
  text += "Service:           " + std::to_string(service_count) + "\n";
  text += "Service information: " + (service_count > 0 ? services.text() : "\n");
  return text;
}

}  // namespace rosbag2_transport::detail
