// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <queue>
#include <unordered_map>

#include "compression.hpp"
#include "mcap_records.hpp"
#include "storage_reader.hpp"

namespace rosbag2_transport::detail {

using mcap::Op;

namespace {

/// A file mapped into memory; unmapped with the last owner.
std::shared_ptr<const std::string_view> map_file(const std::filesystem::path & path, bool & whole) {
  whole = true;
  const int file =
    path.extension() == ".zstd" ? decompress_file(path, whole) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) { throw BagError("cannot open '" + path.string() + "': " + std::strerror(errno)); }
  struct stat status {};
  ::fstat(file, &status);
  const auto size = static_cast<std::size_t>(status.st_size);
  void * address = size == 0 ? nullptr : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  ::close(file);
  if (address == MAP_FAILED) { throw BagError("cannot map '" + path.string() + "': " + std::strerror(errno)); }
  return {new std::string_view(static_cast<const char *>(address), size), [](const std::string_view * view) {
            if (view->data()) { ::munmap(const_cast<char *>(view->data()), view->size()); }
            delete view;
          }};
}

/// Time and place of a message: within a loaded chunk, or in the file.
struct Pending {
  std::uint64_t time = 0, order = 0;
  std::string_view content;
  std::shared_ptr<const void> owner;
  bool operator>(const Pending & other) const { return time != other.time ? time > other.time : order > other.order; }
};

struct Chunk {
  std::uint64_t start_time = 0, end_time = 0;
  std::string_view content;
  bool whole = true;
};

class McapReader : public StorageReader {
public:
  explicit McapReader(const std::filesystem::path & path) {
    bool whole = true;
    file_ = map_file(path, whole);
    if (file_->substr(0, mcap::kMagic.size()) != mcap::kMagic) {
      throw BagError("'" + path.string() + "' is no MCAP file");
    }
    if (!whole) { problem_ = "its zstd frame is not whole"; }
    try {
      if (!whole || !read_summary()) { scan(); }
    } catch (const BagError & error) {
      // A damaged summary says nothing about the data before it.
      scan();
      problem_ = error.what();
    }
    for (const auto & [id, channel] : channels_) { add_topic(channel); }
    std::stable_sort(
      chunks_.begin(), chunks_.end(), [](const Chunk & a, const Chunk & b) { return a.start_time < b.start_time; });
    McapReader::seek(0);
  }

  void seek(std::int64_t time) override {
    from_ = static_cast<std::uint64_t>(std::max<std::int64_t>(time, 0));
    next_chunk_ = 0;
    pending_ = {};
    for (const auto & message : loose_) {
      if (message.time >= from_) { pending_.push(message); }
    }
  }

  std::optional<StoredMessage> next() override {
    // Chunks may overlap in time: all that begin before the next message must be open.
    while (
      next_chunk_ < chunks_.size() && (pending_.empty() || chunks_[next_chunk_].start_time <= pending_.top().time)) {
      load(chunks_[next_chunk_++]);
    }
    while (!pending_.empty()) {
      const Pending found = pending_.top();
      pending_.pop();
      Cursor in(found.content);
      const auto topic = topic_of_channel_.find(in.get<std::uint16_t>());
      if (topic == topic_of_channel_.end()) { continue; }
      StoredMessage message;
      message.topic = topic->second;
      message.sequence = in.get<std::uint32_t>();
      message.log_time = static_cast<std::int64_t>(in.get<std::uint64_t>());
      message.publish_time = static_cast<std::int64_t>(in.get<std::uint64_t>());
      message.data = in.rest();
      message.owner = found.owner;
      return message;
    }
    return std::nullopt;
  }

private:
  /// False where there is no summary.
  bool read_summary() {
    const std::string_view file = *file_;
    const std::size_t tail = mcap::kRecordHead + mcap::kFooterLength + mcap::kMagic.size();
    if (file.size() < tail + mcap::kMagic.size() || !file.ends_with(mcap::kMagic)) { return false; }
    Cursor footer(file.substr(file.size() - tail + mcap::kRecordHead));
    const auto summary_start = footer.get<std::uint64_t>();
    if (summary_start == 0) { return false; }
    if (summary_start > file.size() - tail) { throw BagError("its summary is out of place"); }
    Cursor in(file.substr(summary_start));
    bool has_statistics = false;
    std::uint64_t messages = 0;
    while (const auto record = mcap::next_record(in)) {
      if (record->op == Op::kFooter) { break; }
      if (record->op == Op::kSchema || record->op == Op::kChannel) { note_definition(*record); }
      if (record->op == Op::kChunkIndex) { add_indexed_chunk(mcap::decode_chunk_index(record->content)); }
      if (record->op == Op::kMetadataIndex) { read_metadata_record(record->content); }
      if (record->op == Op::kStatistics) {
        has_statistics = true;
        messages = read_statistics(record->content);
      }
    }
    // Messages outside of chunks, as "fastwrite" writes them, are in no index that we read.
    if (!has_statistics || (messages > 0 && chunks_.empty())) {
      forget();
      return false;
    }
    return true;
  }

