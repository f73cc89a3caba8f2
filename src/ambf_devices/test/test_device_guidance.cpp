// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "ambf_devices/device_cycle.hpp"
#include "ambf_teleop/position_clutch.hpp"
#include "ambf_teleop/rotation.hpp"

namespace ambf_devices
{
namespace
{

using ambf_teleop::GuidanceMode;
using Eigen::Vector3d;

constexpr double period = 0.001;
const Vector3d origin = Vector3d::Zero();

/// No feedback, no passivity control, limits far away.
CycleParameters bare()
{
  CycleParameters parameters;
  parameters.limits.max_force = 100.0;
  parameters.limits.max_torque = 100.0;
  parameters.limits.max_force_rate = 1e9;
  parameters.limits.max_torque_rate = 1e9;
  parameters.passivity.enabled = false;
  return parameters;
}

DriverState hand_at(const Vector3d & position)
{
  DriverState state;
  state.T_base_tip.position = position;
  return state;
}

GuidanceCommand push(const Vector3d & force)
{
  GuidanceCommand command;
  command.guidance.mode = GuidanceMode::Wrench;
  command.guidance.wrench.force = force;
  return command;
}

GuidanceCommand hold_at(const Vector3d & position, double stiffness)
{
  GuidanceCommand command;
  command.guidance.mode = GuidanceMode::SetPoint;
  command.guidance.pose.position = position;
  command.guidance.linear_stiffness = stiffness;
  return command;
}

TEST(DeviceGuidance, IsFeltWithoutAWorldAndEndsThirtyMillisecondsAfterTheLastCommand)
{
  DeviceCycle cycle(bare());
  cycle.hold_for(period);
  EXPECT_FALSE(cycle.tick(0.0, true, hand_at(origin)).guided);
  ASSERT_TRUE(cycle.take_guidance(push({2.0, 0, 0}), 0.0));
  for (int i = 1; i < 60; ++i) {
    const CycleResult result = cycle.tick(period * i, true, hand_at(Vector3d::Zero()));
    if (i < 14) { EXPECT_NEAR(result.wrench.force.x(), 2.0, 1e-12) << i; }
    if (i >= 29) { EXPECT_EQ(result.wrench.force.norm(), 0.0) << i; }
    EXPECT_EQ(result.guided, i < 29) << i;
    EXPECT_EQ(result.sample.guided, result.guided);
    EXPECT_FALSE(result.proxy_fresh);
  }
}

TEST(DeviceGuidance, EndsEarlierWhereItSaysSoAndNeverLater)
{
  for (const double limit : {0.010, 5.0}) {
    DeviceCycle cycle(bare());
    cycle.tick(0.0, true, hand_at(Vector3d::Zero()));
    GuidanceCommand command = push({2.0, 0, 0});
    command.time_limit = limit;
    cycle.take_guidance(command, 0.0);
    const int end = limit < 1.0 ? 10 : 30;
    for (int i = 1; i < 50; ++i) {
      const double force = cycle.tick(period * i, true, hand_at(origin)).wrench.force.norm();
      EXPECT_EQ(force > 0.0, i < end) << limit << " " << i;
    }
  }
  DeviceCycle cycle(bare());
  cycle.tick(0.0, true, hand_at(Vector3d::Zero()));
  cycle.take_guidance(push({2.0, 0, 0}), 0.0);
  EXPECT_GT(cycle.tick(0.001, true, hand_at(origin)).wrench.force.norm(), 1.0);
  cycle.take_guidance({}, 0.0015);
  EXPECT_EQ(cycle.tick(0.002, true, hand_at(origin)).wrench.force.norm(), 0.0) << "None ends it";
}

TEST(DeviceGuidance, AddsToTheProxysForceOrReplacesIt)
{
  CycleParameters parameters = bare();
  parameters.gains.linear_stiffness = Vector3d::Constant(100.0);
  for (const bool replaces : {false, true}) {
    DeviceCycle cycle(parameters);
    ProxySample proxy;
    proxy.T_world_proxy.position = Vector3d(0.01, 0, 0);
    cycle.take_proxy(proxy, 0.0);
    cycle.tick(0.0, true, hand_at(origin));
    EXPECT_NEAR(cycle.tick(period, true, hand_at(origin)).wrench.force.x(), 1.0, 1e-12);
    GuidanceCommand command = push({0, 2.0, 0});
    command.replaces = replaces;
    cycle.take_guidance(command, period);
    const Vector3d felt = cycle.tick(2 * period, true, hand_at(origin)).wrench.force;
    EXPECT_LT((felt - Vector3d(replaces ? 0.0 : 1.0, 2.0, 0.0)).norm(), 1e-12);
  }
}

TEST(DeviceGuidance, APressedClutchFreesTheHandFromItAsOneOfTheWorldsBinding)
{
  for (const bool of_the_world : {false, true}) {
    CycleParameters parameters = bare();
    parameters.gains.linear_stiffness = Vector3d::Constant(100.0);
    DeviceCycle cycle(parameters);
    ProxySample proxy;
    proxy.T_world_proxy.position = Vector3d(0.01, 0, 0);
    proxy.clutch_actions = of_the_world ? 0b100 : 0;
    for (int i = 0; i < 100; ++i) {
      const bool pressed = i >= 40 && i < 60;
      cycle.take_proxy(proxy, period * i);
      cycle.take_guidance(push({0, 2.0, 0}), period * i);
      DriverState state = hand_at(origin);
      state.actions = of_the_world && pressed ? 0b101 : 0b001;
      state.camera_clutch = !of_the_world && pressed;
      const CycleResult result = cycle.tick(period * i, true, state);
      if (i == 0) { continue; }  // there is no time yet in which a force could rise
      EXPECT_EQ(result.wrench.force.norm() > 2.0, !pressed) << i;
      EXPECT_EQ(result.wrench.force.norm() == 0.0, pressed) << i;
      EXPECT_EQ(result.guided, !pressed) << i;
    }
  }
}

TEST(DeviceGuidance, ComesBackWithoutAJumpFromAClutchThatTheWorldsBindingDeclares)
{
  CycleParameters parameters = bare();
  parameters.gains.linear_stiffness = Vector3d::Constant(100.0);
  DeviceCycle cycle(parameters);
  ambf_teleop::PairFrames pair = ambf_teleop::start_pair({});
  double hand = 0.0, before_press = 0.0;
  for (int i = 0; i < 300; ++i) {
    const bool pressed = i >= 100 && i < 200;
    DriverState state = hand_at({hand, 0, 0});
    state.actions = pressed ? 2u : 0u;
    const CycleResult result = cycle.tick(period * i, true, state);
    update_reference(
      pair, {}, {result.sample.T_base_tip, pressed, false}, Eigen::Quaterniond::Identity(), period);
    ProxySample proxy;
    proxy.T_world_reference = pair.reference;
    proxy.device_sequence = result.sample.sequence;
    proxy.clutch_actions = 2u;
    cycle.take_proxy(proxy, period * i);
    const double force = -result.wrench.force.x();
    if (i == 99) { before_press = force; }
    if (pressed) { EXPECT_EQ(force, 0.0); }
    if (i == 200) { EXPECT_NEAR(force, before_press, 100.0 * 2e-4); }
    hand += 1e-4;
  }
  EXPECT_NEAR(before_press, 100.0 * 0.1 * 0.099, 1e-9);
}

TEST(DeviceGuidance, HasTheAxesOfTheBaseOrOfThePersonsView)
{
  CycleParameters parameters = bare();
  parameters.offsets.base.position = Vector3d(1.0, 0, 0);
  parameters.offsets.base.orientation = Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitZ());
  DeviceCycle cycle(parameters);
  cycle.tick(0.0, true, hand_at(origin));
  GuidanceCommand command = push({2.0, 0, 0});
  cycle.take_guidance(command, 0.0);
  EXPECT_LT(
    (cycle.tick(0.001, true, hand_at(origin)).wrench.force - Vector3d(2, 0, 0)).norm(), 1e-12);
  command.axes = GuidanceAxes::User;
  cycle.take_guidance(command, 0.0);
  EXPECT_LT(
    (cycle.tick(0.002, true, hand_at(origin)).wrench.force - Vector3d(0, -2, 0)).norm(), 1e-12);
  // A point of the view: the base stands at x = 1 there, its own x is the view's y.
  command = hold_at({1.0, 0.02, 0.0}, 100.0);
  command.axes = GuidanceAxes::User;
  cycle.take_guidance(command, 0.0);
  EXPECT_LT(
    (cycle.tick(0.003, true, hand_at(origin)).wrench.force - Vector3d(2, 0, 0)).norm(), 1e-9);
}

/// A hand of 0.1 kg, 0.5 N s/m that nobody holds, under the forces of a cycle.
struct FreeHand
{
  Vector3d x = Vector3d::Zero(), v = Vector3d::Zero();
  void move(const Vector3d & force)
  {
    constexpr double mass = 0.1, b = 0.5;
    const double decay = std::exp(-b * period / mass);
    const Vector3d terminal = force / b;
    x += terminal * period + mass / b * (1.0 - decay) * (v - terminal);
    v = terminal + decay * (v - terminal);
  }
};

TEST(DeviceGuidance, APointOfTheWorldIsWhereTheReferenceGoesThroughAnyViewAndScale)
{
  CycleParameters parameters = bare();
  parameters.workspace_scale = 3.0;
  parameters.offsets.base.orientation = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized());
  parameters.passivity.enabled = true;
  DeviceCycle cycle(parameters);
  ambf_teleop::PairFrames pair = ambf_teleop::start_pair({Vector3d(5, 0, 0), {1, 0, 0, 0}});
  ambf_teleop::MappingParameters mapping;
  mapping.workspace_scale = 3.0;
  const Eigen::Quaterniond camera(Eigen::AngleAxisd(2.0, Vector3d(0, 1, 1).normalized()));
  const Vector3d goal(5.05, -0.06, 0.03);
  FreeHand hand;
  GuidanceCommand command = hold_at(goal, 50.0);
  command.guidance.linear_damping = 4.0;
  command.axes = GuidanceAxes::World;
  for (int i = 0; i < 4000; ++i) {
    cycle.take_guidance(command, period * i);
    const CycleResult result = cycle.tick(period * i, true, hand_at(hand.x));
    update_reference(
      pair, mapping, {handle_in_user(parameters.offsets, result.sample.T_base_tip), false, false},
      camera, period);
    if (i % 10 == 0) {
      ProxySample proxy;
      proxy.T_world_reference = proxy.T_world_proxy = pair.reference;
      proxy.R_world_camera = camera;
      proxy.device_sequence = result.sample.sequence;
      cycle.take_proxy(proxy, period * i);
    }
    hand.move(result.wrench.force);
  }
  EXPECT_LT((pair.reference.position - goal).norm(), 1e-4);
  EXPECT_LT(hand.v.norm(), 1e-4);
  // Without fresh proxy states nobody knows where the reference is.
  cycle.take_guidance(command, 4.1);
  const CycleResult blind = cycle.tick(4.1, true, hand_at(hand.x + Vector3d(0.01, 0, 0)));
  EXPECT_EQ(blind.wrench.force.norm(), 0.0);
  EXPECT_FALSE(blind.guided);
}

