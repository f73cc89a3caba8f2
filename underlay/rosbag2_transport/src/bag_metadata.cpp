// SPDX-License-Identifier: BSD-3-Clause
#include "bag_metadata.hpp"

#include <yaml-cpp/yaml.h>

#include <set>

#include "bytes.hpp"
#include "rmw/qos_profiles.h"
#include "rmw/qos_string_conversions.h"

namespace rosbag2_transport::detail {

namespace {

const char * name_or_unknown(const char * name) { return name ? name : "unknown"; }

YAML::Node time_node(const rmw_time_t & time) {
  YAML::Node node;
  node["sec"] = time.sec;
  node["nsec"] = time.nsec;
  return node;
}

YAML::Node qos_node(const rmw_qos_profile_t & qos) {
  YAML::Node node;
  node["history"] = name_or_unknown(rmw_qos_history_policy_to_str(qos.history));
  node["depth"] = qos.depth;
  node["reliability"] = name_or_unknown(rmw_qos_reliability_policy_to_str(qos.reliability));
  node["durability"] = name_or_unknown(rmw_qos_durability_policy_to_str(qos.durability));
  node["deadline"] = time_node(qos.deadline);
  node["lifespan"] = time_node(qos.lifespan);
  node["liveliness"] = name_or_unknown(rmw_qos_liveliness_policy_to_str(qos.liveliness));
  node["liveliness_lease_duration"] = time_node(qos.liveliness_lease_duration);
  node["avoid_ros_namespace_conventions"] = qos.avoid_ros_namespace_conventions;
  return node;
}

/// A policy by its name, or by its number as bags before Jazzy have it.
template <typename PolicyT> void read_policy(
  const YAML::Node & node, const char * key, PolicyT (*from_name)(const char *), PolicyT unknown, PolicyT & policy) {
  if (!node[key]) { return; }
  const auto text = node[key].as<std::string>();
  if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos) {
    policy = static_cast<PolicyT>(std::stoi(text));
    return;
  }
  policy = from_name(text.c_str());
  if (policy == unknown && text != "unknown") {
    throw BagError("'" + text + "' is no value of the QoS policy '" + key + "'");
  }
}

void read_time(const YAML::Node & node, rmw_time_t & time) {
  if (!node) { return; }
  time.sec = node["sec"].as<std::uint64_t>(0);
  time.nsec = node["nsec"].as<std::uint64_t>(0);
}

rmw_qos_profile_t qos_from_node(const YAML::Node & node) {
  if (!node.IsMap()) { throw BagError("a QoS profile must be a map of policies"); }
  static const std::set<std::string> known{"history", "depth", "reliability", "durability", "deadline", "lifespan",
    "liveliness", "liveliness_lease_duration", "avoid_ros_namespace_conventions"};
  for (const auto & entry : node) {
    const auto key = entry.first.as<std::string>();
    if (!known.count(key)) { throw BagError("unknown QoS policy '" + key + "'"); }
  }
  rmw_qos_profile_t qos = rmw_qos_profile_default;
  read_policy(node, "history", rmw_qos_history_policy_from_str, RMW_QOS_POLICY_HISTORY_UNKNOWN, qos.history);
  read_policy(
    node, "reliability", rmw_qos_reliability_policy_from_str, RMW_QOS_POLICY_RELIABILITY_UNKNOWN, qos.reliability);
  read_policy(
    node, "durability", rmw_qos_durability_policy_from_str, RMW_QOS_POLICY_DURABILITY_UNKNOWN, qos.durability);
  read_policy(
    node, "liveliness", rmw_qos_liveliness_policy_from_str, RMW_QOS_POLICY_LIVELINESS_UNKNOWN, qos.liveliness);
  qos.depth = node["depth"].as<std::size_t>(qos.depth);
  read_time(node["deadline"], qos.deadline);
  read_time(node["lifespan"], qos.lifespan);
  read_time(node["liveliness_lease_duration"], qos.liveliness_lease_duration);
  qos.avoid_ros_namespace_conventions = node["avoid_ros_namespace_conventions"].as<bool>(false);
  return qos;
}

std::vector<rmw_qos_profile_t> qos_list(const YAML::Node & list) {
  std::vector<rmw_qos_profile_t> profiles;
  for (const auto & node : list) { profiles.push_back(qos_from_node(node)); }
  return profiles;
}

YAML::Node qos_list_node(const std::vector<rmw_qos_profile_t> & profiles) {
  YAML::Node list(YAML::NodeType::Sequence);
  for (const auto & qos : profiles) { list.push_back(qos_node(qos)); }
  return list;
}

YAML::Node topic_node(const TopicCount & counted) {
  YAML::Node node;
  YAML::Node topic = node["topic_metadata"];
  topic["name"] = counted.topic.name;
  topic["type"] = counted.topic.type;
  topic["serialization_format"] = counted.topic.serialization_format;
  topic["offered_qos_profiles"] = qos_list_node(counted.topic.offered_qos_profiles);
  topic["type_description_hash"] = counted.topic.type_description_hash;
  node["message_count"] = counted.message_count;
  return node;
}

TopicCount topic_from_node(const YAML::Node & node) {
  const YAML::Node topic = node["topic_metadata"];
  TopicCount counted;
  counted.topic.name = topic["name"].as<std::string>();
  counted.topic.type = topic["type"].as<std::string>();
  counted.topic.serialization_format = topic["serialization_format"].as<std::string>("cdr");
  counted.topic.type_description_hash = topic["type_description_hash"].as<std::string>("");
  const YAML::Node qos = topic["offered_qos_profiles"];
  // A list since version 9, before that a text that holds the list.
  counted.topic.offered_qos_profiles = qos && qos.IsSequence() ? qos_list(qos) : qos_from_yaml(qos.as<std::string>(""));
  counted.message_count = node["message_count"].as<std::uint64_t>();
  return counted;
}

}  // namespace

