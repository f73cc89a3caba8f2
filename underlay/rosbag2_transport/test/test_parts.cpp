// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <thread>

#include "bag_metadata.hpp"
#include "bytes.hpp"
#include "loss_ledger.hpp"
#include "playback_clock.hpp"
#include "rmw/qos_profiles.h"
#include "temporary_folder.hpp"
#include "topic_filter.hpp"

using namespace rosbag2_transport::detail;
using std::chrono::milliseconds;

namespace {

rmw_gid_t publisher(std::uint8_t number) {
  rmw_gid_t id{};
  id.data[3] = number;
  return id;
}

}  // namespace

TEST(LossLedger, CountsFromTheFirstMessageThatArrives) {
  LossLedger ledger;
  for (const std::uint64_t sequence : {100u, 101u, 102u}) { ledger.note(publisher(1), sequence); }
  EXPECT_EQ(ledger.lost(), 0u);
  ledger.note(publisher(1), 110);
  EXPECT_EQ(ledger.lost(), 7u);
  EXPECT_EQ(ledger.gaps(), 1u);
}

TEST(LossLedger, KeepsPublishersApart) {
  LossLedger ledger;
  for (std::uint64_t sequence = 1; sequence < 50; ++sequence) {
    ledger.note(publisher(1), sequence);
    ledger.note(publisher(2), 1000 + 2 * sequence);
  }
  EXPECT_EQ(ledger.lost(), 48u);
  EXPECT_EQ(ledger.publishers().size(), 2u);
}

TEST(LossLedger, AMessageThatComesLateIsNotLost) {
  LossLedger ledger;
  for (const std::uint64_t sequence : {1u, 2u, 5u, 3u, 4u, 6u}) { ledger.note(publisher(1), sequence); }
  EXPECT_EQ(ledger.lost(), 0u);
}

TEST(LossLedger, AMiddlewareWithoutNumbersLosesNothing) {
  LossLedger ledger;
  ledger.note(publisher(1), 1);
  ledger.note(publisher(1), RMW_MESSAGE_INFO_SEQUENCE_NUMBER_UNSUPPORTED);
  EXPECT_EQ(ledger.lost(), 0u);
}

TEST(TopicFilter, AllLeavesOutHiddenTopics) {
  TopicSelection selection;
  selection.all_topics = true;
  EXPECT_TRUE(TopicFilter(selection).takes("/a/b", "std_msgs/msg/String"));
  EXPECT_FALSE(TopicFilter(selection).takes("/a/_b", "std_msgs/msg/String"));
  EXPECT_FALSE(TopicFilter(selection).takes("/s/_service_event", "std_srvs/srv/Trigger_Event"));
  selection.include_hidden_topics = true;
  EXPECT_TRUE(TopicFilter(selection).takes("/a/_b", "std_msgs/msg/String"));
}

TEST(TopicFilter, ARegexFindsAndAnotherExcludes) {
  TopicSelection selection;
  selection.regex = "^/arm[0-9]/";
  selection.exclude_regex = "debug";
  const TopicFilter filter(selection);
  EXPECT_TRUE(filter.takes("/arm1/state", "t"));
  EXPECT_FALSE(filter.takes("/arm1/debug", "t"));
  EXPECT_FALSE(filter.takes("/base/state", "t"));
}

TEST(TopicFilter, TypesAndServicesAreChosenByName) {
  TopicSelection selection;
  selection.topic_types = {"std_msgs/msg/String"};
  selection.services = {"/s/_service_event"};
  const TopicFilter filter(selection);
  EXPECT_TRUE(filter.takes("/x", "std_msgs/msg/String"));
  EXPECT_FALSE(filter.takes("/x", "std_msgs/msg/Int8"));
  EXPECT_TRUE(filter.takes("/s/_service_event", "std_srvs/srv/Trigger_Event"));
  EXPECT_FALSE(filter.takes("/t/_service_event", "std_srvs/srv/Trigger_Event"));
}

TEST(TopicFilter, ABadRegexIsNamed) {
  TopicSelection selection;
  selection.regex = "(/a";
  try {
    TopicFilter{selection};
    FAIL();
  } catch (const BagError & error) { EXPECT_NE(std::string(error.what()).find("(/a"), std::string::npos); }
}