/// Largest speed in the last tenth of a second of a hand that starts with 0.05 m/s at a set-point of
/// twice the stiffness of 2 b / T.
double speed_after_a_second(bool passivity)
{
  CycleParameters parameters = bare();
  parameters.passivity.enabled = passivity;
  DeviceCycle cycle(parameters);
  FreeHand hand;
  hand.v = Vector3d(0.05, 0, 0);
  double worst = 0.0;
  for (int i = 0; i < 1000; ++i) {
    cycle.take_guidance(hold_at(Vector3d::Zero(), 2000.0), period * i);
    hand.move(cycle.tick(period * i, true, hand_at(hand.x)).wrench.force);
    if (i > 900) { worst = std::max(worst, hand.v.norm()); }
  }
  return worst;
}

TEST(DeviceGuidance, PassivityControlKeepsATooStiffSetPointCalm)
{
  EXPECT_GT(speed_after_a_second(false), 0.4);
  EXPECT_LT(speed_after_a_second(true), 0.01);
}

TEST(DeviceGuidance, PassivityControlLeavesAStandingForceAlone)
{
  CycleParameters parameters = bare();
  parameters.passivity.enabled = true;
  DeviceCycle cycle(parameters);
  FreeHand hand;
  for (int i = 0; i < 400; ++i) {
    cycle.take_guidance(push({0.2, 0, 0}), period * i);
    const CycleResult result = cycle.tick(period * i, true, hand_at(hand.x));
    if (i > 0) { ASSERT_NEAR(result.wrench.force.x(), 0.2, 1e-9) << "the guide pays, tick " << i; }
    hand.move(result.wrench.force);
  }
  EXPECT_NEAR(hand.v.x(), 0.4 * (1.0 - std::exp(-2.0)), 1e-3);
}