std::string to_yaml(const BagMetadata & metadata) {
  YAML::Node root;
  YAML::Node info = root["rosbag2_bagfile_information"];
  info["version"] = 9;
  info["storage_identifier"] = metadata.storage_identifier;
  info["duration"]["nanoseconds"] = metadata.duration;
  info["starting_time"]["nanoseconds_since_epoch"] = metadata.starting_time;
  info["message_count"] = metadata.message_count;
  YAML::Node topics(YAML::NodeType::Sequence);
  for (const auto & topic : metadata.topics) { topics.push_back(topic_node(topic)); }
  info["topics_with_message_count"] = topics;
  info["compression_format"] = metadata.compression_format;
  info["compression_mode"] = metadata.compression_mode;
  YAML::Node paths(YAML::NodeType::Sequence), files(YAML::NodeType::Sequence);
  for (const auto & file : metadata.files) {
    paths.push_back(file.path);
    YAML::Node node;
    node["path"] = file.path;
    node["starting_time"]["nanoseconds_since_epoch"] = file.starting_time;
    node["duration"]["nanoseconds"] = file.duration;
    node["message_count"] = file.message_count;
    files.push_back(node);
  }
  info["relative_file_paths"] = paths;
  info["files"] = files;
  info["custom_data"] = YAML::Node(YAML::NodeType::Null);
  for (const auto & [key, value] : metadata.custom_data) { info["custom_data"][key] = value; }
  info["ros_distro"] = metadata.ros_distro;
  YAML::Emitter out;
  out << root;
  return std::string(out.c_str()) + "\n";
}

BagMetadata read_metadata(const std::filesystem::path & file) {
  try {
    const YAML::Node info = YAML::LoadFile(file.string())["rosbag2_bagfile_information"];
    if (!info) { throw BagError("there is no 'rosbag2_bagfile_information'"); }
    BagMetadata metadata;
    metadata.storage_identifier = info["storage_identifier"].as<std::string>();
    metadata.duration = info["duration"]["nanoseconds"].as<std::int64_t>();
    metadata.starting_time = info["starting_time"]["nanoseconds_since_epoch"].as<std::int64_t>();
    metadata.message_count = info["message_count"].as<std::uint64_t>();
    for (const auto & node : info["topics_with_message_count"]) { metadata.topics.push_back(topic_from_node(node)); }
    metadata.compression_format = info["compression_format"].as<std::string>("");
    metadata.compression_mode = info["compression_mode"].as<std::string>("");
    for (const auto & path : info["relative_file_paths"]) {
      metadata.files.push_back({path.as<std::string>(), 0, 0, 0});
    }
    const YAML::Node files = info["files"];
    for (std::size_t i = 0; files && i < files.size() && i < metadata.files.size(); ++i) {
      metadata.files[i].starting_time = files[i]["starting_time"]["nanoseconds_since_epoch"].as<std::int64_t>();
      metadata.files[i].duration = files[i]["duration"]["nanoseconds"].as<std::int64_t>();
      metadata.files[i].message_count = files[i]["message_count"].as<std::uint64_t>();
    }
    if (info["custom_data"] && info["custom_data"].IsMap()) {
      metadata.custom_data = info["custom_data"].as<std::map<std::string, std::string>>();
    }
    metadata.ros_distro = info["ros_distro"].as<std::string>("");
    return metadata;
  } catch (const std::exception & error) { throw BagError("cannot read '" + file.string() + "': " + error.what()); }
}

std::string qos_to_yaml(const std::vector<rmw_qos_profile_t> & profiles) {
  if (profiles.empty()) { return ""; }
  YAML::Emitter out;
  out << qos_list_node(profiles);
  return out.c_str();
}

std::vector<rmw_qos_profile_t> qos_from_yaml(const std::string & text) {
  try {
    return qos_list(YAML::Load(text));
  } catch (const std::exception &) { return {}; }
}

std::map<std::string, rmw_qos_profile_t> read_qos_overrides(const std::string & file) {
  std::map<std::string, rmw_qos_profile_t> overrides;
  std::string where;
  try {
    const YAML::Node topics = YAML::LoadFile(file);
    if (!topics.IsMap()) { throw BagError("it must be a map from topics to QoS profiles"); }
    for (const auto & entry : topics) {
      const auto topic = entry.first.as<std::string>();
      where = " (topic '" + topic + "')";
      overrides[topic] = qos_from_node(entry.second);
    }
  } catch (const std::exception & error) {
    throw BagError("QoS overrides '" + file + "'" + where + ": " + error.what());
  }
  return overrides;
}

}  // namespace rosbag2_transport::detail
