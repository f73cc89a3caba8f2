// SPDX-License-Identifier: BSD-3-Clause
// The parts of the physics node that know nothing of ROS.
#include <gtest/gtest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/driver.hpp"
#include "core/latest_box.hpp"
#include "core/left_segments.hpp"
#include "core/ownership.hpp"
#include "core/pacer.hpp"
#include "core/step_signal.hpp"
#include "core/world_clock.hpp"

using namespace ambf_physics;  // NOLINT

TEST(LatestBox, ReaderSeesOnlyWholeValuesAndNeverAnOlderOne)
{
  struct Pair
  {
    std::uint64_t a = 0, b = 0;
  };
  LatestBox<Pair> box;
  constexpr std::uint64_t kLast = 200000;
  std::thread writer([&] {
    for (std::uint64_t i = 1; i <= kLast; ++i) {
      box.back() = {i, i};
      box.publish();
    }
  });
  std::uint64_t last = 0;
  while (last != kLast) {
    if (!box.take()) { continue; }
    ASSERT_EQ(box.front().a, box.front().b);
    ASSERT_GT(box.front().a, last);
    last = box.front().a;
  }
  writer.join();
  EXPECT_FALSE(box.take());
}

TEST(Ownership, IsGivenInTheOrderOfAsking)
{
  Ownership ownership;
  std::atomic<bool> stop{false};
  std::atomic<int> served{0};
  std::thread greedy([&] {
    while (!stop) { const Ownership::Token token(ownership); }
  });
  for (int i = 0; i < 1000; ++i) {
    const Ownership::Token token(ownership);
    ++served;
  }
  stop = true;
  greedy.join();
  EXPECT_EQ(served, 1000);
}

