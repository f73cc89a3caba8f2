// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <vector>

#include "two_links.hpp"

using namespace ambf_simulation;  // NOLINT

TEST(Commands, EachTellsTheStepAtWhichItWasApplied)
{
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  ASSERT_TRUE(load(simulation, two_links()));
  BodyOrder order;
  order.source = 1;
  order.revision = simulation.world().revision();
  order.body.mode = ambf_dynamics::BodyMode::Wrench;
  for (const std::uint64_t step : {1u, 11u, 21u}) {
    simulation.commands().bodies.apply(simulation.world(), 0, order, 0, true);
    EXPECT_EQ(simulation.commands().bodies.commander(0).applied_step, step);
    for (int i = 0; i < 10; ++i) { simulation.step(0, 0, WatchdogAction::Hold, false); }
  }
}

TEST(Commands, TheWatchdogHoldsABodyWhoseJointsWereCommandedToo)
{
  for (const bool itself : {true, false}) {
    Simulation simulation(std::move(*ambf_dynamics::make_world()));
    ASSERT_TRUE(load(simulation, two_links()));
    BodyOrder order;
    order.source = 1;
    order.revision = simulation.world().revision();
    if (itself) { order.body.mode = ambf_dynamics::BodyMode::Pose; }
    order.joints = {{0, ambf_dynamics::JointMode::Position, 0.0}};
    simulation.commands().bodies.apply(simulation.world(), 0, order, 0, true);
    for (std::int64_t i = 0; i < 1000; ++i) {
      simulation.step(i * 1'000'000, 100'000'000, WatchdogAction::Hold, true);
    }
    EXPECT_FALSE(simulation.commands().bodies.commander(0).live);
    // As a mere handle of its joints it falls.
    EXPECT_EQ(simulation.world().state().bodies[2] > -0.1, itself);
  }
}

TEST(Commands, TheWatchdogEndsAHoldOrGoesOnHoldingAsStiffly)
{
  for (const auto action : {WatchdogAction::Hold, WatchdogAction::Release}) {
    Simulation simulation(std::move(*ambf_dynamics::make_world()));
    ASSERT_TRUE(load(simulation, two_links()));
    BodyOrder order;
    order.source = 1;
    order.revision = simulation.world().revision();
    order.body.mode = ambf_dynamics::BodyMode::Hold;
    order.body.max_force = 80.0;  // 50 N are the weight
    simulation.commands().bodies.apply(simulation.world(), 0, order, 0, true);
    for (std::int64_t i = 0; i < 1000; ++i) {
      simulation.step(i * 1'000'000, 100'000'000, action, true);
    }
    EXPECT_FALSE(simulation.commands().bodies.commander(0).live);
    const bool held = action == WatchdogAction::Hold;
    EXPECT_EQ(simulation.world().body_command(0).mode == ambf_dynamics::BodyMode::Hold, held);
    EXPECT_EQ(std::abs(simulation.world().state().bodies[2]) < 1e-6, held);
    if (held) { EXPECT_EQ(simulation.world().body_command(0).max_force, 80.0); }
  }
}

TEST(BodyInbox, KeepsTheNewestOrderOfEachJointUntilItIsTaken)
{
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  BodyInbox inbox;
  EXPECT_EQ(inbox.take(), nullptr);
  inbox.post(joint_order(simulation, 1, 0, 0.1), 1);
  inbox.post(joint_order(simulation, 2, 1, 0.2), 2);
  inbox.post(joint_order(simulation, 1, 0, 0.3), 5);
  const auto * posted = inbox.take();
  ASSERT_NE(posted, nullptr);
  ASSERT_EQ(posted->joints.size(), 2u);
  EXPECT_EQ(posted->joints[0].order.value, 0.2);
  EXPECT_EQ(posted->joints[0].source, 2u);
  EXPECT_EQ(posted->joints[1].order.value, 0.3);
  EXPECT_EQ(posted->joints[1].rival, 0u);
  EXPECT_EQ(posted->number, 5u);
  EXPECT_EQ(inbox.messages(), 3u);
  EXPECT_EQ(inbox.seen(), 0u);
  EXPECT_EQ(inbox.take(), nullptr);
  // What was taken is not posted again.
  inbox.post(joint_order(simulation, 2, 1, 0.4), 6);
  inbox.post(joint_order(simulation, 1, 1, 0.5), 7);
  posted = inbox.take();
  ASSERT_EQ(posted->joints.size(), 1u);
  EXPECT_EQ(posted->joints[0].rival, 2u);
  EXPECT_EQ(inbox.seen(), 5u);
  EXPECT_EQ(inbox.messages(), 2u);
  // An index of another revision is another joint.
  inbox.post(joint_order(simulation, 1, 0, 0.6), 8);
  auto later = joint_order(simulation, 1, 0, 0.7);
  ++later.revision;
  inbox.post(later, 9);
  posted = inbox.take();
  ASSERT_EQ(posted->joints.size(), 2u);
  EXPECT_EQ(posted->joints[0].revision + 1, posted->joints[1].revision);
}

