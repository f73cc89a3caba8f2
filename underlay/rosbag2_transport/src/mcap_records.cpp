// SPDX-License-Identifier: BSD-3-Clause
#include "mcap_records.hpp"

namespace rosbag2_transport::detail::mcap {

namespace {

Bytes map_of(const TextMap & entries) {
  Bytes body;
  for (const auto & [key, value] : entries) { put_fields(body, key, value); }
  return body;
}

}  // namespace

Bytes encode(const Schema & schema) { return fields_of(schema.id, schema.name, schema.encoding, schema.text); }

Bytes encode(const Channel & channel) {
  return fields_of(channel.id, channel.schema_id, channel.topic, channel.message_encoding, map_of(channel.metadata));
}

Bytes encode(const ChunkIndex & index) {
  Bytes offsets;
  for (const auto & [channel, offset] : index.message_index_offsets) { put_fields(offsets, channel, offset); }
  return fields_of(index.start_time, index.end_time, index.offset, index.length, offsets, index.message_index_length,
    index.compression, index.compressed_size, index.uncompressed_size);
}

Bytes encode_metadata(std::string_view name, const TextMap & entries) { return fields_of(name, map_of(entries)); }

Schema decode_schema(std::string_view content) {
  Cursor in(content);
  Schema schema;
  schema.id = in.get<std::uint16_t>();
  schema.name = in.text();
  schema.encoding = in.text();
  schema.text = in.text();
  return schema;
}

Channel decode_channel(std::string_view content) {
  Cursor in(content);
  Channel channel;
  channel.id = in.get<std::uint16_t>();
  channel.schema_id = in.get<std::uint16_t>();
  channel.topic = in.text();
  channel.message_encoding = in.text();
  Cursor entries(in.text());
  while (!entries.empty()) {
    std::string key(entries.text());
    channel.metadata[key] = entries.text();
  }
  return channel;
}

ChunkIndex decode_chunk_index(std::string_view content) {
  Cursor in(content);
  ChunkIndex index;
  index.start_time = in.get<std::uint64_t>();
  index.end_time = in.get<std::uint64_t>();
  index.offset = in.get<std::uint64_t>();
  index.length = in.get<std::uint64_t>();
  Cursor offsets(in.text());
  while (!offsets.empty()) {
    const auto channel = offsets.get<std::uint16_t>();
    index.message_index_offsets[channel] = offsets.get<std::uint64_t>();
  }
  index.message_index_length = in.get<std::uint64_t>();
  index.compression = in.text();
  index.compressed_size = in.get<std::uint64_t>();
  index.uncompressed_size = in.get<std::uint64_t>();
  return index;
}

}  // namespace rosbag2_transport::detail::mcap