  void forget() {
    chunks_.clear();
    loose_.clear();
    counts_.clear();
    schemas_.clear();
    channels_.clear();
    start_time_ = INT64_MAX;
    end_time_ = 0;
  }

  void add_indexed_chunk(const mcap::ChunkIndex & index) {
    Cursor in(file_->substr(std::min<std::size_t>(index.offset, file_->size())));
    const auto record = mcap::next_record(in);
    if (!record || record->op != Op::kChunk) { throw BagError("a chunk is not where its index says"); }
    chunks_.push_back({index.start_time, index.end_time, record->content, true});
  }

  std::uint64_t read_statistics(std::string_view content) {
    Cursor in(content);
    const auto messages = in.get<std::uint64_t>();
    in.take(2 + 4 * 4);  // numbers of schemas, channels, attachments, metadata, chunks
    const auto start = in.get<std::uint64_t>(), end = in.get<std::uint64_t>();
    if (messages > 0) { note_times(start, end); }
    Cursor counts(in.text());
    while (!counts.empty()) {
      const auto channel = counts.get<std::uint16_t>();
      counts_[channel] = counts.get<std::uint64_t>();
    }
    return messages;
  }

  /// Reads the whole file record by record, to where it ends or is damaged.
  void scan() {
    forget();
    Cursor in(file_->substr(mcap::kMagic.size()));
    bool ended = false;
    while (!ended) {
      const auto record = mcap::next_record(in);
      if (!record) { break; }
      ended = record->op == Op::kFooter;
      try {
        scan_record(*record);
      } catch (const BagError & error) { problem_ = error.what(); }
    }
    if (!ended) {
      problem_ = "it ends too early, as after a crash or a full disk";
      scan_cut_chunk(in.rest());
    }
  }

  void scan_record(const mcap::Record & record) {
    if (record.op == Op::kSchema || record.op == Op::kChannel) { note_definition(record); }
    if (record.op == Op::kMetadata) { read_ros_distro(record.content); }
    if (record.op == Op::kMessage) {
      loose_.push_back(count_message(record.content));
      loose_.back().owner = file_;
    }
    if (record.op == Op::kChunk) { scan_chunk({0, 0, record.content, true}); }
  }

  /// The last chunk of a cut file, of which the first part is there.
  void scan_cut_chunk(std::string_view rest) {
    if (rest.size() <= mcap::kRecordHead || static_cast<Op>(rest[0]) != Op::kChunk) { return; }
    try {
      scan_chunk({0, 0, rest.substr(mcap::kRecordHead), false});
    } catch (const BagError &) {
      // Not even its head is there.
    }
  }

  void scan_chunk(Chunk chunk) {
    const auto records = records_of(chunk);
    chunk.start_time = UINT64_MAX;
    Cursor in(*records);
    while (const auto record = mcap::next_record(in)) {
      if (record->op == Op::kSchema || record->op == Op::kChannel) { note_definition(*record); }
      if (record->op != Op::kMessage) { continue; }
      const Pending message = count_message(record->content);
      chunk.start_time = std::min(chunk.start_time, message.time);
      chunk.end_time = std::max(chunk.end_time, message.time);
    }
    if (chunk.start_time != UINT64_MAX) { chunks_.push_back(chunk); }
  }

  Pending count_message(std::string_view content) {
    Cursor in(content);
    ++counts_[in.get<std::uint16_t>()];
    in.get<std::uint32_t>();
    Pending message;
    message.time = in.get<std::uint64_t>();
    in.get<std::uint64_t>();
    message.order = order_++;
    message.content = content;
    note_times(message.time, message.time);
    return message;
  }