TEST(DeviceGuidance, ASetPointThatIsLedAwayTakesTheHandAlong)
{
  CycleParameters parameters = bare();
  parameters.passivity.enabled = true;
  DeviceCycle cycle(parameters);
  FreeHand hand;
  for (int i = 0; i < 2000; ++i) {
    GuidanceCommand command = hold_at({0.1 * period * i, 0, 0}, 200.0);
    command.guidance.linear_damping = 2.0;
    cycle.take_guidance(command, period * i);
    hand.move(cycle.tick(period * i, true, hand_at(hand.x)).wrench.force);
  }
  // Both dampers against the spring at 0.1 m/s: (0.5 + 2) 0.1 / 200 behind.
  EXPECT_NEAR(hand.x.x(), 0.1 * 2.0 - 0.00125, 5e-4);
}

TEST(DeviceGuidance, StaysWithinMaximumAndRateForAnyCommandReadingAndProxyState)
{
  CycleParameters parameters;  // with the limits and the passivity controller of the defaults
  parameters.gains.linear_stiffness = Vector3d::Constant(1000.0);
  DeviceCycle cycle(parameters);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto maybe = [&](double value) {
    return number(random) > 0.98 ? std::numeric_limits<double>::quiet_NaN() : value;
  };
  Vector3d last = Vector3d::Zero();
  bool guided = false;
  for (int i = 0; i < 20000; ++i) {
    const double time = period * i;
    GuidanceCommand command;
    command.guidance.mode = static_cast<GuidanceMode>(i / 7 % 6);
    command.guidance.wrench.force = 1e3 * Vector3d(maybe(number(random)), number(random), 0);
    command.guidance.pose.position = {number(random), maybe(number(random)), 0};
    command.guidance.linear_stiffness = 1e5 * (1.0 + number(random));
    command.guidance.linear_damping = maybe(100.0 * (1.0 + number(random)));
    command.guidance.angular_stiffness = 100.0;
    command.axes = static_cast<GuidanceAxes>(i / 11 % 3);
    command.replaces = i / 13 % 2 == 0;
    command.time_limit = maybe(number(random));
    if (number(random) > 0.3) { cycle.take_guidance(command, time); }
    ProxySample proxy;
    proxy.T_world_reference.position = {0.1 * number(random), 0, maybe(0.0)};
    proxy.haptic_linear_change = maybe(1e3 * number(random));
    if (number(random) > -0.5) { cycle.take_proxy(proxy, time); }
    DriverState state =
      hand_at(0.002 * Vector3d(maybe(number(random)), number(random), number(random)));
    state.position_clutch = number(random) > 0.95;
    const CycleResult result = cycle.tick(time, number(random) < 0.9, state);
    guided = guided || result.guided;
    ASSERT_LE(result.wrench.force.norm(), parameters.limits.max_force * (1 + 1e-12));
    ASSERT_LE(result.wrench.torque.norm(), parameters.limits.max_torque * (1 + 1e-12));
    if (result.wrench.force.norm() > 0.0) {
      ASSERT_LE(
        (result.wrench.force - last).norm(), parameters.limits.max_force_rate * period + 1e-9);
    }
    last = result.wrench.force;
  }
  EXPECT_TRUE(guided);
}

