// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "ambf_devices/device_cycle.hpp"
#include "ambf_devices/mock_driver.hpp"
#include "ambf_teleop/rotation.hpp"

namespace ambf_devices
{
namespace
{

using Eigen::Vector3d;

DriverState state_of(MockDriver & driver, double time)
{
  DriverState state;
  EXPECT_EQ(driver.read(time, state), DriverStatus::Ok);
  return state;
}

TEST(MockDriver, FollowsTheTestTrajectory)
{
  MockParameters parameters;
  parameters.wobble = Vector3d(0, 0.5, 0);
  MockDriver driver(parameters);
  const DriverState state = state_of(driver, 0.3);
  EXPECT_EQ(state.T_base_tip.position, trajectory_position(parameters.trajectory, 0.3));
  EXPECT_EQ(state.twist.linear, trajectory_velocity(parameters.trajectory, 0.3));
  const Vector3d turn = ambf_teleop::rotation_vector(state.T_base_tip.orientation);
  EXPECT_NEAR(turn.y(), 0.5 * std::sin(1.2), 1e-12);
  EXPECT_NEAR(state.twist.angular.y(), 0.5 * 4.0 * std::cos(1.2), 1e-12);
}

TEST(MockDriver, PlaysItsScriptOfClutchesAndGripper)
{
  MockParameters parameters;
  parameters.script = {{0.1, 0.0, true, false, 0}, {0.2, 1.0, false, true, 3}};
  MockDriver driver(parameters);
  EXPECT_EQ(state_of(driver, 0.05).gripper, 0.5);
  EXPECT_TRUE(state_of(driver, 0.15).position_clutch);
  EXPECT_EQ(state_of(driver, 0.15).gripper, 0.0);
  EXPECT_FALSE(state_of(driver, 0.25).position_clutch);
  EXPECT_TRUE(state_of(driver, 0.25).camera_clutch);
  EXPECT_EQ(state_of(driver, 0.25).actions, 3u);
}

TEST(MockDriver, ReplaysARecordingAndStartsAgainOrStops)
{
  MockParameters parameters;
  parameters.recording.resize(3);
  for (std::size_t i = 0; i < 3; ++i) {
    parameters.recording[i].time = 5.0 + 0.1 * static_cast<double>(i);
    parameters.recording[i].state.gripper = 0.1 * static_cast<double>(i);
  }
  MockDriver repeating(parameters);
  EXPECT_EQ(state_of(repeating, 0.0).gripper, 0.0);
  EXPECT_NEAR(state_of(repeating, 0.15).gripper, 0.15, 1e-12);
  EXPECT_FALSE(state_of(repeating, 0.16).relocated);
  const DriverState again = state_of(repeating, 0.35);  // 0.15 in the second round
  EXPECT_NEAR(again.gripper, 0.15, 1e-12);
  EXPECT_TRUE(again.relocated) << "the hand was put back to its start";
  EXPECT_FALSE(state_of(repeating, 0.36).relocated);
  parameters.repeat = false;
  MockDriver once(parameters);
  EXPECT_EQ(state_of(once, 7.0).gripper, 0.2);
}

/// A second of the test motion as samples of 1 kHz, up to 0.8 m/s.
Recording moving_hand()
{
  ambf_teleop::TestTrajectory path;
  path.scale = 0.2;
  Recording recording;
  for (int i = 0; i <= 1000; ++i) {
    RecordedState entry;
    entry.time = 0.001 * i;
    entry.state.T_base_tip.position = trajectory_position(path, entry.time);
    recording.push_back(entry);
  }
  return recording;
}

/// The device's loop by a clock of its own: what it makes of a mock's readings at 1 kHz.
struct Replay
{
  explicit Replay(const MockParameters & parameters, double seconds)
  {
    MockDriver driver(parameters);
    DeviceCycle cycle{CycleParameters{}};
    if (driver.capabilities().filtered) { cycle.believe_jumps(); }
    for (int i = 0; i <= static_cast<int>(1000.0 * seconds); ++i) {
      DriverState state;
      EXPECT_EQ(driver.read(0.001 * i, state), DriverStatus::Ok);
      const CycleResult result = cycle.tick(0.001 * i, true, state);
      refused += result.has_sample ? 0 : 1;
      relocated += result.has_sample && result.sample.relocated ? 1 : 0;
      if (result.has_sample) { last = result.sample; }
    }
  }

