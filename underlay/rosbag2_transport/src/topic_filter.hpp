// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace rosbag2_transport::detail {

/// Which topics are recorded or played. Services are the topics `<service>/_service_event`.
struct TopicSelection {
  bool all_topics = false, all_services = false;
  std::vector<std::string> topics, topic_types, services;
  std::string regex;
  std::vector<std::string> exclude_topics, exclude_topic_types, exclude_services;
  std::string exclude_regex;
  bool include_hidden_topics = false;
};

bool is_service_event_topic(const std::string & topic, const std::string & type);
/// "/add" of "/add/_service_event".
std::string service_of_event_topic(const std::string & topic);
bool is_hidden_topic(const std::string & topic);

class TopicFilter {
public:
  /// Throws BagError where a regular expression is none.
  explicit TopicFilter(TopicSelection selection);
  bool takes(const std::string & topic, const std::string & type) const;

private:
  bool excluded(const std::string & name) const;

  TopicSelection selection_;
  std::optional<std::regex> regex_, exclude_regex_;
};

}  // namespace rosbag2_transport::detail
