// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bag_metadata.hpp"
#include "mcap_writer.hpp"

namespace rosbag2_transport::detail {

struct BagOptions {
  std::filesystem::path folder;
  std::size_t max_cache_size = 100 * 1024 * 1024;  // of each of the two buffers [bytes]; 0: none
  McapOptions mcap;
  bool compress_file = false;
  std::map<std::string, std::string> custom_data;
  std::string ros_distro;
};

/// The text that explains a type to whoever opens the bag without it.
struct MessageDefinition {
  std::string encoding, text;
};

struct RecordedMessage {
  std::size_t topic = 0;
  std::int64_t log_time = 0, publish_time = 0;  // [ns since 1970]
  std::uint32_t sequence = 0;
  std::string_view data;
  std::shared_ptr<const void> owner;  // keeps the data
};

/// What became of the messages, known once the bag is closed.
struct WriteReport {
  std::uint64_t written = 0;
  /// Per topic, messages that the writer was given and that are not in the bag.
  std::map<std::string, std::uint64_t> dropped;
  std::string error;  // empty: all went well
};

/// A rosbag2 folder being written by a thread of its own.
///
/// `write` only appends to a buffer under a short lock; the thread takes the whole buffer at once.
/// A full buffer drops messages and counts them; it never makes the caller wait.
class BagWriter {
public:
  /// Creates the folder; throws BagError where it exists or cannot be made.
  explicit BagWriter(BagOptions options);
  ~BagWriter();

  std::size_t add_topic(TopicMetadata topic, MessageDefinition definition);
  void write(RecordedMessage message);
  /// Why nothing more is written, as a full disk; empty while all is well.
  std::string error() const;
  /// Writes what is left and closes the bag as well as possible.
  WriteReport close();

private:
  struct Topic {
    TopicMetadata metadata;
    MessageDefinition definition;
  };

  void run();
  void write_batch(const std::vector<RecordedMessage> & batch);
  void make_channels();
  void finish_file();
  BagMetadata describe() const;
  void write_metadata_file(const BagMetadata & metadata) const;
  void set_error(const std::string & text);

  const BagOptions options_;
  std::string file_name_;
  mutable std::mutex mutex_;  // guards the six below
  std::condition_variable wake_;
  std::vector<Topic> topics_;
  std::vector<RecordedMessage> cache_;
  std::size_t cached_bytes_ = 0;
  std::vector<std::uint64_t> given_;  // per topic
  bool stopping_ = false;
  std::string error_;

  // Of the writer's thread; of close() once that has ended.
  std::mutex file_mutex_;
  std::unique_ptr<McapWriter> file_;
  std::vector<std::uint16_t> channel_of_topic_;
  std::thread thread_;
};

}  // namespace rosbag2_transport::detail
