// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <atomic>
#include <thread>

#include "bag_reader.hpp"
#include "bag_text.hpp"
#include "bag_writer.hpp"
#include "temporary_folder.hpp"

using namespace rosbag2_transport::detail;

namespace {

BagOptions options_for(const std::filesystem::path & folder) {
  BagOptions options;
  options.folder = folder;
  options.ros_distro = "jazzy";
  return options;
}

TopicMetadata topic(const std::string & name) {
  TopicMetadata metadata;
  metadata.name = name;
  metadata.type = "std_msgs/msg/String";
  return metadata;
}

void write(BagWriter & writer, std::size_t topic, std::int64_t time, std::size_t size) {
  const auto bytes = std::make_shared<std::string>(size, 'x');
  writer.write({topic, time, time, 0, *bytes, bytes});
}

std::uint64_t count_messages(const std::filesystem::path & bag) {
  BagReader reader(bag, "");
  EXPECT_TRUE(reader.problems().empty());
  reader.seek(0);
  std::uint64_t count = 0;
  while (reader.next()) { ++count; }
  EXPECT_EQ(count, reader.metadata().message_count);
  return count;
}

/// The largest file that this process may write, as a stand-in for a full disk.
class FileSizeLimit {
public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }

private:
  rlimit before_{};
};

}  // namespace

TEST(BagWriter, WritesABagThatTheReaderOpens) {
  const TemporaryFolder folder;
  BagWriter writer(options_for(folder / "bag"));
  const auto a = writer.add_topic(topic("/a"), {"ros2msg", "string data"});
  writer.add_topic(topic("/silent"), {"ros2msg", "string data"});
  for (int i = 0; i < 1000; ++i) { write(writer, a, 5'000 + i, 500); }
  const auto report = writer.close();
  EXPECT_EQ(report.written, 1000u);
  EXPECT_TRUE(report.dropped.empty());
  EXPECT_EQ(report.error, "");
  EXPECT_EQ(count_messages(folder / "bag"), 1000u);
  const BagMetadata metadata = read_metadata(folder / "bag" / "metadata.yaml");
  EXPECT_EQ(metadata.starting_time, 5'000);
  EXPECT_EQ(metadata.duration, 999);
  ASSERT_EQ(metadata.topics.size(), 2u);
  EXPECT_EQ(metadata.topics[1].message_count, 0u);
}

TEST(BagWriter, AnExistingFolderIsLeftAlone) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "bag");
  EXPECT_THROW(BagWriter{options_for(folder / "bag")}, BagError);
}

TEST(BagWriter, AFullCacheDropsAndCountsEveryMessageItDrops) {
  const TemporaryFolder folder;
  auto options = options_for(folder / "bag");
  options.max_cache_size = 2000;
  BagWriter writer(options);
  const auto a = writer.add_topic(topic("/a"), {"ros2msg", ""});
  for (int i = 0; i < 5000; ++i) { write(writer, a, i, 900); }
  const auto report = writer.close();
  EXPECT_GT(report.written, 0u);
  ASSERT_EQ(report.dropped.count("/a"), 1u) << "2000 bytes cannot hold 5000 messages of 900";
  EXPECT_EQ(report.written + report.dropped.at("/a"), 5000u);
  EXPECT_EQ(count_messages(folder / "bag"), report.written);
}

TEST(BagWriter, WhatComesWhileItClosesIsNotCountedAsLost) {
  const TemporaryFolder folder;
  BagWriter writer(options_for(folder / "bag"));
  const auto a = writer.add_topic(topic("/a"), {"ros2msg", ""});
  std::atomic<bool> ended = false;
  std::thread source([&] {
    for (int i = 0; !ended; ++i) { write(writer, a, i, 500); }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto report = writer.close();
  ended = true;
  source.join();
  EXPECT_GT(report.written, 0u);
  EXPECT_TRUE(report.dropped.empty());
}

TEST(BagWriter, WithoutACacheNothingIsDropped) {
  const TemporaryFolder folder;
  auto options = options_for(folder / "bag");
  options.max_cache_size = 0;
  BagWriter writer(options);
  const auto a = writer.add_topic(topic("/a"), {"ros2msg", ""});
  for (int i = 0; i < 5000; ++i) { write(writer, a, i, 900); }
  EXPECT_EQ(writer.close().written, 5000u);
}

TEST(BagWriter, AFullDiskIsReportedAndTheBagIsClosedWithWhatFits) {
  const TemporaryFolder folder;
  auto options = options_for(folder / "bag");
  options.mcap.chunk_size = 50'000;
  WriteReport report;
  {
    const FileSizeLimit limit(1'000'000);
    BagWriter writer(options);
    const auto a = writer.add_topic(topic("/a"), {"ros2msg", ""});
    for (int i = 0; i < 4000; ++i) { write(writer, a, i, 1000); }
    report = writer.close();
  }
  EXPECT_NE(report.error.find("_0.mcap"), std::string::npos) << report.error;
  EXPECT_NE(report.error.find("space"), std::string::npos) << report.error;
  EXPECT_GT(report.written, 800u) << "nearly all of the million bytes is used";
  EXPECT_EQ(report.written + report.dropped.at("/a"), 4000u);
  EXPECT_EQ(count_messages(folder / "bag"), report.written);
}

TEST(BagWriter, AFileCompressedAtTheEndIsRead) {
  const TemporaryFolder folder;
  auto options = options_for(folder / "bag");
  options.compress_file = true;
  BagWriter writer(options);
  const auto a = writer.add_topic(topic("/a"), {"ros2msg", ""});
  for (int i = 0; i < 3000; ++i) { write(writer, a, i, 1000); }
  EXPECT_EQ(writer.close().error, "");
  EXPECT_FALSE(std::filesystem::exists(folder / "bag" / "bag_0.mcap"));
  EXPECT_EQ(read_metadata(folder / "bag" / "metadata.yaml").compression_mode, "FILE");
  EXPECT_EQ(count_messages(folder / "bag"), 3000u);
}

TEST(BagReader, ABagWithoutMetadataIsDescribedFromItsFiles) {
  const TemporaryFolder folder;
  {
    BagWriter writer(options_for(folder / "bag"));
    const auto a = writer.add_topic(topic("/a"), {"ros2msg", ""});
    for (int i = 0; i < 10; ++i) { write(writer, a, 1'000'000'000 + i, 10); }
  }
  std::filesystem::remove(folder / "bag" / "metadata.yaml");
  const BagReader reader(folder / "bag", "");
  EXPECT_EQ(reader.problems().size(), 1u);
  EXPECT_EQ(reader.metadata().message_count, 10u);
  EXPECT_EQ(reader.metadata().starting_time, 1'000'000'000);
  EXPECT_EQ(reader.metadata().ros_distro, "jazzy");
}

TEST(BagReader, ACutFileCorrectsItsMetadata) {
  const TemporaryFolder folder;
  {
    auto options = options_for(folder / "bag");
    options.mcap.chunk_size = 2000;
    BagWriter writer(options);
    const auto a = writer.add_topic(topic("/a"), {"ros2msg", ""});
    for (int i = 0; i < 1000; ++i) { write(writer, a, 1000 + i, 100); }
  }
  const auto file = folder / "bag" / "bag_0.mcap";
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  BagReader reader(folder / "bag", "");
  EXPECT_EQ(reader.problems().size(), 1u);
  EXPECT_GT(reader.metadata().message_count, 300u);
  EXPECT_LT(reader.metadata().message_count, 700u);
  EXPECT_NE(describe_bag(reader.metadata(), reader.size()).find("Topic: /a"), std::string::npos);
}
