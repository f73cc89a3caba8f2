// SPDX-License-Identifier: BSD-3-Clause
#include "mcap_writer.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace rosbag2_transport::detail {

using mcap::Op;

namespace {

std::uint32_t crc(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef *>(bytes.data()), bytes.size()));
}

[[noreturn]] void fail(const std::string & what, const std::string & path) {
  const int error = errno;
  const char * hint =
    error == ENOSPC || error == EDQUOT || error == EFBIG ? "; free some space or record elsewhere with -o" : "";
  throw BagError("cannot " + what + " '" + path + "': " + std::strerror(error) + hint);
}

}  // namespace

McapOptions mcap_preset(const std::string & name) {
  McapOptions options;
  if (name == "fastwrite") {
    options.chunked = false;
  } else if (name == "zstd_fast") {
    options.zstd = true;
    options.zstd_level = 1;
  } else if (name == "zstd_small") {
    options.zstd = true;
    options.zstd_level = 19;
    options.chunk_size = 4 * 1024 * 1024;
  } else if (!name.empty() && name != "none") {
    throw BagError(
      "unknown MCAP storage preset profile '" + name + "'; there are none, fastwrite, zstd_fast and zstd_small");
  }
  return options;
}

McapWriter::McapWriter(const std::string & path, const McapOptions & options) : path_(path), options_(options) {
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
  if (file_ < 0) { fail("create", path_); }
  Bytes start(mcap::kMagic);
  mcap::put_record(start, Op::kHeader, fields_of("ros2", "rosbag2_transport 0.1.0"));
  append({start});
}

McapWriter::~McapWriter() {
  if (file_ >= 0) { ::close(file_); }
}

std::uint16_t McapWriter::add_schema(std::string name, std::string encoding, std::string text) {
  const auto same =
    std::find_if(schemas_.begin(), schemas_.end(), [&](const auto & schema) { return schema.name == name; });
  if (same != schemas_.end()) { return same->id; }
  // Zero means "no schema" to a channel.
  const auto id = static_cast<std::uint16_t>(schemas_.size() + 1);
  mcap::Schema schema{id, std::move(name), std::move(encoding), std::move(text)};
  append_record(Op::kSchema, encode(schema));
  schemas_.push_back(std::move(schema));
  return id;
}

std::uint16_t McapWriter::add_channel(
  std::uint16_t schema, std::string topic, std::string encoding, mcap::TextMap metadata) {
  const auto id = static_cast<std::uint16_t>(channels_.size() + 1);
  mcap::Channel channel{id, schema, std::move(topic), std::move(encoding), std::move(metadata)};
  append_record(Op::kChannel, encode(channel));
  channels_.push_back(std::move(channel));
  return id;
}

void McapWriter::write(std::uint16_t channel, std::uint32_t sequence, std::uint64_t log_time,
  std::uint64_t publish_time, std::string_view data) {
  Bytes & out = options_.chunked ? chunk_.records : head_;
  const std::uint64_t offset = out.size();
  const std::uint64_t length = mcap::kMessageHead + data.size();
  put_fields(out, Op::kMessage, length, channel, sequence, log_time, publish_time);
  out.append(data);
  if (options_.chunked) {
    if (chunk_.index.size() <= channel) { chunk_.index.resize(channels_.size() + 1); }
    chunk_.index[channel].push_back({log_time, offset});
    chunk_.start_time = std::min(chunk_.start_time, log_time);
    chunk_.end_time = std::max(chunk_.end_time, log_time);
    if (out.size() >= options_.chunk_size) { flush(); }
    return;
  }
  const Bytes record = std::move(head_);
  head_.clear();
  append({record});
  ++loose_counts_[channel];
  note_time(log_time);
}

void McapWriter::flush() {
  if (chunk_.records.empty()) { return; }
  std::string_view stored = chunk_.records;
  if (options_.zstd) {
    compressed_.resize(ZSTD_compressBound(chunk_.records.size()));
    const std::size_t size = ZSTD_compress(
      compressed_.data(), compressed_.size(), chunk_.records.data(), chunk_.records.size(), options_.zstd_level);
    if (ZSTD_isError(size)) { throw BagError(std::string("zstd: ") + ZSTD_getErrorName(size)); }
    stored = std::string_view(compressed_).substr(0, size);
  }
  WrittenChunk written;
  mcap::ChunkIndex & index = written.index;
  index = {chunk_.start_time, chunk_.end_time, size_, 0, {}, 0, options_.zstd ? "zstd" : "", stored.size(),
    chunk_.records.size()};

  Bytes & head = head_;
  head.clear();
  // The length of the record is known only below.
  put_fields(head, Op::kChunk, std::uint64_t{0}, index.start_time, index.end_time, index.uncompressed_size,
    crc(chunk_.records), index.compression, index.compressed_size);
  index.length = head.size() + stored.size();
  const std::uint64_t content = index.length - mcap::kRecordHead;
  std::memcpy(head.data() + 1, &content, sizeof content);

  tail_.clear();
  for (std::uint16_t channel = 0; channel < chunk_.index.size(); ++channel) {
    auto & entries = chunk_.index[channel];
    if (entries.empty()) { continue; }
    std::stable_sort(
      entries.begin(), entries.end(), [](const IndexEntry & a, const IndexEntry & b) { return a.time < b.time; });
    index.message_index_offsets[channel] = index.offset + index.length + tail_.size();
    written.counts[channel] = entries.size();
    const std::size_t bytes = entries.size() * sizeof(IndexEntry);
    const std::uint64_t length = 2 + 4 + bytes;
    put_fields(tail_, Op::kMessageIndex, length, channel, static_cast<std::uint32_t>(bytes));
    tail_.append(reinterpret_cast<const char *>(entries.data()), bytes);
  }
  index.message_index_length = tail_.size();
  append({head, stored, tail_});
  note_time(index.start_time);
  note_time(index.end_time);
  chunks_.push_back(std::move(written));
  // The buffers keep their memory for the next chunk.
  chunk_.records.clear();
  for (auto & entries : chunk_.index) { entries.clear(); }
  chunk_.start_time = UINT64_MAX;
  chunk_.end_time = 0;
  head_.clear();
}