TEST(Qos, ProfilesSurviveYaml) {
  rmw_qos_profile_t qos = rmw_qos_profile_sensor_data;
  qos.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  qos.deadline = {1, 500};
  const auto read = qos_from_yaml(qos_to_yaml({qos, rmw_qos_profile_default}));
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].reliability, RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT);
  EXPECT_EQ(read[0].durability, RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL);
  EXPECT_EQ(read[0].deadline.nsec, 500u);
  EXPECT_EQ(read[1].reliability, RMW_QOS_POLICY_RELIABILITY_RELIABLE);
}

TEST(Qos, NumbersOfBagsBeforeJazzyAreRead) {
  const auto read = qos_from_yaml("- history: 1\n  depth: 5\n  reliability: 2\n  durability: 1\n");
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].reliability, RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT);
  EXPECT_EQ(read[0].durability, RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL);
  EXPECT_EQ(read[0].depth, 5u);
}

TEST(Qos, AWrongOverrideIsReportedWithFileAndTopic) {
  const TemporaryFolder folder;
  write_file(folder / "qos.yaml", "/a:\n  reliability: perhaps\n");
  try {
    read_qos_overrides(folder / "qos.yaml");
    FAIL();
  } catch (const BagError & error) {
    const std::string text = error.what();
    for (const char * word : {"qos.yaml", "/a", "reliability", "perhaps"}) {
      EXPECT_NE(text.find(word), std::string::npos) << text;
    }
  }
}

TEST(Metadata, SurvivesYaml) {
  const TemporaryFolder folder;
  BagMetadata metadata;
  metadata.starting_time = 1'700'000'000'123'456'789;
  metadata.duration = 42;
  metadata.message_count = 7;
  metadata.topics.push_back({{"/a", "t/msg/T", "cdr", {rmw_qos_profile_default}, "RIHS01_00"}, 7});
  metadata.files.push_back({"a_0.mcap", metadata.starting_time, 42, 7});
  metadata.custom_data = {{"key", "value"}};
  metadata.ros_distro = "jazzy";
  write_file(folder / "metadata.yaml", to_yaml(metadata));
  const BagMetadata read = read_metadata(folder / "metadata.yaml");
  EXPECT_EQ(to_yaml(read), to_yaml(metadata));
}

TEST(PlaybackClock, RunsAtItsRate) {
  PlaybackClock clock;
  clock.set(1000);
  clock.set_rate(10.0);
  const auto start = PlaybackClock::Steady::now();
  EXPECT_TRUE(clock.wait_until(1000 + 300'000'000));
  const auto passed = PlaybackClock::Steady::now() - start;
  // Never early; how late is the machine's.
  EXPECT_GE(passed, milliseconds(29));
  // Between two looks at the time before and after each look at the clock.
  const auto before_first = PlaybackClock::Steady::now();
  const std::int64_t first = clock.now();
  const auto after_first = PlaybackClock::Steady::now();
  std::this_thread::sleep_for(milliseconds(20));
  const auto before_second = PlaybackClock::Steady::now();
  const std::int64_t second = clock.now();
  const auto after_second = PlaybackClock::Steady::now();
  const auto ten_times = [](auto time) { return 10.0 * std::chrono::duration<double, std::nano>(time).count(); };
  EXPECT_GE(static_cast<double>(second - first), ten_times(before_second - after_first) - 10.0);
  EXPECT_LE(static_cast<double>(second - first), ten_times(after_second - before_first) + 10.0);
}

TEST(PlaybackClock, StandsWhilePausedAndGoesOnFromThere) {
  PlaybackClock clock;
  clock.set(5'000'000'000);
  clock.pause();
  const std::int64_t paused_at = clock.now();
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_EQ(clock.now(), paused_at);
  clock.resume();
  EXPECT_TRUE(clock.wait_until(paused_at + 1'000'000));
}

TEST(PlaybackClock, ReleasesOneWaiterAtATimeWhilePaused) {
  PlaybackClock clock;
  clock.set(0);
  clock.pause();
  clock.release_one();
  EXPECT_TRUE(clock.wait_until(1'000'000'000));
  EXPECT_EQ(clock.now(), 1'000'000'000) << "the clock follows the message that was played";
}

TEST(PlaybackClock, StopEndsAWait) {
  PlaybackClock clock;
  clock.set(0);
  std::thread stopper([&] { clock.stop(); });
  EXPECT_FALSE(clock.wait_until(INT64_MAX / 2));
  stopper.join();
}