TEST(DeviceGuidance, WithTheProxysSpringItAsksForNoMoreThanTheRateCarries)
{
  CycleParameters parameters = bare();
  parameters.gains.linear_stiffness = Vector3d::Constant(400.0);
  parameters.bounds.linear_stiffness = 1000.0;
  DeviceCycle cycle(parameters);
  ProxySample proxy;
  cycle.take_proxy(proxy, 0.0);
  cycle.tick(0.0, true, hand_at(origin));
  cycle.take_guidance(hold_at({0.01, 0, 0}, 900.0), 0.0);
  EXPECT_NEAR(cycle.tick(0.001, true, hand_at(origin)).wrench.force.x(), 6.0, 1e-9);
  GuidanceCommand alone = hold_at({0.01, 0, 0}, 900.0);
  alone.replaces = true;
  cycle.take_guidance(alone, 0.0);
  EXPECT_NEAR(cycle.tick(0.002, true, hand_at(origin)).wrench.force.x(), 9.0, 1e-9);
}

TEST(DeviceGuidance, TheWorldChangesFeltStiffnessWithinTheBoundAndLeavesOtherAxesUnfelt)
{
  CycleParameters parameters = bare();
  parameters.gains.linear_stiffness = {100.0, 0.0, 50.0};
  parameters.bounds.linear_stiffness = 180.0;
  DeviceCycle cycle(parameters);
  ProxySample proxy;
  proxy.T_world_proxy.position = Vector3d::Constant(0.01);
  auto felt = [&, tick = 0](double change) mutable {
    proxy.haptic_linear_change = change;
    cycle.take_proxy(proxy, period * tick);
    return cycle.tick(period * tick++, true, hand_at(origin)).wrench.force;
  };
  felt(0.0);
  EXPECT_LT((felt(0.0) - Vector3d(1.0, 0.0, 0.5)).norm(), 1e-12);
  EXPECT_LT((felt(30.0) - Vector3d(1.3, 0.0, 0.8)).norm(), 1e-12);
  EXPECT_LT((felt(100.0) - Vector3d(1.8, 0.0, 1.5)).norm(), 1e-12);
  EXPECT_LT((felt(-70.0) - Vector3d(0.3, 0.0, 0.0)).norm(), 1e-12);
}

}  // namespace
}  // namespace ambf_devices
