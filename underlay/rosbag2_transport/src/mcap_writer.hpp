// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "mcap_records.hpp"

namespace rosbag2_transport::detail {

struct McapOptions {
  bool chunked = true;
  std::size_t chunk_size = 768 * 1024;  // of uncompressed records [bytes]
  bool zstd = false;
  int zstd_level = 1;
};

/// The options that stock names "none", "fastwrite", "zstd_fast" and "zstd_small".
McapOptions mcap_preset(const std::string & name);

/// One MCAP file being written, by one thread.
///
/// Schemas and channels stand outside of the chunks, so that a cut file keeps them. Where the disk
/// is full the file is taken back to its last complete record, and BagError is thrown.
class McapWriter {
public:
  using Counts = std::map<std::uint16_t, std::uint64_t>;

  McapWriter(const std::string & path, const McapOptions & options);
  ~McapWriter();
  McapWriter(const McapWriter &) = delete;
  McapWriter & operator=(const McapWriter &) = delete;

  std::uint16_t add_schema(std::string name, std::string encoding, std::string text);
  std::uint16_t add_channel(std::uint16_t schema, std::string topic, std::string encoding, mcap::TextMap metadata);
  void write(std::uint16_t channel, std::uint32_t sequence, std::uint64_t log_time, std::uint64_t publish_time,
    std::string_view data);

  /// Writes out the open chunk.
  void flush();
  /// After a failed write: forgets the open chunk and, while the disk has no room for the end of
  /// the file, the last chunks too. What remains is in `counts()`.
  void give_up_unwritten() { chunk_ = OpenChunk{}; }
  bool drop_last_chunk();
  /// Writes a metadata record, the summary and the footer.
  void finish(std::string_view metadata_name, const mcap::TextMap & metadata);

  /// Messages per channel that are in the file, without those of the open chunk.
  Counts counts() const;
  std::uint64_t start_time() const { return start_time_; }
  std::uint64_t end_time() const { return end_time_; }
  std::uint64_t size() const { return size_; }

private:
  struct IndexEntry {
    std::uint64_t time, offset;
  };
  struct OpenChunk {
    Bytes records;
    std::vector<std::vector<IndexEntry>> index;  // by channel
    std::uint64_t start_time = UINT64_MAX, end_time = 0;
  };
  struct WrittenChunk {
    mcap::ChunkIndex index;
    Counts counts;
  };

  void append(std::initializer_list<std::string_view> parts);
  void append_record(mcap::Op op, std::string_view content);
  void note_time(std::uint64_t log_time);
  Bytes summary(std::uint64_t metadata_offset, std::uint64_t metadata_length, std::string_view metadata_name) const;

  std::string path_;
  McapOptions options_;
  int file_ = -1;
  std::uint64_t size_ = 0;
  std::vector<mcap::Schema> schemas_;
  std::vector<mcap::Channel> channels_;
  OpenChunk chunk_;
  std::vector<WrittenChunk> chunks_;
  Counts loose_counts_;  // of messages outside of chunks
  std::uint64_t start_time_ = UINT64_MAX, end_time_ = 0;
  Bytes compressed_, head_, tail_;  // kept for their memory
};

}  // namespace rosbag2_transport::detail