TEST(BodyInbox, LosesNothingBetweenTwoThreads)
{
  // Joint k gets the values k, k + 8, k + 16 ...: the owner must see the last of each, and each at most once.
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  BodyInbox inbox;
  constexpr int messages = 200'000, joints = 8;
  std::thread writer([&] {
    for (int i = 0; i < messages; ++i) {
      inbox.post(
        joint_order(simulation, 1, static_cast<ambf_dynamics::JointIndex>(i % joints), i),
        static_cast<std::uint64_t>(i + 1));
    }
  });
  std::vector<double> last(joints, -1.0);
  std::uint64_t newest = 0;
  while (newest < messages) {
    const auto * posted = inbox.take();
    if (posted == nullptr) { continue; }
    for (const auto & joint : posted->joints) {
      if (joint.number <= inbox.seen()) { continue; }
      ASSERT_GT(joint.order.value, last[joint.order.joint]);
      last[joint.order.joint] = joint.order.value;
    }
    newest = posted->number;
  }
  writer.join();
  for (int k = 0; k < joints; ++k) {
    EXPECT_EQ(last[static_cast<std::size_t>(k)], messages - joints + k);
  }
}

TEST(Commands, AWatchdogLeavesAJointToWhoHasTakenItOver)
{
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  ASSERT_TRUE(load(simulation, two_links()));
  auto & world = simulation.world();
  auto & commands = simulation.commands().bodies;
  const auto effort = [&] { return world.state().joints[2]; };
  commands.post(*commands.inbox(0), joint_order(simulation, 1, 0, 0.1));
  simulation.step(0, 100, WatchdogAction::Release, true);
  EXPECT_NEAR(effort(), 0.1, 1e-9);
  EXPECT_EQ(commands.commander(0).source, 1u);
  // A step call commands the joint by its index: every body that lists it says so.
  ASSERT_EQ(
    commands.apply_joint(world, {0, ambf_dynamics::JointMode::Effort, 0.3}, 2),
    ambf_dynamics::CommandResult::Ok);
  EXPECT_EQ(commands.commander(0).source, 2u);
  simulation.step(1, 100, WatchdogAction::Release, true);
  simulation.step(1000, 100, WatchdogAction::Release, true);
  EXPECT_EQ(commands.counters().watchdog_trips, 1u);
  simulation.step(1001, 100, WatchdogAction::Release, true);
  EXPECT_NEAR(effort(), 0.3, 1e-9);
  EXPECT_EQ(commands.commander(0).source, 2u) << "its command still stands";
  EXPECT_EQ(commands.commander(0).applied_step, 2u);
}

TEST(Commands, StandingCommandersSurviveOtherModelsComingAndGoing)
{
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  ASSERT_TRUE(load(simulation, two_links("first")));
  ASSERT_TRUE(load(simulation, two_links("second")));
  auto & commands = simulation.commands().bodies;
  const auto body = simulation.world().joints()[1].parent;
  commands.post(*commands.inbox(body), joint_order(simulation, 1, 1, 0.1));
  simulation.step(0, 100, WatchdogAction::Release, true);
  ASSERT_TRUE(simulation.remove(simulation.content().models().front().model.name));
  const auto now_at = simulation.world().joints()[0].parent;
  EXPECT_EQ(commands.commander(now_at).source, 1u);
  simulation.step(1, 100, WatchdogAction::Release, true);
  EXPECT_NEAR(simulation.world().state().joints[2], 0.1, 1e-9);
  simulation.step(1000, 100, WatchdogAction::Release, true);
  simulation.step(1001, 100, WatchdogAction::Release, true);
  EXPECT_EQ(commands.counters().watchdog_trips, 1u);
  EXPECT_EQ(simulation.world().state().joints[2], 0.0)
    << "the joint moved to another index and was released there";
}

