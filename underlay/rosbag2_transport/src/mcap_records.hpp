// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "bytes.hpp"

/// The records of an MCAP file (https://mcap.dev/spec): what both writer and reader know.
namespace rosbag2_transport::detail::mcap {

inline constexpr std::string_view kMagic{"\x89MCAP0\r\n", 8};

enum class Op : std::uint8_t {
  kHeader = 0x01,
  kFooter = 0x02,
  kSchema = 0x03,
  kChannel = 0x04,
  kMessage = 0x05,
  kChunk = 0x06,
  kMessageIndex = 0x07,
  kChunkIndex = 0x08,
  kStatistics = 0x0B,
  kMetadata = 0x0C,
  kMetadataIndex = 0x0D,
  kSummaryOffset = 0x0E,
  kDataEnd = 0x0F,
};

/// Bytes of a record before its content: operation and length.
inline constexpr std::size_t kRecordHead = 1 + 8;
/// Bytes of a message's content before its data.
inline constexpr std::size_t kMessageHead = 2 + 4 + 8 + 8;
inline constexpr std::size_t kFooterLength = 8 + 8 + 4;

using TextMap = std::map<std::string, std::string>;

struct Schema {
  std::uint16_t id = 0;
  std::string name, encoding, text;
};

struct Channel {
  std::uint16_t id = 0, schema_id = 0;
  std::string topic, message_encoding;
  TextMap metadata;
};

struct ChunkIndex {
  std::uint64_t start_time = 0, end_time = 0;  // [ns]
  std::uint64_t offset = 0, length = 0;        // of the chunk record in the file
  std::map<std::uint16_t, std::uint64_t> message_index_offsets;
  std::uint64_t message_index_length = 0;
  std::string compression;
  std::uint64_t compressed_size = 0, uncompressed_size = 0;
};

struct Record {
  Op op;
  std::string_view content;
};

inline void put_record(Bytes & out, Op op, std::string_view content) {
  put(out, op);
  put(out, static_cast<std::uint64_t>(content.size()));
  out.append(content);
}

/// The next record; none at the end, and none where the bytes end within a record.
inline std::optional<Record> next_record(Cursor & from) {
  if (from.rest().size() < kRecordHead) { return std::nullopt; }
  Cursor ahead = from;
  const auto op = static_cast<Op>(ahead.get<std::uint8_t>());
  const auto length = ahead.get<std::uint64_t>();
  if (length > ahead.rest().size()) { return std::nullopt; }
  const std::string_view content = ahead.take(length);
  from = ahead;
  return Record{op, content};
}

Bytes encode(const Schema & schema);
Bytes encode(const Channel & channel);
Bytes encode(const ChunkIndex & index);
Bytes encode_metadata(std::string_view name, const TextMap & entries);
Schema decode_schema(std::string_view content);
Channel decode_channel(std::string_view content);
ChunkIndex decode_chunk_index(std::string_view content);

}  // namespace rosbag2_transport::detail::mcap
