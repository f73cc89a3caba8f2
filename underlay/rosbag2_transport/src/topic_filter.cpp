// SPDX-License-Identifier: BSD-3-Clause
#include "topic_filter.hpp"

#include <algorithm>
#include <string_view>

#include "bytes.hpp"

namespace rosbag2_transport::detail {

namespace {

constexpr std::string_view kServiceEvent = "/_service_event";

bool contains(const std::vector<std::string> & list, const std::string & name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

std::optional<std::regex> compile(const std::string & text) {
  if (text.empty()) { return std::nullopt; }
  try {
    return std::regex(text);
  } catch (const std::regex_error & error) {
    throw BagError("'" + text + "' is no regular expression: " + error.what());
  }
}

}  // namespace

bool is_service_event_topic(const std::string & topic, const std::string & type) {
  return topic.ends_with(kServiceEvent) && type.find("/srv/") != std::string::npos && type.ends_with("_Event");
}

std::string service_of_event_topic(const std::string & topic) {
  return topic.substr(0, topic.size() - kServiceEvent.size());
}

bool is_hidden_topic(const std::string & topic) {
  return topic.starts_with('_') || topic.find("/_") != std::string::npos;
}

TopicFilter::TopicFilter(TopicSelection selection)
: selection_(std::move(selection)),
  regex_(compile(selection_.regex)),
  exclude_regex_(compile(selection_.exclude_regex)) {}

bool TopicFilter::excluded(const std::string & name) const {
  return exclude_regex_ && std::regex_search(name, *exclude_regex_);
}

bool TopicFilter::takes(const std::string & topic, const std::string & type) const {
  const TopicSelection & chosen = selection_;
  if (is_service_event_topic(topic, type)) {
    const std::string service = service_of_event_topic(topic);
    const bool wanted =
      chosen.all_services || contains(chosen.services, topic) || (regex_ && std::regex_search(service, *regex_));
    return wanted && !contains(chosen.exclude_services, topic) && !excluded(service);
  }
  const bool wanted = chosen.all_topics || contains(chosen.topics, topic) || contains(chosen.topic_types, type) ||
                      (regex_ && std::regex_search(topic, *regex_));
  return wanted && !contains(chosen.exclude_topic_types, type) && !contains(chosen.exclude_topics, topic) &&
         !excluded(topic) && (chosen.include_hidden_topics || !is_hidden_topic(topic));
}

}  // namespace rosbag2_transport::detail
