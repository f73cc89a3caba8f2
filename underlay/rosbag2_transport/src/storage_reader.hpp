// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bag_metadata.hpp"

namespace rosbag2_transport::detail {

struct StoredMessage {
  std::size_t topic = 0;                        // index into the reader's topics
  std::int64_t log_time = 0, publish_time = 0;  // [ns since 1970]
  std::uint32_t sequence = 0;
  std::string_view data;
  std::shared_ptr<const void> owner;  // keeps the data
};

/// One file of a bag, read in the order of the time stamps.
class StorageReader {
public:
  virtual ~StorageReader() = default;

  /// The topics with what the file knows of their number of messages.
  const std::vector<TopicCount> & topics() const { return topics_; }
  std::int64_t start_time() const { return start_time_; }
  std::int64_t end_time() const { return end_time_; }
  const std::string & ros_distro() const { return ros_distro_; }
  /// What is wrong with the file, although some of it can be read; else empty.
  const std::string & problem() const { return problem_; }

  /// Goes to the first message at or after `time` [ns].
  virtual void seek(std::int64_t time) = 0;
  virtual std::optional<StoredMessage> next() = 0;

protected:
  std::vector<TopicCount> topics_;
  std::int64_t start_time_ = INT64_MAX, end_time_ = 0;
  std::string ros_distro_, problem_;
};

/// Both throw BagError where the file is none of their kind or nothing of it can be read.
std::unique_ptr<StorageReader> open_mcap(const std::filesystem::path & file);
std::unique_ptr<StorageReader> open_sqlite(const std::filesystem::path & file);

}  // namespace rosbag2_transport::detail