TEST(Commands, AreUnderstoodByAWorldThatChangedMeanwhile)
{
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  ASSERT_TRUE(load(simulation, two_links("first")));
  ASSERT_TRUE(load(simulation, two_links("second")));
  auto & commands = simulation.commands().bodies;
  const auto inbox = commands.inbox(simulation.world().joints()[1].parent);
  commands.post(*inbox, joint_order(simulation, 1, 1, 0.1));
  // One with a joint that goes, posted to a body that stays.
  auto both = joint_order(simulation, 1, 0, 0.5);
  both.joints.push_back({1, ambf_dynamics::JointMode::Effort, 0.2});
  commands.post(*inbox, both);
  ASSERT_TRUE(load(simulation, two_links("third")));
  ASSERT_TRUE(simulation.remove(simulation.content().models().front().model.name));
  const auto refused = commands.counters().refused;
  simulation.step(0, 0, WatchdogAction::Release, true);
  EXPECT_NEAR(simulation.world().state().joints[2], 0.2, 1e-9);
  EXPECT_EQ(simulation.world().state().joints[5], 0.0);
  EXPECT_EQ(commands.counters().refused, refused + 1);
}

TEST(Commands, OfStepCallsHoldBesideAWatchdogAndDoNotStopIt)
{
  // Joint 0 is told by a topic, joint 1 by a step call, through the same body, in either order.
  for (const bool topic_first : {true, false}) {
    Simulation simulation(std::move(*ambf_dynamics::make_world()));
    LoadRequest request = two_links();
    request.text =
      "bodies: [BODY base, BODY a, BODY b]\njoints: [JOINT one, JOINT two]\n"
      "BODY base: {name: base, mass: 0}\n"
      "BODY a: {name: a, mass: 1, inertia: {ix: 1, iy: 1, iz: 1}}\nBODY b: {name: b, mass: 1, "
      "inertia: {ix: 1, iy: 1, iz: 1}}\n"
      "JOINT one: {name: one, type: continuous, parent: BODY base, child: BODY a, parent axis: {x: "
      "1, y: 0, z: 0},\n"
      "  child axis: {x: 1, y: 0, z: 0}, parent pivot: {x: 0, y: 0, z: 0}, child pivot: {x: 0, y: "
      "0, z: 0}}\n"
      "JOINT two: {name: two, type: continuous, parent: BODY base, child: BODY b, parent axis: {x: "
      "1, y: 0, z: 0},\n"
      "  child axis: {x: 1, y: 0, z: 0}, parent pivot: {x: 0, y: 0, z: 0}, child pivot: {x: 0, y: "
      "0, z: 0}}\n";
    ASSERT_TRUE(load(simulation, request));
    auto & commands = simulation.commands().bodies;
    const auto by_topic = [&] {
      commands.post(*commands.inbox(0), joint_order(simulation, 1, 0, 0.1));
      simulation.step(0, 100, WatchdogAction::Release, true);
    };
    if (topic_first) { by_topic(); }
    commands.apply(simulation.world(), 0, joint_order(simulation, 2, 1, 0.2), 0, false);
    if (!topic_first) { by_topic(); }
    simulation.step(50, 100, WatchdogAction::Release, true);
    EXPECT_NEAR(simulation.world().state().joints[2], 0.1, 1e-9);
    simulation.step(1000, 100, WatchdogAction::Release, true);
    simulation.step(1001, 100, WatchdogAction::Release, true);
    EXPECT_EQ(commands.counters().watchdog_trips, 1u);
    EXPECT_EQ(simulation.world().state().joints[2], 0.0) << topic_first;
    EXPECT_NEAR(simulation.world().state().joints[5], 0.2, 1e-9) << topic_first;
    EXPECT_EQ(commands.commander(0).source, 2u);
  }
}

