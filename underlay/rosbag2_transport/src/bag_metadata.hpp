// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "rmw/types.h"

namespace rosbag2_transport::detail {

struct TopicMetadata {
  std::string name, type;
  std::string serialization_format = "cdr";
  std::vector<rmw_qos_profile_t> offered_qos_profiles;
  std::string type_description_hash;
};

struct TopicCount {
  TopicMetadata topic;
  std::uint64_t message_count = 0;
};

struct FileMetadata {
  std::string path;                              // relative to the bag's folder
  std::int64_t starting_time = 0, duration = 0;  // [ns]
  std::uint64_t message_count = 0;
};

/// What the file metadata.yaml of a bag says.
struct BagMetadata {
  std::string storage_identifier = "mcap";
  std::int64_t duration = 0;               // [ns]
  std::int64_t starting_time = INT64_MAX;  // [ns since 1970]
  std::uint64_t message_count = 0;
  std::vector<TopicCount> topics;
  std::string compression_format, compression_mode;  // "zstd", and "FILE" or "MESSAGE"
  std::vector<FileMetadata> files;
  std::map<std::string, std::string> custom_data;
  std::string ros_distro;
};

inline constexpr const char * kMetadataFile = "metadata.yaml";

/// The text of metadata.yaml as Jazzy writes it (version 9).
std::string to_yaml(const BagMetadata & metadata);
/// Reads versions 2 to 9; throws BagError that names the file.
BagMetadata read_metadata(const std::filesystem::path & file);

/// Profiles as a YAML list, the form of the channels of an MCAP file.
std::string qos_to_yaml(const std::vector<rmw_qos_profile_t> & profiles);
/// Reads policies by name (Jazzy) or by number (before); empty where the text is no such list.
std::vector<rmw_qos_profile_t> qos_from_yaml(const std::string & text);
/// Reads a file of QoS profiles by topic, as `--qos-profile-overrides-path` takes.
std::map<std::string, rmw_qos_profile_t> read_qos_overrides(const std::string & file);

}  // namespace rosbag2_transport::detail
