// SPDX-License-Identifier: BSD-3-Clause
#include "bag_writer.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>

#include "bytes.hpp"
#include "compression.hpp"

namespace rosbag2_transport::detail {

namespace fs = std::filesystem;

namespace {

/// How long messages may wait in a buffer that does not fill up.
constexpr std::chrono::milliseconds kWriteInterval{50};

}  // namespace

BagWriter::BagWriter(BagOptions options) : options_(std::move(options)) {
  fs::path folder = options_.folder;
  if (folder.filename().empty()) { folder = folder.parent_path(); }
  if (fs::exists(folder)) {
    throw BagError("Bag directory already exists (" + folder.string() + "), can't overwrite existing bag");
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) { throw BagError("Failed to create bag directory (" + folder.string() + "): " + error.message()); }
  file_name_ = folder.filename().string() + "_0.mcap";
  file_ = std::make_unique<McapWriter>((folder / file_name_).string(), options_.mcap);
  if (options_.max_cache_size > 0) {
    thread_ = std::thread([this] { run(); });
  }
}

BagWriter::~BagWriter() {
  try {
    close();
  } catch (const std::exception &) {
    // close() has said all it can in its report; a destructor has nobody to tell.
  }
}

std::size_t BagWriter::add_topic(TopicMetadata topic, MessageDefinition definition) {
  const std::lock_guard lock(mutex_);
  topics_.push_back({std::move(topic), std::move(definition)});
  given_.push_back(0);
  return topics_.size() - 1;
}

void BagWriter::write(RecordedMessage message) {
  std::unique_lock lock(mutex_);
  if (stopping_) { return; }  // it came after the end of the recording, and is not lost
  ++given_[message.topic];
  if (!error_.empty()) { return; }
  if (options_.max_cache_size == 0) {
    lock.unlock();
    write_batch({std::move(message)});
    return;
  }
  // One message is always taken, however large.
  if (!cache_.empty() && cached_bytes_ + message.data.size() > options_.max_cache_size) { return; }
  const std::size_t urgent = options_.max_cache_size / 8;
  const bool was_urgent = cached_bytes_ >= urgent;
  cached_bytes_ += message.data.size();
  cache_.push_back(std::move(message));
  const bool wake = !was_urgent && cached_bytes_ >= urgent;
  lock.unlock();
  if (wake) { wake_.notify_one(); }
}

std::string BagWriter::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

void BagWriter::run() {
  std::vector<RecordedMessage> batch;
  bool stopping = false;
  while (!stopping) {
    {
      std::unique_lock lock(mutex_);
      // The writing interval, not each message, wakes the thread: that keeps `write` cheap.
      wake_.wait_for(
        lock, kWriteInterval, [this] { return stopping_ || cached_bytes_ >= options_.max_cache_size / 8; });
      stopping = stopping_;
      batch.swap(cache_);
      cached_bytes_ = 0;
    }
    write_batch(batch);
    batch.clear();
  }
}

void BagWriter::write_batch(const std::vector<RecordedMessage> & batch) {
  if (batch.empty() || !error().empty()) { return; }
  // Without a cache the callers write, and there may be several.
  const std::lock_guard lock(file_mutex_);
  try {
    make_channels();
    for (const auto & message : batch) {
      file_->write(channel_of_topic_[message.topic], message.sequence, static_cast<std::uint64_t>(message.log_time),
        static_cast<std::uint64_t>(message.publish_time), message.data);
    }
  } catch (const BagError & error) { set_error(error.what()); }
}

void BagWriter::make_channels() {
  std::vector<Topic> added;
  {
    const std::lock_guard lock(mutex_);
    added.assign(topics_.begin() + static_cast<std::ptrdiff_t>(channel_of_topic_.size()), topics_.end());
  }
  for (const auto & topic : added) {
    const auto schema = file_->add_schema(topic.metadata.type, topic.definition.encoding, topic.definition.text);
    channel_of_topic_.push_back(file_->add_channel(schema, topic.metadata.name, topic.metadata.serialization_format,
      {{"offered_qos_profiles", qos_to_yaml(topic.metadata.offered_qos_profiles)},
        {"topic_type_hash", topic.metadata.type_description_hash}}));
  }
}

void BagWriter::set_error(const std::string & text) {
  const std::lock_guard lock(mutex_);
  if (error_.empty()) { error_ = text; }
}

WriteReport BagWriter::close() {
  WriteReport report;
  if (!file_) { return report; }
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) { thread_.join(); }
  finish_file();
  BagMetadata metadata = describe();
  file_.reset();
  if (options_.compress_file) {
    try {
      metadata.files[0].path = compress_file(options_.folder / file_name_).filename();
      metadata.compression_format = "zstd";
      metadata.compression_mode = "FILE";
      write_metadata_file(metadata);
    } catch (const BagError & error) { set_error(error.what()); }
  }
  report.written = metadata.message_count;
  for (std::size_t i = 0; i < topics_.size(); ++i) {
    const std::uint64_t missing = given_[i] - metadata.topics[i].message_count;
    if (missing > 0) { report.dropped[topics_[i].metadata.name] = missing; }
  }
  report.error = error_;
  return report;
}

void BagWriter::finish_file() {
  bool retry = true;
  if (error_.empty()) {
    try {
      make_channels();
      file_->flush();
    } catch (const BagError & error) { set_error(error.what()); }
  }
  while (retry) {
    if (!error_.empty()) { file_->give_up_unwritten(); }
    try {
      write_metadata_file(describe());
      file_->finish("rosbag2", {{"serialized_metadata", to_yaml(describe())}});
      retry = false;
    } catch (const BagError & error) {
      set_error(error.what());
      // On a full disk the last chunk makes room for the end of the file.
      retry = file_->drop_last_chunk();
    }
  }
}

BagMetadata BagWriter::describe() const {
  BagMetadata metadata;
  const auto counts = file_->counts();
  for (std::size_t i = 0; i < topics_.size(); ++i) {
    std::uint64_t count = 0;
    if (i < channel_of_topic_.size()) {
      const auto found = counts.find(channel_of_topic_[i]);
      count = found == counts.end() ? 0 : found->second;
    }
    metadata.topics.push_back({topics_[i].metadata, count});
    metadata.message_count += count;
  }
  FileMetadata file{file_name_, INT64_MAX, 0, metadata.message_count};
  if (metadata.message_count > 0) {
    file.starting_time = static_cast<std::int64_t>(file_->start_time());
    file.duration = static_cast<std::int64_t>(file_->end_time() - file_->start_time());
  }
  metadata.starting_time = file.starting_time;
  metadata.duration = file.duration;
  metadata.files.push_back(file);
  metadata.custom_data = options_.custom_data;
  metadata.ros_distro = options_.ros_distro;
  return metadata;
}

void BagWriter::write_metadata_file(const BagMetadata & metadata) const {
  const fs::path path = options_.folder / kMetadataFile;
  std::ofstream out(path);
  out << to_yaml(metadata);
  out.close();
  if (out) { return; }
  const std::string reason = std::strerror(errno);
  std::error_code ignored;
  fs::remove(path, ignored);  // half of it would be worse than none
  throw BagError("cannot write '" + path.string() + "': " + reason);
}

}  // namespace rosbag2_transport::detail