TEST(StepSignal, WakesAWaiterAndLosesNoWakeUp)
{
  StepSignal signal;
  std::atomic<int> seen{0};
  constexpr int kRounds = 2000;
  std::thread waiter([&] {
    std::uint32_t last = 0;
    while (last < kRounds) {
      signal.wait(last, 5'000'000'000);
      last = signal.count();
      seen = static_cast<int>(last);
    }
  });
  for (int i = 0; i < kRounds; ++i) { signal.raise(); }
  waiter.join();
  EXPECT_EQ(seen, kRounds);
}

TEST(Pacer, HandsOutExactlyTheStepsThatWallTimeAsksFor)
{
  Pacer pacer;
  pacer.start({0.001, 1.0, 50}, 0);
  std::uint64_t taken = 0;
  for (std::int64_t now = 0; now <= 10'000'000'000; now += 1'370'000) { taken += pacer.due(now); }
  EXPECT_EQ(taken, 9999u) << "the last look was at 9.99963 s";
  EXPECT_DOUBLE_EQ(pacer.slip(), 0.0);
}

TEST(Pacer, CountsWhatItCannotCatchUpAsSlip)
{
  Pacer pacer;
  pacer.start({0.001, 1.0, 50}, 0);
  EXPECT_EQ(pacer.due(1'000'000'000), 50u);
  EXPECT_NEAR(pacer.slip(), 0.950, 1e-9);
  EXPECT_EQ(pacer.due(1'001'000'000), 1u) << "after a stall the steps are on the grid again";
}

TEST(Pacer, RunsSlowerAndFasterThanWallTime)
{
  Pacer pacer;
  pacer.start({0.001, 0.5, 50}, 0);
  EXPECT_EQ(pacer.due(100'000'000), 50u);
  pacer.start({0.001, 2.0, 500}, 0);
  EXPECT_EQ(pacer.due(100'000'000), 200u);
}

TEST(Driver, ALongCycleTellsItsReadersInBetween)
{
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  DriverSettings settings;
  // A million steps a second are too many even for an empty world: every cycle is as long as it may be.
  settings.pace = {0.001, 1000.0, 100'000};
  Driver driver(simulation, settings);
  driver.start(Mode::Realtime);
  // The first cycles are short: what is behind has to grow. Later the smallest stretch counts, as this
  // thread may miss some.
  std::uint64_t last = 0, smallest = 100'000;
  for (int seen = 0; seen < 100;) {
    if (!simulation.shared_state().take()) { continue; }
    const std::uint64_t step = simulation.shared_state().front().state.step;
    if (seen >= 50) { smallest = std::min(smallest, step - last); }
    last = step;
    ++seen;
    const Ownership::Token token(simulation.ownership);  // is to be had within the cycle
  }
  driver.stop();
  EXPECT_GT(smallest, 0u);
  EXPECT_LT(smallest, 50'000u);
}

TEST(Driver, TheMostStepsOfACycleCanBeSetAndWhatIsBeyondIsSlip)
{
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  DriverSettings settings;
  settings.pace = {0.001, 1.0, 1'000'000};
  Driver driver(simulation, settings);
  EXPECT_EQ(driver.max_steps_per_cycle(), 1'000'000u);
  // Physics cannot step while somebody else owns the world: what is due meanwhile is made up for, or is slip.
  const auto stall = [&] {
    const auto step = [&] {
      const Ownership::Token token(simulation.ownership);
      return simulation.world().state().step;
    };
    for (const std::uint64_t before = step(); step() == before;) {}  // it runs
    const Ownership::Token token(simulation.ownership);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  };
  const auto wait_for_figures = [&] {
    // Two windows of measuring: the second began after the stall.
    for (int i = 0; i < 2; ++i) {
      const double before = driver.figures().steps_per_second;
      while (driver.figures().steps_per_second == before) { std::this_thread::yield(); }
    }
  };
  driver.start(Mode::Realtime);
  stall();
  wait_for_figures();
  EXPECT_EQ(driver.figures().slip, 0.0);
  driver.set_max_steps_per_cycle(3);
  EXPECT_EQ(driver.max_steps_per_cycle(), 3u);
  stall();
  stall();  // the first may have found the old number
  wait_for_figures();
  driver.stop();
  EXPECT_GT(driver.figures().slip, 0.15);
}

TEST(SoleStepper, HasTheWorldUntilItIsSilentForTheLease)
{
  SoleStepper sole;
  EXPECT_TRUE(sole.may("a", 0, 10));
  sole.claim("a", 0);
  EXPECT_TRUE(sole.may("a", 5, 10));
  EXPECT_FALSE(sole.may("b", 5, 10));
  EXPECT_TRUE(sole.may("b", 10, 10));
  // Steps that take long are no silence.
  sole.begin();
  EXPECT_FALSE(sole.may("b", 1000, 10));
  sole.end(1000);
  EXPECT_FALSE(sole.may("b", 1009, 10));
  EXPECT_TRUE(sole.may("b", 1010, 10));
  sole.release();
  EXPECT_TRUE(sole.may("b", 1001, 10));
}

TEST(AgentRoster, WorldAdvancesOnlyWhenAllHaveGranted)
{
  AgentRoster agents;
  for (const char * name : {"a", "b", "c"}) { ASSERT_TRUE(agents.join(name, 0.0, 0)); }
  EXPECT_FALSE(agents.join("a", 0.0, 0));
  EXPECT_EQ(agents.grant("a", 1), AgentRoster::Grant::Waiting);
  EXPECT_EQ(agents.grant("a", 1), AgentRoster::Grant::Twice);
  EXPECT_EQ(agents.grant("x", 1), AgentRoster::Grant::NotJoined);
  EXPECT_EQ(agents.grant("b", 1), AgentRoster::Grant::Waiting);
  EXPECT_EQ(agents.missing(), std::vector<std::string>{"c"});
  EXPECT_EQ(agents.grant("c", 1), AgentRoster::Grant::Complete);
  agents.clear_grants(1);
  EXPECT_EQ(agents.grant("b", 2), AgentRoster::Grant::Waiting);
}

TEST(AgentRoster, TheSilentOneIsDeadOnceAsManyAsLiveHaveSpoken)
{
  AgentRoster agents;
  for (const char * name : {"a", "b", "c"}) {
    agents.join(name, 0.0, 0);
    agents.hello(name, 1);
  }
  agents.lease_lost(2, 100);
  EXPECT_TRUE(agents.take_dead(101, 1'000'000).empty()) << "nobody has spoken since";
  agents.grant("a", 102);
  EXPECT_TRUE(agents.take_dead(103, 1'000'000).empty()) << "b or c may be the dead one";
  agents.grant("c", 104);
  EXPECT_EQ(agents.take_dead(105, 1'000'000), std::vector<std::string>{"b"});
  EXPECT_TRUE(agents.complete());
}

TEST(AgentRoster, TheOneThatVanishedIsDeadAtOnce)
{
  AgentRoster agents;
  for (const char * name : {"a", "b", "c"}) {
    agents.join(name, 0.0, 0);
    agents.hello(name, 1);
  }
  EXPECT_TRUE(agents.take_dead(50, 1000, {"b"}).empty())
    << "no lease was lost: b may be between two publishers";
  agents.lease_lost(2, 100);
  EXPECT_TRUE(agents.suspicious());
  EXPECT_EQ(agents.take_dead(101, 1000, {"b"}), std::vector<std::string>{"b"});
  EXPECT_FALSE(agents.suspicious());
}

TEST(AgentRoster, WhoeverNeitherGrantedNorSpokeForAnotherLeaseIsDead)
{
  AgentRoster agents;
  for (const char * name : {"a", "b", "c"}) {
    agents.join(name, 0.0, 0);
    agents.hello(name, 1);
  }
  agents.grant("a", 90);
  agents.grant("c", 95);
  agents.lease_lost(2, 100);
  EXPECT_TRUE(agents.take_dead(1100, 1000).empty())
    << "a and c wait for a reply: b gets another lease to speak";
  EXPECT_EQ(agents.take_dead(1101, 1000), std::vector<std::string>{"b"});
  EXPECT_TRUE(agents.complete());
}

TEST(AgentRoster, AnAgentWithoutHelloIsDroppedAfterItsLease)
{
  AgentRoster agents;
  agents.join("mute", 0.0, 0);
  EXPECT_TRUE(agents.take_dead(900, 1000).empty());
  EXPECT_EQ(agents.take_dead(1001, 1000), std::vector<std::string>{"mute"});
}

TEST(AgentRoster, AnAgentWithoutHelloThatCallsOrWaitsIsNotDropped)
{
  AgentRoster agents;
  agents.join("mute", 0.0, 0);
  agents.join("other", 0.0, 0);
  agents.hello("other", 0);
  agents.grant("mute", 900);
  EXPECT_TRUE(agents.take_dead(5000, 1000).empty()) << "it waits for the other one";
  agents.grant("other", 5000);
  agents.clear_grants(5000);
  EXPECT_TRUE(agents.take_dead(6000, 1000).empty()) << "it was answered just now";
  EXPECT_EQ(agents.take_dead(6001, 1000), std::vector<std::string>{"mute"});
}

TEST(AgentRoster, ARoundThatNobodyWaitsInCostsNoBudget)
{
  AgentRoster agents;
  agents.join("quick", 0.0, 0);
  agents.join("slow", 0.5, 0);
  agents.grant("quick", 0);
  agents.withdraw("quick");
  EXPECT_TRUE(agents.over_budget(10'000'000'000).empty());
  agents.grant("quick", 0);
  agents.leave("quick");
  EXPECT_TRUE(agents.over_budget(10'000'000'000).empty());
  EXPECT_FALSE(agents.complete());
}

TEST(AgentRoster, ABudgetRunsFromTheFirstGrantOfTheRound)
{
  AgentRoster agents;
  agents.join("quick", 0.0, 0);
  agents.join("slow", 0.5, 0);
  EXPECT_TRUE(agents.over_budget(10'000'000'000).empty()) << "nobody waits yet";
  agents.grant("quick", 10'000'000'000);
  EXPECT_TRUE(agents.over_budget(10'400'000'000).empty());
  EXPECT_EQ(agents.over_budget(10'600'000'000), std::vector<std::string>{"slow"});
}

TEST(ToggleClock, GrantsOnEveryChangeAndNeverOnARepetition)
{
  ToggleClock clock;
  auto answer = clock.take(true, true, 5);
  EXPECT_EQ(answer.throttle, true);
  EXPECT_EQ(answer.steps, 5u);
  EXPECT_EQ(clock.take(true, true, 5).steps, 0u);
  EXPECT_EQ(clock.take(true, false, 3).steps, 3u);
  EXPECT_EQ(clock.take(true, true, 0).steps, ToggleClock::default_skip_steps)
    << "a message that leaves it unset";
  EXPECT_EQ(clock.take(true, false, 3).steps, 3u);
  answer = clock.take(false, true, 3);
  EXPECT_EQ(answer.throttle, false);
  EXPECT_EQ(answer.steps, 0u);
}

TEST(LeftSegments, OnlyThoseWithoutAnOwnerAreRemoved)
{
  namespace fs = std::filesystem;
  const fs::path folder =
    fs::temp_directory_path() / ("ambf_left_segments_" + std::to_string(getpid()));
  fs::create_directory(folder);
  const std::string left = "fastrtps_0123456789abcdef", living = "fastrtps_fedcba9876543210",
                    port = "fastrtps_port7411";
  for (const auto & name : {left, living, port}) {
    std::ofstream(folder / name) << "memory";
    std::ofstream(folder / (name + "_el"));
  }
  std::ofstream(folder / "fastrtps_00112233445566zz_el");
  const int owner = open((folder / (living + "_el")).c_str(), O_RDONLY);
  ASSERT_EQ(flock(owner, LOCK_EX | LOCK_NB), 0);
  EXPECT_EQ(remove_left_segments(folder), 1u);
  EXPECT_FALSE(fs::exists(folder / left) || fs::exists(folder / (left + "_el")));
  EXPECT_TRUE(fs::exists(folder / living) && fs::exists(folder / (living + "_el")));
  EXPECT_TRUE(fs::exists(folder / port) && fs::exists(folder / (port + "_el")));
  EXPECT_TRUE(fs::exists(folder / "fastrtps_00112233445566zz_el"));
  close(owner);
  EXPECT_EQ(remove_left_segments(folder), 1u);
  EXPECT_FALSE(fs::exists(folder / living));
  EXPECT_EQ(remove_left_segments(folder / "there is no such folder"), 0u);
  fs::remove_all(folder);
}