TEST(Commands, OutliveTheBodyTheyWereToldThroughAndAreWatchedAllTheSame)
{
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  ASSERT_TRUE(load(simulation, two_links("first")));
  ASSERT_TRUE(load(simulation, two_links("second")));
  auto & commands = simulation.commands().bodies;
  // The joint of the second model, told to a body of the first.
  const auto other = simulation.world().joints()[0].parent;
  commands.post(*commands.inbox(other), joint_order(simulation, 1, 1, 0.1));
  simulation.step(0, 100, WatchdogAction::Release, true);
  ASSERT_TRUE(simulation.remove(simulation.content().models().front().model.name));
  simulation.step(50, 100, WatchdogAction::Release, true);
  EXPECT_NEAR(simulation.world().state().joints[2], 0.1, 1e-9);
  EXPECT_EQ(commands.commander(simulation.world().joints()[0].parent).source, 1u);
  simulation.step(1000, 100, WatchdogAction::Release, true);
  simulation.step(1001, 100, WatchdogAction::Release, true);
  EXPECT_EQ(commands.counters().watchdog_trips, 1u);
  EXPECT_EQ(simulation.world().state().joints[2], 0.0);
}

TEST(Commands, TheNewestWinsWhateverBodyItWasToldTo)
{
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  ASSERT_TRUE(load(simulation, two_links()));
  auto & commands = simulation.commands().bodies;
  const auto later = joint_order(simulation, 2, 0, 0.2);
  for (const bool base_last : {false, true}) {
    commands.post(*commands.inbox(base_last ? 1 : 0), joint_order(simulation, 1, 0, 0.1));
    commands.post(*commands.inbox(base_last ? 0 : 1), later);
    simulation.step(0, 0, WatchdogAction::Release, true);
    EXPECT_NEAR(simulation.world().state().joints[2], 0.2, 1e-9) << base_last;
  }
}

TEST(Commands, WhatIsPostedDuringACallOfTheWorldClockWaitsForTheNext)
{
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  ASSERT_TRUE(load(simulation, two_links()));
  auto & commands = simulation.commands().bodies;
  commands.post(*commands.inbox(0), joint_order(simulation, 1, 0, 0.1));
  simulation.step(0, 0, WatchdogAction::Release, false);
  EXPECT_EQ(simulation.world().state().joints[2], 0.0);
  simulation.apply_posted(0);
  simulation.step(0, 0, WatchdogAction::Release, false);
  EXPECT_NEAR(simulation.world().state().joints[2], 0.1, 1e-9);
}

TEST(Commands, NothingThatWasPostedOutlivesAReset)
{
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  ASSERT_TRUE(load(simulation, two_links()));
  auto & commands = simulation.commands().bodies;
  const auto saved = simulation.save();
  for (const bool restore : {false, true}) {
    commands.post(*commands.inbox(0), joint_order(simulation, 1, 0, 0.1));
    if (restore) {
      ASSERT_TRUE(simulation.restore(saved, 0, 9));
    } else {
      simulation.reset(true, true, false);
    }
    simulation.step(0, 0, WatchdogAction::Release, true);
    EXPECT_EQ(simulation.world().state().joints[2], 0.0) << restore;
  }
}

TEST(Commands, WhatARestoredStateHoldsIsWatchedAndTold)
{
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  ASSERT_TRUE(load(simulation, two_links()));
  auto & commands = simulation.commands().bodies;
  commands.post(*commands.inbox(0), joint_order(simulation, 1, 0, 0.1));
  simulation.step(0, 100, WatchdogAction::Release, true);
  const auto saved = simulation.save();
  simulation.step(1000, 100, WatchdogAction::Release, true);
  ASSERT_EQ(commands.counters().watchdog_trips, 1u);
  ASSERT_TRUE(simulation.restore(saved, 2000, 9));
  simulation.step(2050, 100, WatchdogAction::Release, true);
  EXPECT_NEAR(simulation.world().state().joints[2], 0.1, 1e-9);
  EXPECT_EQ(commands.commander(simulation.world().joints()[0].parent).source, 9u);
  simulation.step(2200, 100, WatchdogAction::Release, true);
  simulation.step(2201, 100, WatchdogAction::Release, true);
  EXPECT_EQ(commands.counters().watchdog_trips, 2u);
  EXPECT_EQ(simulation.world().state().joints[2], 0.0);
}