bool McapWriter::drop_last_chunk() {
  if (chunks_.empty()) { return false; }
  size_ = chunks_.back().index.offset;
  chunks_.pop_back();
  start_time_ = UINT64_MAX;
  end_time_ = 0;
  for (const auto & chunk : chunks_) {
    note_time(chunk.index.start_time);
    note_time(chunk.index.end_time);
  }
  return ::ftruncate(file_, static_cast<off_t>(size_)) == 0;
}

McapWriter::Counts McapWriter::counts() const {
  Counts total = loose_counts_;
  for (const auto & chunk : chunks_) {
    for (const auto & [channel, count] : chunk.counts) { total[channel] += count; }
  }
  return total;
}

Bytes McapWriter::summary(
  std::uint64_t metadata_offset, std::uint64_t metadata_length, std::string_view metadata_name) const {
  Bytes out, offsets;
  const auto group = [&](Op op, const std::vector<Bytes> & contents) {
    if (contents.empty()) { return; }
    const std::uint64_t start = out.size();
    for (const auto & content : contents) { mcap::put_record(out, op, content); }
    mcap::put_record(offsets, Op::kSummaryOffset, fields_of(op, size_ + start, out.size() - start));
  };
  std::vector<Bytes> records;
  for (const auto & schema : schemas_) { records.push_back(encode(schema)); }
  group(Op::kSchema, records);
  records.clear();
  for (const auto & channel : channels_) { records.push_back(encode(channel)); }
  group(Op::kChannel, records);

  Bytes per_channel;
  std::uint64_t total = 0;
  for (const auto & [channel, count] : counts()) {
    put_fields(per_channel, channel, count);
    total += count;
  }
  constexpr std::uint32_t kAttachments = 0, kMetadata = 1;
  const Bytes statistics = fields_of(total, static_cast<std::uint16_t>(schemas_.size()),
    static_cast<std::uint32_t>(channels_.size()), kAttachments, kMetadata, static_cast<std::uint32_t>(chunks_.size()),
    total == 0 ? std::uint64_t{0} : start_time_, end_time_, per_channel);
  group(Op::kStatistics, {statistics});

  records.clear();
  for (const auto & chunk : chunks_) { records.push_back(encode(chunk.index)); }
  group(Op::kChunkIndex, records);
  group(Op::kMetadataIndex, {fields_of(metadata_offset, metadata_length, metadata_name)});

  const std::uint64_t offsets_start = size_ + out.size();
  out += offsets;
  put_fields(out, Op::kFooter, std::uint64_t{mcap::kFooterLength}, size_, offsets_start);
  put(out, crc(out));
  out += mcap::kMagic;
  return out;
}

void McapWriter::finish(std::string_view metadata_name, const mcap::TextMap & metadata) {
  flush();
  const std::uint64_t before = size_;
  try {
    append_record(Op::kMetadata, mcap::encode_metadata(metadata_name, metadata));
    const std::uint64_t metadata_length = size_ - before;
    append_record(Op::kDataEnd, fields_of(std::uint32_t{0}));  // no CRC of the data
    append({summary(before, metadata_length, metadata_name)});
  } catch (const BagError &) {
    // Nothing of a half-written end remains, so that it can be tried again.
    size_ = before;
    if (::ftruncate(file_, static_cast<off_t>(size_)) != 0) { fail("cut back", path_); }
    throw;
  }
  if (::close(std::exchange(file_, -1)) != 0) { fail("close", path_); }
}

void McapWriter::note_time(std::uint64_t log_time) {
  start_time_ = std::min(start_time_, log_time);
  end_time_ = std::max(end_time_, log_time);
}

void McapWriter::append_record(Op op, std::string_view content) {
  append({fields_of(op, std::uint64_t{content.size()}), content});
}

void McapWriter::append(std::initializer_list<std::string_view> parts) {
  std::uint64_t written = 0;
  for (std::string_view part : parts) {
    while (!part.empty()) {
      const ssize_t count = ::write(file_, part.data(), part.size());
      if (count < 0 && errno == EINTR) { continue; }
      if (count < 0) {
        const int error = errno;
        // A record that is there in part would hide those behind it.
        const bool cut_back = ::ftruncate(file_, static_cast<off_t>(size_)) == 0;
        errno = error;
        fail(cut_back ? "write to" : "write to or cut back", path_);
      }
      part.remove_prefix(static_cast<std::size_t>(count));
      written += static_cast<std::uint64_t>(count);
    }
  }
  size_ += written;
}

}  // namespace rosbag2_transport::detail
