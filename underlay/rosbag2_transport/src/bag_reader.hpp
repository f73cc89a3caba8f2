// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bag_metadata.hpp"
#include "storage_reader.hpp"

namespace rosbag2_transport::detail {

/// A bag: a folder with metadata.yaml, a folder whose metadata was never written, or a single file.
class BagReader {
public:
  /// \param storage_id "mcap", "sqlite3", or empty to find out; throws BagError
  BagReader(const std::filesystem::path & bag, const std::string & storage_id);

  /// What metadata.yaml says; of a damaged bag, what can be read.
  const BagMetadata & metadata() const { return metadata_; }
  std::uint64_t size() const { return size_; }  // of all files [bytes]
  /// One text for each thing that is wrong with the bag.
  const std::vector<std::string> & problems() const { return problems_; }

  void seek(std::int64_t time);
  /// The next message; its topic is an index into the metadata's topics.
  std::optional<StoredMessage> next();

private:
  std::unique_ptr<StorageReader> open(const std::filesystem::path & file) const;
  void find_files(const std::filesystem::path & bag);
  void describe_from_files();
  std::size_t topic_index(const TopicMetadata & topic);

  struct File {
    std::unique_ptr<StorageReader> reader;
    std::vector<std::size_t> topic_of;  // reader's topic -> ours
  };

  std::filesystem::path folder_;
  BagMetadata metadata_;
  std::vector<File> files_;
  std::vector<std::string> problems_;
  std::uint64_t size_ = 0;
  std::size_t current_ = 0;
  std::int64_t from_ = 0;
};

}  // namespace rosbag2_transport::detail
