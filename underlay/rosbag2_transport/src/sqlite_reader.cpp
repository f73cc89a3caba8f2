// SPDX-License-Identifier: BSD-3-Clause
#include <sqlite3.h>
#include <unistd.h>

#include <unordered_map>

#include "bytes.hpp"
#include "compression.hpp"
#include "storage_reader.hpp"

namespace rosbag2_transport::detail {

namespace {

using Database = std::unique_ptr<sqlite3, decltype(&sqlite3_close)>;
using Statement = std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)>;

std::string column_text(sqlite3_stmt * row, int column) {
  const auto * text = reinterpret_cast<const char *>(sqlite3_column_text(row, column));
  return text ? text : "";
}

/// A bag of the storage "sqlite3", the default before Iron.
class SqliteReader : public StorageReader {
public:
  explicit SqliteReader(const std::filesystem::path & path) : path_(path) {
    if (path.extension() == ".zstd") {
      bool whole = true;
      std::string name;
      ::close(decompress_file(path, whole, &name));
      open(name);
      if (!whole) { problem_ = "its zstd frame is not whole"; }
    } else {
      open(path.string());
    }
    read_topics();
    SqliteReader::seek(0);
  }

  void seek(std::int64_t time) override {
    messages_ = prepare("SELECT topic_id, timestamp, data FROM messages WHERE timestamp >= ? ORDER BY timestamp, id");
    sqlite3_bind_int64(messages_.get(), 1, time);
  }

  std::optional<StoredMessage> next() override {
    while (sqlite3_stmt * row = step(messages_)) {
      const auto topic = topic_of_id_.find(sqlite3_column_int64(row, 0));
      if (topic == topic_of_id_.end()) { continue; }
      StoredMessage message;
      message.topic = topic->second;
      message.log_time = message.publish_time = sqlite3_column_int64(row, 1);
      const auto * data = static_cast<const char *>(sqlite3_column_blob(row, 2));
      const auto bytes = std::make_shared<Bytes>(data, static_cast<std::size_t>(sqlite3_column_bytes(row, 2)));
      message.data = *bytes;
      message.owner = bytes;
      return message;
    }
    return std::nullopt;
  }

private:
  void open(const std::string & name) {
    // Immutable, so that neither a lock nor a journal is asked for: bags lie on read-only disks too.
    const std::string uri = "file:" + name + "?mode=ro&immutable=1";
    sqlite3 * database = nullptr;
    const int result = sqlite3_open_v2(uri.c_str(), &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
    database_ = Database(database, &sqlite3_close);
    // What SQLite has opened stays readable without its name.
    if (name != path_.string()) { ::unlink(name.c_str()); }
    if (result != SQLITE_OK) { throw BagError("cannot open '" + path_.string() + "'"); }
  }

  Statement prepare(const char * sql) {
    sqlite3_stmt * statement = nullptr;
    if (sqlite3_prepare_v2(database_.get(), sql, -1, &statement, nullptr) != SQLITE_OK) {
      throw BagError("'" + path_.string() + "' is no bag of sqlite3: " + sqlite3_errmsg(database_.get()));
    }
    return {statement, &sqlite3_finalize};
  }

  /// The next row, or null at the end; damage ends the rows and is noted.
  sqlite3_stmt * step(const Statement & statement) {
    const int result = sqlite3_step(statement.get());
    if (result == SQLITE_ROW) { return statement.get(); }
    if (result != SQLITE_DONE) { problem_ = sqlite3_errmsg(database_.get()); }
    return nullptr;
  }

  void read_topics() {
    const Statement all = prepare("SELECT * FROM topics");
    while (sqlite3_stmt * row = step(all)) {
      TopicCount counted;
      std::int64_t id = 0;
      // Which columns there are depends on the distribution that wrote the bag.
      for (int i = 0; i < sqlite3_column_count(row); ++i) {
        const std::string column = sqlite3_column_name(row, i);
        if (column == "id") { id = sqlite3_column_int64(row, i); }
        if (column == "name") { counted.topic.name = column_text(row, i); }
        if (column == "type") { counted.topic.type = column_text(row, i); }
        if (column == "serialization_format") { counted.topic.serialization_format = column_text(row, i); }
        if (column == "type_description_hash") { counted.topic.type_description_hash = column_text(row, i); }
        if (column == "offered_qos_profiles") {
          counted.topic.offered_qos_profiles = qos_from_yaml(column_text(row, i));
        }
      }
      topic_of_id_[id] = topics_.size();
      topics_.push_back(std::move(counted));
    }
    const Statement counts =
      prepare("SELECT topic_id, COUNT(*), MIN(timestamp), MAX(timestamp) FROM messages GROUP BY topic_id");
    while (sqlite3_stmt * row = step(counts)) {
      const auto topic = topic_of_id_.find(sqlite3_column_int64(row, 0));
      if (topic == topic_of_id_.end()) { continue; }
      topics_[topic->second].message_count = static_cast<std::uint64_t>(sqlite3_column_int64(row, 1));
      start_time_ = std::min<std::int64_t>(start_time_, sqlite3_column_int64(row, 2));
      end_time_ = std::max<std::int64_t>(end_time_, sqlite3_column_int64(row, 3));
    }
  }

  std::filesystem::path path_;
  Database database_{nullptr, &sqlite3_close};
  Statement messages_{nullptr, &sqlite3_finalize};
  std::unordered_map<std::int64_t, std::size_t> topic_of_id_;
};

}  // namespace

std::unique_ptr<StorageReader> open_sqlite(const std::filesystem::path & file) {
  return std::make_unique<SqliteReader>(file);
}

}  // namespace rosbag2_transport::detail
