// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "ambf_teleop/passivity.hpp"
#include "ambf_teleop/stability.hpp"
#include "random_poses.hpp"
#include "virtual_wall.hpp"

namespace ambf_teleop::test
{
namespace
{

using bench::WallExperiment;

WallExperiment wall_at(double rate, bool passivity_control)
{
  WallExperiment experiment;
  experiment.period = 1.0 / rate;
  experiment.passivity_control = passivity_control;
  experiment.max_damping = 0.1 * experiment.device.mass * rate;
  return experiment;
}

TEST(StabilityBound, PassiveStiffnessIsTwoDampingsOverThePeriod)
{
  EXPECT_DOUBLE_EQ(passive_stiffness(0.5, 0.0, 0.001), 1000.0);
  EXPECT_DOUBLE_EQ(passive_stiffness(0.5, 0.2, 0.001), 600.0);
  EXPECT_DOUBLE_EQ(passive_stiffness(0.5, -0.2, 0.001), 600.0);
  EXPECT_EQ(passive_stiffness(0.5, 0.7, 0.001), 0.0);
}

TEST(StabilityBound, ExactWallLimitTendsToThePassiveOne)
{
  for (const double rate : {1000.0, 500.0, 250.0}) {
    const DeviceDynamics device{0.1, 0.5};
    // The next term of the series is b T / m, 2 % at 250 Hz.
    EXPECT_NEAR(
      stable_wall_stiffness(device, 1.0 / rate) / passive_stiffness(0.5, 0.0, 1.0 / rate), 1.0,
      0.02);
  }
  EXPECT_EQ(stable_wall_stiffness({0.1, 0.0}, 0.001), 0.0);
}

TEST(StabilityBound, SeriesAndClosedFormOfTheWallLimitMeet)
{
  const double mass = 1.0;
  const double below = stable_wall_stiffness({mass, 0.99e-1}, 1e-3) / 0.99e-1;
  const double above = stable_wall_stiffness({mass, 1.01e-1}, 1e-3) / 1.01e-1;
  EXPECT_NEAR(below / above, 1.0, 1e-5);
}

TEST(VirtualWall, LargestStableStiffnessIsTheTheorysAtAllRates)
{
  for (const double rate : {1000.0, 500.0, 250.0}) {
    const WallExperiment experiment = wall_at(rate, false);
    const double theory = passive_stiffness(experiment.device.damping, 0.0, experiment.period);
    const double measured = largest_stable_stiffness(experiment, 0.25 * theory, 100.0 * theory);
    // 4 s of motion cannot tell the last percent from a motion that stays.
    EXPECT_NEAR(measured / theory, 1.0, 0.03) << rate << " Hz";
  }
}

TEST(VirtualWall, PassivityControllerAddsItsLargestDampingToTheDevices)
{
  for (const double rate : {1000.0, 500.0, 250.0}) {
    const WallExperiment experiment = wall_at(rate, true);
    const double plain = passive_stiffness(experiment.device.damping, 0.0, experiment.period);
    const double expected = stiffness_with_passivity_control(
      experiment.device.damping, experiment.max_damping, experiment.period);
    const double measured = largest_stable_stiffness(experiment, 0.25 * plain, 100.0 * plain);
    EXPECT_GT(measured / plain, 3.0) << rate << " Hz";
    // The estimate knows nothing of the velocity's delay nor of bounces off the wall.
    EXPECT_NEAR(measured / expected, 1.0, 0.15) << rate << " Hz";
  }
}

TEST(VirtualWall, AboveTheLimitTheHandIsShakenAndTheControllerStopsIt)
{
  WallExperiment experiment = wall_at(500.0, false);
  experiment.stiffness = 2.0 * passive_stiffness(experiment.device.damping, 0.0, experiment.period);
  const auto plain = run_wall(experiment);
  experiment.passivity_control = true;
  const auto controlled = run_wall(experiment);
  EXPECT_GT(plain.late_speed, 0.05);  // m/s, for ever
  EXPECT_LT(controlled.late_speed, 1e-3 * plain.late_speed);
}

TEST(PassivityObserver, CountsTheWorkOfTheHeldForceExactly)
{
  PassivityState state;
  observe_energy(state, Vector3d::Zero());
  note_sent_force(state, Vector3d(2, 0, 0));
  EXPECT_DOUBLE_EQ(observe_energy(state, Vector3d(-0.1, 0, 0)), 0.2);  // hand pressed against it
  note_sent_force(state, Vector3d(3, 0, 0));
  EXPECT_NEAR(observe_energy(state, Vector3d(0, 0, 0)), -0.1, 1e-15);  // and got more back
}

TEST(PassivityController, LeavesAWorldAloneThatTakesMoreThanItStores)
{
  // A damper takes energy at every tick; nothing is stored.
  const PassivityParameters parameters;
  PassivityState state;
  Vector3d held = Vector3d::Zero();
  double x = 0.0;
  for (int i = 0; i < 1000; ++i) {
    const double v = 0.1;
    const Vector3d damper(-5.0 * v, 0, 0);
    held = passive_force(parameters, state, Vector3d(x, 0, 0), damper, {}, 0.001);
    ASSERT_EQ(held, damper);
    x += 0.001 * v;
  }
  EXPECT_EQ(state.dissipated, 0.0);
  EXPECT_EQ(state.energy, 0.0);  // spent, not saved up
}

TEST(PassivityController, TakesADeficitOutWithinOnePeriod)
{
  PassivityParameters parameters;
  parameters.max_damping = 1e9;
  PassivityState state;
  const Vector3d push(1, 0, 0);
  passive_force(parameters, state, Vector3d::Zero(), push, {}, 0.001);
  // The force pushed the hand by 1 mm: 1 mJ that nobody had put in.
  const Vector3d out = passive_force(parameters, state, Vector3d(0.001, 0, 0), push, {}, 0.001);
  EXPECT_NEAR(state.energy, -1e-3, 1e-15);
  // alpha = 1e-3 / (0.001 * 1^2) = 1 N s/m against 1 m/s.
  EXPECT_NEAR(out.x(), 0.0, 1e-12);
  EXPECT_NEAR(state.dissipated, 1e-3, 1e-15);
}

TEST(PassivityController, LetsAnotherPersonsPushThrough)
{
  const PassivityParameters parameters;
  PassivityState state;
  const Vector3d push(1, 0, 0);
  passive_force(parameters, state, Vector3d::Zero(), push, {0.0, 0.0}, 0.001);
  const Vector3d out =
    passive_force(parameters, state, Vector3d(0.001, 0, 0), push, {0.0, 1e-3}, 0.001);
  EXPECT_EQ(out, push);
}

TEST(PassivityController, StaysBoundedForAnyInput)
{
  RandomPoses random(70);
  const PassivityParameters parameters;
  PassivityState state;
  Vector3d position = Vector3d::Zero();
  for (int i = 0; i < 20000; ++i) {
    const Vector3d step = random.vector(0.003);
    position += step;
    const Vector3d force = random.vector(10.0);
    const VirtualEnergy world{random.number(0.0, 1.0), random.number(-0.01, 0.01)};
    const Vector3d out = passive_force(parameters, state, position, force, world, 0.001);
    // At most the force plus max_damping times the speed.
    ASSERT_LE(out.norm(), force.norm() + parameters.max_damping * step.norm() / 0.001 + 1e-9);
    ASSERT_LE(state.energy, world.stored);
  }
  const Vector3d broken(std::nan(""), 0, 0);
  const Vector3d ones = Vector3d::Ones();
  EXPECT_EQ(passive_force(parameters, state, broken, ones, {}, 0.001).norm(), 0.0);
  EXPECT_EQ(passive_force(parameters, state, position, broken, {}, 0.001).norm(), 0.0);
  EXPECT_EQ(passive_force(parameters, state, position, ones, {std::nan(""), 0}, 0.001).norm(), 0.0);
  EXPECT_EQ(passive_force(parameters, state, position, ones, {}, 0.0).norm(), 0.0);
}

TEST(GainCheck, RefusesFeedbackAboveTheBoundAndNamesTheAxis)
{
  FeedbackGains gains;
  gains.linear_stiffness = Vector3d(10, 50, 20);
  const DeviceDynamics device{0.1, 0.5};
  EXPECT_TRUE(check_feedback_gains(gains, 5.0, device, 0.001).stable);  // 250 < 1000
  const GainCheck check = check_feedback_gains(gains, 30.0, device, 0.001);
  EXPECT_FALSE(check.stable);
  EXPECT_EQ(check.axis, Axis::Y);
  EXPECT_DOUBLE_EQ(check.asked, 1500.0);
  EXPECT_DOUBLE_EQ(check.limit, 1000.0);
  gains.linear_stiffness.z() = std::nan("");
  EXPECT_FALSE(check_feedback_gains(gains, 5.0, device, 0.001).stable);
  EXPECT_TRUE(check_feedback_gains({}, 5.0, {0.1, 0.0}, 0.001).stable);  // no force, no danger
}

/// Larger root of z^2 - (2 - a - b) z + (1 - b).
double largest_root(double a, double b)
{
  const std::complex<double> half(0.5 * (2.0 - a - b), 0.0);
  const std::complex<double> root = std::sqrt(half * half - (1.0 - b));
  return std::max(std::abs(half + root), std::abs(half - root));
}

TEST(GainCheck, ProxyBoundSeparatesMotionsThatGrowFromThoseThatDecay)
{
  RandomPoses random(71);
  const double mass = 0.2;
  const double step = 0.001;
  for (int i = 0; i < 2000; ++i) {
    const double a = random.number(0.0, 6.0);
    const double b = random.number(0.001, 3.0);
    const double distance = a + 2.0 * b - 4.0;
    if (std::abs(distance) < 1e-6) { continue; }
    const Vector3d stiffness(a * mass / (step * step), 0, 0);
    const Vector3d damping(b * mass / step, 0, 0);
    const GainCheck check = check_proxy_gains(stiffness, damping, mass, step, step);
    EXPECT_EQ(check.stable, largest_root(a, b) < 1.0) << a << ' ' << b;
  }
}

TEST(GainCheck, FiveHundredNewtonPerMetreHoldATenthOfAKilogramDownToFiftyHertzWithLessDamping)
{
  const Vector3d stiffness = Vector3d::Constant(500.0);
  const Vector3d damping = Vector3d::Constant(10.0);
  EXPECT_TRUE(check_proxy_gains(stiffness, damping, 0.1, 0.001, 0.001).stable);
  EXPECT_FALSE(check_proxy_gains(stiffness, damping, 0.1, 0.001, 0.02).stable);
  EXPECT_TRUE(check_proxy_gains(stiffness, Vector3d::Constant(5.0), 0.1, 0.001, 0.02).stable);
}

}  // namespace
}  // namespace ambf_teleop::test
