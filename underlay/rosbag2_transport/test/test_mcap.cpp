// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "mcap_writer.hpp"
#include "storage_reader.hpp"
#include "temporary_folder.hpp"

using namespace rosbag2_transport::detail;

namespace {

std::string data_of(int i) { return "message " + std::to_string(i) + std::string(40, 'x'); }

/// A file with `count` messages on two topics, 1 us apart, in small chunks.
void write_mcap(
  const std::filesystem::path & path, const std::string & preset, int count, std::size_t chunk_size = 1000) {
  McapOptions options = mcap_preset(preset);
  options.chunk_size = chunk_size;
  McapWriter writer(path.string(), options);
  const auto schema = writer.add_schema("std_msgs/msg/String", "ros2msg", "string data\n");
  const auto a = writer.add_channel(schema, "/a", "cdr", {});
  const auto b = writer.add_channel(schema, "/b", "cdr", {});
  for (int i = 0; i < count; ++i) {
    const auto time = static_cast<std::uint64_t>(1000 * (i + 1));
    writer.write(i % 3 == 0 ? b : a, static_cast<std::uint32_t>(i), time, time, data_of(i));
  }
  writer.finish("rosbag2", {{"ROS_DISTRO", "jazzy"}});
}

/// Number of messages, checked to be the first ones of `write_mcap` in their order.
int count_in_order(StorageReader & reader) {
  int count = 0;
  while (const auto message = reader.next()) {
    EXPECT_EQ(message->data, data_of(count));
    EXPECT_EQ(message->sequence, static_cast<std::uint32_t>(count));
    EXPECT_EQ(reader.topics()[message->topic].topic.name, count % 3 == 0 ? "/b" : "/a");
    ++count;
  }
  return count;
}

std::uint64_t described_count(const StorageReader & reader) {
  std::uint64_t count = 0;
  for (const auto & topic : reader.topics()) { count += topic.message_count; }
  return count;
}

}  // namespace

class McapPreset : public testing::TestWithParam<const char *> {};

TEST_P(McapPreset, GivesBackWhatWasWritten) {
  const TemporaryFolder folder;
  write_mcap(folder / "x.mcap", GetParam(), 300);
  const auto reader = open_mcap(folder / "x.mcap");
  EXPECT_EQ(reader->problem(), "");
  EXPECT_EQ(described_count(*reader), 300u);
  EXPECT_EQ(reader->start_time(), 1000);
  EXPECT_EQ(reader->end_time(), 300'000);
  EXPECT_EQ(reader->ros_distro(), "jazzy");
  EXPECT_EQ(count_in_order(*reader), 300);
}

TEST_P(McapPreset, StartsAtTheTimeThatWasAskedFor) {
  const TemporaryFolder folder;
  write_mcap(folder / "x.mcap", GetParam(), 300);
  const auto reader = open_mcap(folder / "x.mcap");
  reader->seek(150'500);
  const auto message = reader->next();
  ASSERT_TRUE(message);
  EXPECT_EQ(message->log_time, 151'000);
}

TEST_P(McapPreset, CutAnywhereGivesTheMessagesBeforeTheCut) {
  const TemporaryFolder folder;
  write_mcap(folder / "x.mcap", GetParam(), 100);
  const std::string whole = read_file(folder / "x.mcap");
  int before = 0;
  for (std::size_t size = 8; size < whole.size(); size += 157) {
    write_file(folder / "cut.mcap", whole.substr(0, size));
    const auto reader = open_mcap(folder / "cut.mcap");
    EXPECT_NE(reader->problem(), "") << "cut to " << size;
    const int count = count_in_order(*reader);
    EXPECT_EQ(described_count(*reader), static_cast<std::uint64_t>(count));
    EXPECT_GE(count, before) << "a longer piece holds no less";
    before = count;
  }
  EXPECT_EQ(before, 100) << "only the summary is missing at last";
}

TEST_P(McapPreset, DamageAnywhereIsSurvived) {
  const TemporaryFolder folder;
  write_mcap(folder / "x.mcap", GetParam(), 60);
  const std::string whole = read_file(folder / "x.mcap");
  for (std::size_t at = 8; at < whole.size(); at += 29) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
    write_file(folder / "bad.mcap", damaged);
    try {
      const auto reader = open_mcap(folder / "bad.mcap");
      int count = 0;
      while (reader->next()) { ++count; }
      EXPECT_LE(count, 60);
    } catch (const BagError &) {
      // Refusing is an answer, too.
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, McapPreset, testing::Values("none", "fastwrite", "zstd_fast", "zstd_small"));

TEST(Mcap, OverlappingChunksComeOutInTheOrderOfTime) {
  const TemporaryFolder folder;
  {
    McapOptions options;
    options.chunk_size = 200;
    McapWriter writer((folder / "x.mcap").string(), options);
    const auto schema = writer.add_schema("std_msgs/msg/String", "ros2msg", "string data\n");
    const auto channel = writer.add_channel(schema, "/a", "cdr", {});
    // Each time stamp is up to 20 behind the one before it.
    for (std::uint64_t i = 0; i < 200; ++i) { writer.write(channel, 0, 1000 + i + (i * 7 % 20), 0, "data"); }
    writer.finish("rosbag2", {});
  }
  const auto reader = open_mcap(folder / "x.mcap");
  std::int64_t last = 0;
  int count = 0;
  while (const auto message = reader->next()) {
    EXPECT_GE(message->log_time, last);
    last = message->log_time;
    ++count;
  }
  EXPECT_EQ(count, 200);
}

TEST(Mcap, AFileOfAnotherKindIsRefused) {
  const TemporaryFolder folder;
  write_file(folder / "x.mcap", "this is a text and no bag");
  EXPECT_THROW(open_mcap(folder / "x.mcap"), BagError);
  EXPECT_THROW(open_sqlite(folder / "x.mcap"), BagError);
}

TEST(Mcap, AnUnknownPresetIsRefusedByName) {
  try {
    mcap_preset("fast");
    FAIL();
  } catch (const BagError & error) { EXPECT_NE(std::string(error.what()).find("zstd_fast"), std::string::npos); }
}