  int refused = 0;
  int relocated = 0;
  DeviceSample last;
};

TEST(MockDriver, ARecordingWithHolesIsReplayedWithoutARefusalAndEndsWhereItWas)
{
  MockParameters parameters;
  parameters.repeat = false;
  const Recording whole = moving_hand();
  for (const double longest : {0.012, 0.08, 0.3}) {
    parameters.recording.clear();
    for (const RecordedState & entry : whole) {
      if (std::fmod(entry.time, 0.35) < 0.349 - longest || &entry == &whole.back()) {
        parameters.recording.push_back(entry);
      }
    }
    ASSERT_LT(parameters.recording.size(), whole.size() - 20);
    const Replay replay(parameters, 1.1);
    EXPECT_EQ(replay.refused, 0) << longest;
    EXPECT_EQ(replay.relocated, 1) << "the first, and no other " << longest;
    EXPECT_EQ(replay.last.T_base_tip.position, whole.back().state.T_base_tip.position);
  }
}

TEST(MockDriver, AHandThatWasRecordedElsewhereIsReplayedSo)
{
  MockParameters parameters;
  parameters.repeat = false;
  parameters.recording = moving_hand();
  for (std::size_t i = 500; i < parameters.recording.size(); ++i) {
    parameters.recording[i].time += 0.5;
    parameters.recording[i].state.T_base_tip.position.x() += 0.5;
  }
  parameters.recording[500].state.relocated = true;
  const Replay replay(parameters, 1.6);
  EXPECT_EQ(replay.refused, 0);
  EXPECT_EQ(replay.relocated, 2) << "the first one, and the new place";

  // Passed between two readings, it is told with the next one.
  MockDriver slow(parameters);
  EXPECT_FALSE(state_of(slow, 0.4).relocated);
  EXPECT_TRUE(state_of(slow, 1.2).relocated);
  EXPECT_FALSE(state_of(slow, 1.3).relocated);

  // Scripted faults are there to be found: then readings are judged as ever.
  parameters.faults = {{0.2, 0.21, MockFault::Jump}};
  EXPECT_GE(Replay(parameters, 0.4).refused, 10);
}

TEST(MockDriver, HandsOnTheWorldsClockPlayInStepWhenTheyAreStartedOneAfterTheOther)
{
  MockParameters parameters;
  const auto early = std::make_shared<WorldClock>(2.0);
  const auto late = std::make_shared<WorldClock>(2.0);
  parameters.clock = early;
  MockDriver one(parameters);
  parameters.clock = late;
  MockDriver other(parameters);
  const Vector3d start = trajectory_position(parameters.trajectory, 0.0);
  EXPECT_EQ(state_of(one, 7.0).T_base_tip.position, start);
  early->set(1.5);
  EXPECT_EQ(state_of(one, 7.5).T_base_tip.position, start);
  for (const double time : {2.25, 2.25, 2.75, 0.5, 2.125}) {  // stands, goes on, is reset
    early->set(time);
    late->set(time);
    const Vector3d there = state_of(one, 8.0).T_base_tip.position;
    EXPECT_EQ(there, state_of(other, 0.1).T_base_tip.position);
    EXPECT_EQ(there, trajectory_position(parameters.trajectory, std::max(time - 2.0, 0.0)));
  }
}

TEST(MockDriver, OneThatWaitsShowsItsFirstMomentUntilItIsToldToBegin)
{
  MockParameters parameters;
  parameters.waits = true;
  MockDriver driver(parameters);
  const auto at = [&](double time) { return trajectory_position(parameters.trajectory, time); };
  EXPECT_EQ(state_of(driver, 5.0).T_base_tip.position, at(0.0));
  driver.begin();
  EXPECT_EQ(state_of(driver, 6.0).T_base_tip.position, at(0.0));
  EXPECT_EQ(state_of(driver, 6.5).T_base_tip.position, at(0.5));
}

TEST(WorldClock, StartsWithTheFirstTimeItHearsAndAnewWhenTheWorldIsReset)
{
  WorldClock clock(-1.0);
  EXPECT_EQ(clock.elapsed(), 0.0);
  clock.set(40.0);
  EXPECT_EQ(clock.elapsed(), 0.0);
  clock.set(42.5);
  EXPECT_EQ(clock.elapsed(), 2.5);
  clock.set(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(clock.elapsed(), 2.5);
  clock.set(0.25);
  EXPECT_EQ(clock.elapsed(), 0.0);
  clock.set(1.25);
  EXPECT_EQ(clock.elapsed(), 1.0);
}

TEST(MockDriver, ShowsTheFaultsItIsAskedFor)
{
  MockParameters parameters;
  parameters.faults = {
    {1.0, 2.0, MockFault::NotFinite},
    {2.0, 3.0, MockFault::NotUnit},
    {3.0, 4.0, MockFault::Jump},
    {4.0, 5.0, MockFault::NothingNew},
    {5.0, 6.0, MockFault::Lost}};
  MockDriver driver(parameters);
  DriverState state;
  std::string why;
  EXPECT_TRUE(driver.open(0.0, why));
  EXPECT_TRUE(std::isnan(state_of(driver, 1.5).T_base_tip.position.x()));
  EXPECT_NEAR(state_of(driver, 2.5).T_base_tip.orientation.norm(), 1.2, 1e-12);
  const double there = trajectory_position(parameters.trajectory, 3.5).x();
  EXPECT_NEAR(state_of(driver, 3.5).T_base_tip.position.x() - there, 1.0, 1e-12);
  EXPECT_EQ(driver.read(4.5, state), DriverStatus::NothingNew);
  EXPECT_EQ(driver.read(5.5, state), DriverStatus::Lost);
  EXPECT_FALSE(driver.open(5.5, why));
  EXPECT_FALSE(why.empty());
  EXPECT_TRUE(driver.open(6.0, why));
}

TEST(MockDriver, DropsTheShareOfReadingsAndTheSameOnesForTheSameSeed)
{
  MockParameters parameters;
  parameters.dropout = 0.25;
  MockDriver one(parameters);
  MockDriver other(parameters);
  DriverState state;
  int dropped = 0;
  for (int i = 0; i < 4000; ++i) {
    const DriverStatus status = one.read(0.001 * i, state);
    EXPECT_EQ(status, other.read(0.001 * i, state));
    dropped += status == DriverStatus::NothingNew ? 1 : 0;
  }
  EXPECT_NEAR(dropped, 1000, 140);  // five standard deviations
}

TEST(MockDriver, HandGivesWayToForce)
{
  MockParameters parameters;
  parameters.hand_compliance = 0.001;
  MockDriver driver(parameters);
  const Vector3d before = state_of(driver, 0.1).T_base_tip.position;
  driver.write(0.1, {Vector3d(0, 5, 0), Vector3d::Zero()});
  const Vector3d after = state_of(driver, 0.1).T_base_tip.position;
  EXPECT_LT((after - before - Vector3d(0, 0.005, 0)).norm(), 1e-15);
  EXPECT_EQ(driver.last_force(), 5.0);
}

TEST(MockDriver, WithoutMotorsTakesNoForce)
{
  MockParameters parameters;
  parameters.force = false;
  MockDriver driver(parameters);
  EXPECT_FALSE(driver.capabilities().force);
  EXPECT_EQ(driver.write(0.0, {}), DriverStatus::Unsupported);
}

}  // namespace
}  // namespace ambf_devices