  /// The records of a chunk: a view of the file, or of what was decompressed.
  std::shared_ptr<const std::string_view> records_of(const Chunk & chunk) const {
    Cursor in(chunk.content);
    in.take(8 + 8);  // times
    const auto uncompressed_size = in.get<std::uint64_t>();
    in.get<std::uint32_t>();
    const std::string_view compression = in.text();
    const auto size = in.get<std::uint64_t>();
    const std::string_view stored = chunk.whole ? in.take(size) : in.rest();
    if (compression.empty()) {
      struct View {
        std::shared_ptr<const std::string_view> file;
        std::string_view view;
      };
      const auto holder = std::make_shared<View>(View{file_, stored});
      return {holder, &holder->view};
    }
    struct Loaded {
      Bytes bytes;
      std::string_view view;
    };
    const auto holder = std::make_shared<Loaded>();
    holder->bytes = decompress(compression, stored, uncompressed_size, chunk.whole);
    holder->view = holder->bytes;
    return {holder, &holder->view};
  }

  void load(const Chunk & chunk) {
    if (chunk.end_time < from_) { return; }
    try {
      const auto records = records_of(chunk);
      Cursor in(*records);
      while (const auto record = mcap::next_record(in)) {
        if (record->op != Op::kMessage) { continue; }
        Cursor head(record->content);
        head.take(2 + 4);
        Pending message{head.get<std::uint64_t>(), order_++, record->content, records};
        if (message.time >= from_) { pending_.push(std::move(message)); }
      }
    } catch (const BagError & error) { problem_ = error.what(); }
  }

  void note_definition(const mcap::Record & record) {
    if (record.op == Op::kSchema) {
      auto schema = mcap::decode_schema(record.content);
      schemas_[schema.id] = std::move(schema);
    } else {
      auto channel = mcap::decode_channel(record.content);
      channels_[channel.id] = std::move(channel);
    }
  }

  void note_times(std::uint64_t start, std::uint64_t end) {
    start_time_ = std::min(start_time_, static_cast<std::int64_t>(start));
    end_time_ = std::max(end_time_, static_cast<std::int64_t>(end));
  }

  void add_topic(const mcap::Channel & channel) {
    const auto value = [&](const char * key) {
      const auto found = channel.metadata.find(key);
      return found == channel.metadata.end() ? std::string() : found->second;
    };
    // A topic may have several channels, one for each writer of the file.
    auto topic = std::find_if(
      topics_.begin(), topics_.end(), [&](const TopicCount & known) { return known.topic.name == channel.topic; });
    if (topic == topics_.end()) {
      topic = topics_.insert(topic, TopicCount{});
      topic->topic = {channel.topic, schemas_[channel.schema_id].name, channel.message_encoding,
        qos_from_yaml(value("offered_qos_profiles")), value("topic_type_hash")};
    }
    topic_of_channel_[channel.id] = static_cast<std::size_t>(topic - topics_.begin());
    topic->message_count += counts_[channel.id];
  }

  void read_metadata_record(std::string_view index) {
    Cursor in(index);
    const auto offset = in.get<std::uint64_t>();
    Cursor at(file_->substr(std::min<std::size_t>(offset, file_->size())));
    const auto record = mcap::next_record(at);
    if (record && record->op == Op::kMetadata) { read_ros_distro(record->content); }
  }

  void read_ros_distro(std::string_view metadata) {
    Cursor in(metadata);
    if (in.text() != "rosbag2") { return; }
    Cursor entries(in.text());
    while (!entries.empty()) {
      const std::string_view key = entries.text();
      const std::string value(entries.text());
      if (key == "ROS_DISTRO") { ros_distro_ = value; }
      if (key != "serialized_metadata") { continue; }
      try {
        const YAML::Node root = YAML::Load(value);
        const YAML::Node info = root["rosbag2_bagfile_information"];
        ros_distro_ = (info ? info : root)["ros_distro"].as<std::string>("");
      } catch (const YAML::Exception &) {
        // The name of the distribution is all that we wanted.
      }
    }
  }

  std::shared_ptr<const std::string_view> file_;
  std::unordered_map<std::uint16_t, mcap::Schema> schemas_;
  std::map<std::uint16_t, mcap::Channel> channels_;
  std::unordered_map<std::uint16_t, std::uint64_t> counts_;
  std::unordered_map<std::uint16_t, std::size_t> topic_of_channel_;
  std::vector<Chunk> chunks_;
  std::vector<Pending> loose_;
  std::uint64_t order_ = 0, from_ = 0;
  std::size_t next_chunk_ = 0;
  std::priority_queue<Pending, std::vector<Pending>, std::greater<>> pending_;
};

}  // namespace

std::unique_ptr<StorageReader> open_mcap(const std::filesystem::path & file) {
  return std::make_unique<McapReader>(file);
}

}  // namespace rosbag2_transport::detail
