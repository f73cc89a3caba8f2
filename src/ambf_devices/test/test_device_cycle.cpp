// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "ambf_devices/device_cycle.hpp"
#include "ambf_teleop/position_clutch.hpp"
#include "ambf_teleop/trajectory.hpp"
#include "ambf_test_support/allocation_count.hpp"

namespace ambf_devices
{
namespace
{

using ambf_teleop::ReadingVerdict;
using ambf_test_support::allocations_are_counted;
using ambf_test_support::begin_counting_allocations;
using ambf_test_support::end_counting_allocations;
using Eigen::Vector3d;

constexpr double period = 0.001;

/// 100 N/m, no passivity control, limits far away: the bare law.
CycleParameters bare()
{
  CycleParameters parameters;
  parameters.gains.linear_stiffness = Vector3d::Constant(100.0);
  parameters.limits.max_force = 100.0;
  parameters.limits.max_force_rate = 1e9;
  parameters.passivity.enabled = false;
  return parameters;
}

DriverState hand_at(const Vector3d & position, bool clutch = false)
{
  DriverState state;
  state.T_base_tip.position = position;
  state.position_clutch = clutch;
  return state;
}

/// What the physics does with samples, as far as references go; the proxy stays where it is put.
struct Physics
{
  ambf_teleop::PairFrames pair = ambf_teleop::start_pair({});
  ambf_teleop::MappingParameters mapping;
  ProxySample answer(const DeviceSample & sample)
  {
    if (sample.relocated) { forget_handle(pair); }
    update_reference(
      pair, mapping, {sample.T_base_tip, sample.position_clutch, sample.camera_clutch},
      Eigen::Quaterniond::Identity(), period);
    ProxySample proxy;
    proxy.T_world_reference = pair.reference;
    proxy.device_sequence = sample.sequence;
    return proxy;
  }
};

TEST(DeviceCycle, GivesNoForceBeforeTheFirstProxyState)
{
  DeviceCycle cycle(bare());
  for (int i = 0; i < 100; ++i) {
    const CycleResult result = cycle.tick(period * i, true, hand_at({0.001 * i, 0, 0}));
    EXPECT_EQ(result.wrench.force.norm(), 0.0);
    EXPECT_FALSE(result.proxy_fresh);
    EXPECT_TRUE(result.has_sample);
    EXPECT_EQ(result.sample.sequence, static_cast<std::uint64_t>(i) + 1);
  }
}

TEST(DeviceCycle, ForceFollowsTheHandAtItsOwnRateBetweenProxyStates)
{
  // Physics at 100 Hz with an answer that is 3 ms old when it arrives; the device at 1 kHz.
  CycleParameters parameters = bare();
  parameters.workspace_scale = 2.0;
  DeviceCycle cycle(parameters);
  Physics physics;
  physics.mapping.workspace_scale = 2.0;
  const ambf_teleop::TestTrajectory path{{}, {1, 1, 2}, 4.0, 0.02};
  ProxySample on_its_way;
  int arrives = -1;
  Vector3d start = Vector3d::Zero();
  for (int i = 0; i < 1000; ++i) {
    const Vector3d hand = trajectory_position(path, period * i);
    if (i == arrives) { ASSERT_TRUE(cycle.take_proxy(on_its_way, period * i)); }
    const CycleResult result = cycle.tick(period * i, true, hand_at(hand));
    ASSERT_TRUE(result.has_sample);
    if (i == 0) { start = hand; }
    if (i % 10 == 0) {
      on_its_way = physics.answer(result.sample);
      arrives = i + 3;
    }
    if (i > 3) {
      // The proxy stands at the origin, the reference at 2 (hand - start).
      ASSERT_LT((result.wrench.force + 200.0 * (hand - start)).norm(), 1e-9) << i;
    }
  }
}

TEST(DeviceCycle, ForceIsExactlyZeroFromThirtyMillisecondsOfSilenceAndFadesBefore)
{
  DeviceCycle cycle(bare());
  ProxySample proxy;
  proxy.T_world_reference.position = Vector3d(0.05, 0, 0);
  cycle.take_proxy(proxy, 0.0);
  double last = 5.0;
  for (int i = 0; i < 60; ++i) {
    const CycleResult result = cycle.tick(period * i, true, hand_at(Vector3d::Zero()));
    const double force = result.wrench.force.norm();
    if (i > 0 && i <= 15) { EXPECT_NEAR(force, 5.0, 1e-9); }
    if (i > 15 && i < 30) {
      EXPECT_LT(force, last);
      EXPECT_GT(force, last - 0.4);  // 5 N over 15 ms
    }
    if (i >= 30) {
      EXPECT_EQ(force, 0.0) << i;
      EXPECT_FALSE(result.proxy_fresh);
    }
    last = force;
  }
  cycle.take_proxy(proxy, 0.060);
  EXPECT_GT(cycle.tick(0.060, true, hand_at(Vector3d::Zero())).wrench.force.norm(), 1.0);
}

TEST(DeviceCycle, ForceIsZeroWhenTheDeviceGivesNoGoodReadingForThirtyMilliseconds)
{
  DeviceCycle cycle(bare());
  ProxySample proxy;
  proxy.T_world_reference.position = Vector3d(0.05, 0, 0);
  const DriverState broken = hand_at(Vector3d::Constant(std::nan("")));
  for (int i = 0; i < 60; ++i) {
    cycle.take_proxy(proxy, period * i);
    const CycleResult result =
      cycle.tick(period * i, true, i == 0 ? hand_at(Vector3d::Zero()) : broken);
    if (i > 0) {
      EXPECT_EQ(result.verdict, ReadingVerdict::NotFinite);
      EXPECT_FALSE(result.has_sample);
      EXPECT_EQ(result.sample.sequence, 0u);
    }
    if (i > 0 && i < 30) { EXPECT_NEAR(result.wrench.force.norm(), 5.0, 1e-9); }
    if (i > 30) { EXPECT_EQ(result.wrench.force.norm(), 0.0); }
  }
}

TEST(DeviceCycle, HandIsFreeWhileAClutchIsPressedAndTheForceComesBackWithoutAJump)
{
  DeviceCycle cycle(bare());
  Physics physics;
  Vector3d hand = Vector3d::Zero();
  const Vector3d speed(0.1, 0, 0);
  double before_press = 0.0;
  for (int i = 0; i < 300; ++i) {
    const bool clutch = i >= 100 && i < 200;
    const CycleResult result = cycle.tick(period * i, true, hand_at(hand, clutch));
    cycle.take_proxy(physics.answer(result.sample), period * i);
    const double force = -result.wrench.force.x();
    if (i == 99) { before_press = force; }
    if (clutch) { EXPECT_EQ(force, 0.0); }
    if (i == 200) { EXPECT_NEAR(force, before_press, 100.0 * 2e-4); }  // two steps of the hand
    hand += period * speed;
  }
  EXPECT_NEAR(before_press, 100.0 * 0.1 * 0.099, 1e-9);
}

TEST(DeviceCycle, OnlyAxesWithGainsAreFeltWithThePassivityControllerToo)
{
  CycleParameters parameters;
  parameters.gains.linear_stiffness = {200.0, 0.0, 0.0};
  parameters.gains.angular_stiffness = {0.0, 0.0, 1.0};
  parameters.passivity.enabled = true;
  DeviceCycle cycle(parameters);
  double felt = 0.0, twisted = 0.0;
  for (int i = 0; i < 3000; ++i) {
    const double time = period * i, angle = 12.0 * time;
    // The proxy lags behind by an eighth of a turn: the hand does work on the spring and gets some of it back.
    ProxySample proxy;
    proxy.T_world_proxy.position =
      0.03 * Vector3d(std::sin(angle - 0.8), std::cos(angle), std::sin(angle + 0.8));
    proxy.T_world_proxy.orientation =
      Eigen::AngleAxisd(0.3 * std::sin(angle - 0.8), Vector3d::UnitZ());
    cycle.take_proxy(proxy, time);
    DriverState state = hand_at(0.03 * Vector3d(std::sin(angle), std::cos(angle), std::sin(angle)));
    state.T_base_tip.orientation =
      Eigen::AngleAxisd(0.3 * std::sin(angle), Vector3d(1, 2, 2).normalized());
    const CycleResult result = cycle.tick(time, true, state);
    felt = std::max(felt, std::abs(result.wrench.force.x()));
    twisted = std::max(twisted, std::abs(result.wrench.torque.z()));
    ASSERT_EQ(result.wrench.force.tail<2>().norm(), 0.0) << i;
    ASSERT_EQ(result.wrench.torque.head<2>().norm(), 0.0) << i;
  }
  EXPECT_GT(felt, 0.5);
  EXPECT_GT(twisted, 0.01);
}

TEST(DeviceCycle, ForceStaysWithinMaximumAndRateForAnyReadingAndProxyState)
{
  CycleParameters parameters;  // with the limits and the passivity controller of the defaults
  parameters.gains.linear_stiffness = Vector3d::Constant(1e4);
  parameters.gains.linear_damping = Vector3d::Constant(100.0);
  parameters.gains.angular_stiffness = Vector3d::Constant(100.0);
  DeviceCycle cycle(parameters);
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto maybe = [&](double value) {
    return number(random) > 0.99 ? std::numeric_limits<double>::quiet_NaN() : value;
  };
  Vector3d last = Vector3d::Zero();
  for (int i = 0; i < 20000; ++i) {
    ProxySample proxy;
    proxy.T_world_proxy.position = {maybe(number(random)), number(random), 0};
    proxy.T_world_reference.position = {number(random), 0, maybe(number(random))};
    proxy.T_world_reference.orientation.coeffs() *= number(random) > 0.9 ? 3.0 : 1.0;
    proxy.device_sequence = static_cast<std::uint64_t>(i) * 7919u;
    const double time = period * i;
    cycle.take_proxy(proxy, time);
    const DriverState state =
      hand_at(0.002 * Vector3d(maybe(number(random)), number(random), number(random)));
    const CycleResult result = cycle.tick(time, number(random) < 0.9, state);
    ASSERT_LE(result.wrench.force.norm(), parameters.limits.max_force * (1 + 1e-12));
    ASSERT_LE(result.wrench.torque.norm(), parameters.limits.max_torque * (1 + 1e-12));
    if (result.proxy_fresh && i > 0) {
      ASSERT_LE(
        (result.wrench.force - last).norm(), parameters.limits.max_force_rate * period + 1e-9);
    }
    last = result.wrench.force;
  }
}

TEST(DeviceCycle, RefusesProxyStatesThatAreNotFiniteOrNoRotations)
{
  DeviceCycle cycle(bare());
  ProxySample proxy;
  EXPECT_TRUE(cycle.take_proxy(proxy, 0.0));
  proxy.T_world_proxy.position.x() = std::nan("");
  EXPECT_FALSE(cycle.take_proxy(proxy, 0.0));
  proxy = {};
  proxy.R_world_camera.coeffs() *= 2.0;
  EXPECT_FALSE(cycle.take_proxy(proxy, 0.0));
}

TEST(DeviceCycle, AJumpOfAMetreReachesNeitherPhysicsNorHand)
{
  DeviceCycle cycle(bare());
  Physics physics;
  int samples = 0;
  bool relocated = false;
  for (int i = 0; i < 200; ++i) {
    const Vector3d hand(i < 100 ? 0.0 : 1.0, 0, 0);
    const CycleResult result = cycle.tick(period * i, true, hand_at(hand));
    if (result.has_sample) {
      ++samples;
      relocated = relocated || (i > 0 && result.sample.relocated);
      cycle.take_proxy(physics.answer(result.sample), period * i);
    }
    ASSERT_EQ(result.wrench.force.norm(), 0.0) << i;
  }
  EXPECT_EQ(samples, 181);  // 19 are refused until the new place is believed
  EXPECT_TRUE(relocated);
  EXPECT_EQ(physics.pair.reference.position.norm(), 0.0);
}

TEST(DeviceCycle, ALostDeviceComesBackAnywhereWithoutAForce)
{
  DeviceCycle cycle(bare());
  Physics physics;
  for (int i = 0; i < 20; ++i) {
    const CycleResult result = cycle.tick(period * i, true, hand_at(Vector3d::Zero()));
    cycle.take_proxy(physics.answer(result.sample), period * i);
  }
  cycle.device_lost();
  const CycleResult back = cycle.tick(0.021, true, hand_at({0.4, 0, 0}));
  EXPECT_TRUE(back.sample.relocated);
  EXPECT_EQ(back.sample.sequence, 21u);
  EXPECT_EQ(back.wrench.force.norm(), 0.0);
}

TEST(DeviceCycle, GravityIsHeldWhateverTheProxyDoes)
{
  CycleParameters parameters = bare();
  parameters.gravity.wrench_at_tip = [](const ambf_teleop::Pose &, const void *) noexcept {
    return ambf_teleop::Wrench{Vector3d(0, 0, 2.0), Vector3d::Zero()};
  };
  DeviceCycle cycle(parameters);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(
      cycle.tick(period * i, true, hand_at(Vector3d::Zero())).wrench.force, Vector3d(0, 0, 2));
  }
}

TEST(DeviceCycle, LimitsOfTheMotorsWin)
{
  DeviceCycle cycle(bare());
  cycle.limit_to(3.0, 0.1);
  ProxySample proxy;
  proxy.T_world_reference.position = Vector3d(10, 0, 0);
  cycle.take_proxy(proxy, 0.0);
  cycle.tick(0.0, true, hand_at(Vector3d::Zero()));
  EXPECT_NEAR(cycle.tick(period, true, hand_at(Vector3d::Zero())).wrench.force.norm(), 3.0, 1e-12);
}

/// A hand of 0.1 kg and 0.5 N s/m on a proxy that a wall holds, at twice the stiffness of 2 b / T.
/// Largest speed in the last tenth of a second; it starts with 0.05 m/s.
double speed_after_a_second(bool passivity)
{
  CycleParameters parameters = bare();
  parameters.gains.linear_stiffness = Vector3d::Constant(2000.0);
  parameters.passivity.enabled = passivity;
  DeviceCycle cycle(parameters);
  Physics physics;
  double x = 0.0;
  double v = 0.05;
  double worst = 0.0;
  for (int i = 0; i < 1000; ++i) {
    const CycleResult result = cycle.tick(period * i, true, hand_at({x, 0, 0}));
    cycle.take_proxy(physics.answer(result.sample), period * i);
    // Exact motion under the held force.
    const double decay = std::exp(-0.5 * period / 0.1);
    const double terminal = result.wrench.force.x() / 0.5;
    x += terminal * period + 0.2 * (1.0 - decay) * (v - terminal);
    v = terminal + decay * (v - terminal);
    if (i > 900) { worst = std::max(worst, std::abs(v)); }
  }
  return worst;
}

TEST(DeviceCycle, PassivityControlKeepsATooStiffHoldCalm)
{
  // Net damping b - K T / 2 = -0.5: grows as exp(2.5 t), twelvefold; without the leak it decays.
  EXPECT_GT(speed_after_a_second(false), 0.4);
  EXPECT_LT(speed_after_a_second(true), 0.01);
}

/// The same for a wrist of 1e-4 kg m^2 and 0.001 N m s/rad, at twice 2 b / T; it starts with 1 rad/s.
double turn_speed_after_a_second(bool passivity)
{
  CycleParameters parameters = bare();
  parameters.gains = {};
  parameters.gains.angular_stiffness = Vector3d::Constant(4.0);
  parameters.limits.max_torque = 100.0;
  parameters.limits.max_torque_rate = 1e9;
  parameters.passivity.enabled = passivity;
  DeviceCycle cycle(parameters);
  Physics physics;
  constexpr double inertia = 1e-4;
  constexpr double damping = 0.001;
  double angle = 0.0;
  double speed = 1.0;
  double worst = 0.0;
  for (int i = 0; i < 1000; ++i) {
    DriverState wrist;
    wrist.T_base_tip.orientation = Eigen::AngleAxisd(angle, Vector3d::UnitY());
    const CycleResult result = cycle.tick(period * i, true, wrist);
    cycle.take_proxy(physics.answer(result.sample), period * i);
    const double decay = std::exp(-damping * period / inertia);
    const double terminal = result.wrench.torque.y() / damping;
    angle += terminal * period + inertia / damping * (1.0 - decay) * (speed - terminal);
    speed = terminal + decay * (speed - terminal);
    if (i > 900) { worst = std::max(worst, std::abs(speed)); }
  }
  return worst;
}

TEST(DeviceCycle, PassivityControlKeepsATooStiffTurnCalm)
{
  EXPECT_GT(turn_speed_after_a_second(false), 2.0);
  EXPECT_LT(turn_speed_after_a_second(true), 0.2);
}

TEST(DeviceCycle, NoForceIsGivenThatWouldBeHeldLongerThanTheTimeout)
{
  for (const double held : {0.001, 0.010, 0.031}) {
    DeviceCycle cycle(bare());
    cycle.hold_for(held);
    ProxySample proxy;
    proxy.T_world_reference.position = Vector3d(0.01, 0, 0);
    cycle.take_proxy(proxy, 0.0);
    bool felt = false;
    for (double time = 0.0; time < 0.1; time += held) {
      const double force = cycle.tick(time, true, hand_at(Vector3d::Zero())).wrench.force.norm();
      felt = felt || force > 0.0;
      if (time + held >= 0.030) { EXPECT_EQ(force, 0.0) << "held until " << time + held; }
    }
    EXPECT_EQ(felt, held < 0.030);
  }
}

TEST(DeviceCycle, KnowsHowLongASampleTookToComeBackAsAProxyState)
{
  DeviceCycle cycle(bare());
  ProxySample proxy;
  for (int i = 0; i < 5; ++i) { cycle.tick(period * i, true, hand_at(Vector3d::Zero())); }
  proxy.device_sequence = 3;  // read at 2 ms
  cycle.take_proxy(proxy, 0.005);
  EXPECT_NEAR(cycle.round_trip(0.005), 0.003, 1e-12);
  proxy.device_sequence = 77;
  cycle.take_proxy(proxy, 0.005);
  EXPECT_LT(cycle.round_trip(0.005), 0.0);
}

TEST(DeviceCycle, DoesNotAllocate)
{
  if (!allocations_are_counted) { GTEST_SKIP() << "a sanitizer owns malloc"; }
  CycleParameters parameters;
  parameters.gains.linear_stiffness = Vector3d::Constant(100.0);
  DeviceCycle cycle(parameters);
  ProxySample proxy;
  GuidanceCommand command;
  command.axes = GuidanceAxes::World;
  command.guidance.mode = ambf_teleop::GuidanceMode::Plane;
  command.guidance.linear_stiffness = 10.0;
  double sum = 0.0;
  begin_counting_allocations();
  for (int i = 0; i < 1000; ++i) {
    proxy.device_sequence = static_cast<std::uint64_t>(i);
    cycle.take_proxy(proxy, period * i);
    cycle.take_guidance(command, period * i);
    sum += cycle.tick(period * i, true, hand_at({1e-5 * i, 0, 0})).wrench.force.x();
  }
  EXPECT_EQ(end_counting_allocations(), 0);
  EXPECT_LT(sum, 0.0);
}

TEST(DeviceCycle, AHandThatSaysThatItIsElsewhereIsAnchoredThereAtOnce)
{
  DeviceCycle cycle(bare());
  cycle.tick(0.0, true, hand_at({0.0, 0.0, 0.0}));
  DriverState there = hand_at({std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0});
  there.relocated = true;
  EXPECT_FALSE(cycle.tick(period, true, there).has_sample);
  // The news stands until a reading can be used.
  const CycleResult taken = cycle.tick(2 * period, true, hand_at({0.5, 0.0, 0.0}));
  EXPECT_TRUE(taken.has_sample);
  EXPECT_TRUE(taken.sample.relocated);
  EXPECT_FALSE(cycle.tick(3 * period, true, hand_at({0.5, 0.0, 0.0})).sample.relocated);
}

}  // namespace
}  // namespace ambf_devices
