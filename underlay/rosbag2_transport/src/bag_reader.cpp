// SPDX-License-Identifier: BSD-3-Clause
#include "bag_reader.hpp"

#include <strings.h>

#include <algorithm>

#include "bytes.hpp"
#include "compression.hpp"

namespace rosbag2_transport::detail {

namespace fs = std::filesystem;

namespace {

/// "mcap", "sqlite3" or nothing, from a name such as a_0.mcap.zstd.
std::string storage_of(fs::path file) {
  if (file.extension() == ".zstd") { file = file.stem(); }
  if (file.extension() == ".mcap") { return "mcap"; }
  return file.extension() == ".db3" ? "sqlite3" : "";
}

}  // namespace

BagReader::BagReader(const fs::path & bag, const std::string & storage_id) {
  if (!fs::exists(bag)) { throw BagError("Bag path '" + bag.string() + "' does not exist!"); }
  if (!storage_id.empty()) { metadata_.storage_identifier = storage_id; }
  const bool described = fs::is_directory(bag) && fs::exists(bag / kMetadataFile);
  bool usable = described;
  if (described) {
    try {
      metadata_ = read_metadata(bag / kMetadataFile);
      folder_ = bag;
    } catch (const BagError & error) {
      problems_.push_back(error.what());
      usable = false;
    }
  }
  if (!usable) { find_files(bag); }
  std::vector<FileMetadata> found;
  for (const auto & file : metadata_.files) {
    const fs::path path = folder_ / file.path;
    try {
      files_.push_back({open(path), {}});
      size_ += fs::file_size(path);
      found.push_back(file);
    } catch (const std::exception & error) {
      problems_.push_back(error.what());
      continue;
    }
    if (!files_.back().reader->problem().empty()) {
      problems_.push_back(
        "'" + path.string() + "' is damaged: " + files_.back().reader->problem() + "; what is there is used");
    }
  }
  if (files_.empty()) {
    throw BagError(
      "No plugin detected that could open file " + bag.string() + (problems_.empty() ? "" : ": " + problems_.front()));
  }
  if (usable && problems_.empty()) {
    for (auto & file : files_) {
      for (const auto & topic : file.reader->topics()) { file.topic_of.push_back(topic_index(topic.topic)); }
    }
  } else {
    if (!described && fs::is_directory(bag)) {
      problems_.push_back("there is no metadata.yaml; the files were read instead");
    }
    metadata_.files = found;
    describe_from_files();
  }
}

std::unique_ptr<StorageReader> BagReader::open(const fs::path & file) const {
  const std::string by_name = storage_of(file);
  return (by_name.empty() ? metadata_.storage_identifier : by_name) == "sqlite3" ? open_sqlite(file) : open_mcap(file);
}

void BagReader::find_files(const fs::path & bag) {
  std::vector<std::string> names;
  if (fs::is_directory(bag)) {
    folder_ = bag;
    for (const auto & entry : fs::directory_iterator(bag)) {
      if (!storage_of(entry.path()).empty()) { names.push_back(entry.path().filename()); }
    }
  } else {
    folder_ = bag.parent_path();
    names.push_back(bag.filename());
  }
  // name_2 comes before name_10.
  std::sort(names.begin(), names.end(),
    [](const std::string & a, const std::string & b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
  for (const auto & name : names) { metadata_.files.push_back({name, 0, 0, 0}); }
  if (!names.empty() && !storage_of(names.front()).empty()) {
    metadata_.storage_identifier = storage_of(names.front());
  }
}

void BagReader::describe_from_files() {
  metadata_.topics.clear();
  metadata_.message_count = 0;
  metadata_.starting_time = INT64_MAX;
  std::int64_t end = 0;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    File & file = files_[i];
    FileMetadata & described = metadata_.files[i];
    described.message_count = 0;
    for (const auto & topic : file.reader->topics()) {
      const std::size_t index = topic_index(topic.topic);
      file.topic_of.push_back(index);
      metadata_.topics[index].message_count += topic.message_count;
      described.message_count += topic.message_count;
    }
    metadata_.message_count += described.message_count;
    if (metadata_.ros_distro.empty()) { metadata_.ros_distro = file.reader->ros_distro(); }
    if (described.message_count == 0) { continue; }
    described.starting_time = file.reader->start_time();
    described.duration = file.reader->end_time() - described.starting_time;
    metadata_.starting_time = std::min(metadata_.starting_time, described.starting_time);
    end = std::max(end, file.reader->end_time());
  }
  if (metadata_.message_count == 0) { metadata_.starting_time = 0; }
  metadata_.duration = std::max<std::int64_t>(end - metadata_.starting_time, 0);
}

std::size_t BagReader::topic_index(const TopicMetadata & topic) {
  const auto known = std::find_if(metadata_.topics.begin(), metadata_.topics.end(),
    [&](const TopicCount & counted) { return counted.topic.name == topic.name; });
  if (known != metadata_.topics.end()) { return static_cast<std::size_t>(known - metadata_.topics.begin()); }
  metadata_.topics.push_back({topic, 0});
  return metadata_.topics.size() - 1;
}

void BagReader::seek(std::int64_t time) {
  from_ = time;
  current_ = 0;
  files_.front().reader->seek(from_);
}

std::optional<StoredMessage> BagReader::next() {
  while (current_ < files_.size()) {
    File & file = files_[current_];
    if (auto message = file.reader->next()) {
      message->topic = file.topic_of[message->topic];
      // Writers differ in the case of the word.
      if (::strcasecmp(metadata_.compression_mode.c_str(), "message") == 0) {
        const auto bytes = std::make_shared<Bytes>(decompress_zstd(message->data));
        message->data = *bytes;
        message->owner = bytes;
      }
      return message;
    }
    if (++current_ < files_.size()) { files_[current_].reader->seek(from_); }
  }
  return std::nullopt;
}

}  // namespace rosbag2_transport::detail
