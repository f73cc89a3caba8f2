// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "ambf_teleop/feedback_law.hpp"
#include "ambf_teleop/force_limits.hpp"
#include "ambf_teleop/gravity.hpp"
#include "ambf_teleop/proxy_law.hpp"
#include "random_poses.hpp"

namespace ambf_teleop::test
{
namespace
{

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

ProxyLaw stiff_law()
{
  ProxyLaw law;
  law.gains = {
    Vector3d::Constant(500.0), Vector3d::Constant(10.0), Vector3d::Constant(50.0),
    Vector3d::Constant(1.0)};
  return law;
}

TEST(ProxyLaw, PullsTowardsTheReference)
{
  ProxyErrors errors;
  Pose reference;
  reference.position = Vector3d(0.01, 0, 0);
  reference.orientation = from_rotation_vector(Vector3d(0, 0, 0.1));
  const Wrench wrench = proxy_wrench(stiff_law(), errors, Pose{}, reference, 0.001);
  EXPECT_LT((wrench.force - Vector3d(5, 0, 0)).norm(), 1e-12);   // 500 * 0.01
  EXPECT_LT((wrench.torque - Vector3d(0, 0, 5)).norm(), 1e-12);  // 50 * 0.1
}

TEST(ProxyLaw, TorqueIsTheWorldVectorFromProxyToReference)
{
  RandomPoses random(40);
  ProxyLaw law;
  law.gains.angular_stiffness = Vector3d::Ones();
  for (int i = 0; i < 200; ++i) {
    ProxyErrors errors;
    const Pose proxy = random.pose();
    const Vector3d turn = random.vector(1.5);
    const Pose reference{proxy.position, from_rotation_vector(turn) * proxy.orientation};
    const Wrench wrench = proxy_wrench(law, errors, proxy, reference, 0.001);
    EXPECT_LT((wrench.torque - turn).norm(), 1e-12);
  }
}

TEST(ProxyLaw, DampingIsTheChangeOfErrorPerStep)
{
  ProxyLaw law;
  law.gains.linear_damping = Vector3d::Constant(10.0);
  law.gains.angular_damping = Vector3d::Constant(2.0);
  ProxyErrors errors;
  Pose reference;
  EXPECT_EQ(proxy_wrench(law, errors, Pose{}, reference, 0.002).force.norm(), 0.0);
  reference.position = Vector3d(0, 0.004, 0);
  reference.orientation = from_rotation_vector(Vector3d(0.006, 0, 0));
  const Wrench wrench = proxy_wrench(law, errors, Pose{}, reference, 0.002);
  EXPECT_LT((wrench.force - Vector3d(0, 20, 0)).norm(), 1e-12);  // 10 * 0.004 / 0.002
  EXPECT_LT((wrench.torque - Vector3d(6, 0, 0)).norm(), 1e-10);  // 2 * 0.006 / 0.002
}

TEST(ProxyLaw, SlowStepsWeakenTheLinearStiffnessOnly)
{
  EXPECT_DOUBLE_EQ(step_scale(0.001, 0.02), 0.05);
  EXPECT_DOUBLE_EQ(step_scale(0.001, 0.001), 1.0);
  EXPECT_DOUBLE_EQ(step_scale(0.001, 0.0005), 1.0);
  ProxyLaw law = stiff_law();
  Pose reference;
  reference.position = Vector3d(0.01, 0, 0);
  reference.orientation = from_rotation_vector(Vector3d(0, 0, 0.1));
  ProxyErrors errors;
  const Wrench slow = proxy_wrench(law, errors, Pose{}, reference, 0.02);
  EXPECT_NEAR(slow.force.x(), 0.25, 1e-12);
  EXPECT_NEAR(slow.torque.z(), 5.0, 1e-12);
  law.scale_angular = true;
  errors = {};
  EXPECT_NEAR(proxy_wrench(law, errors, Pose{}, reference, 0.02).torque.z(), 0.25, 1e-12);
}

TEST(ProxyLaw, GainAxesTurnTheSplitOfAxes)
{
  ProxyLaw law;
  law.gains.linear_stiffness = Vector3d(100, 0, 0);
  law.gain_axes = from_rotation_vector(Vector3d(0, 0, 0.25 * std::acos(-1.0)));
  Pose reference;
  reference.position = Vector3d(0.01, 0, 0);
  ProxyErrors errors;
  const Wrench wrench = proxy_wrench(law, errors, Pose{}, reference, 0.001);
  EXPECT_LT((wrench.force - Vector3d(0.5, 0.5, 0)).norm(), 1e-12);
}

TEST(ProxyLaw, RespectsItsMaxima)
{
  ProxyLaw law = stiff_law();
  law.max_force = 3.0;
  law.max_torque = 0.2;
  ProxyErrors errors;
  RandomPoses random(41);
  for (int i = 0; i < 200; ++i) {
    const Wrench wrench = proxy_wrench(law, errors, random.pose(), random.pose(), 0.001);
    EXPECT_LE(wrench.force.norm(), 3.0 + 1e-12);
    EXPECT_LE(wrench.torque.norm(), 0.2 + 1e-12);
  }
}

TEST(ProxyLaw, BringsAFreeProxyToTheReference)
{
  const ProxyLaw law = stiff_law();
  ProxyErrors errors;
  Pose proxy;
  const Pose reference{Vector3d(0.1, -0.05, 0.2), from_rotation_vector(Vector3d(0.5, 1.0, -0.7))};
  Vector3d v = Vector3d::Zero();
  Vector3d w = Vector3d::Zero();
  const double h = 0.001;
  for (int i = 0; i < 3000; ++i) {  // 0.1 kg; a ball of 0.02 kg m^2, so that inertia has no axes
    const Wrench wrench = proxy_wrench(law, errors, proxy, reference, h);
    v += h * wrench.force / 0.1;
    w += h * wrench.torque / 0.02;
    proxy.position += h * v;
    proxy.orientation = (from_rotation_vector(h * w) * proxy.orientation).normalized();
  }
  EXPECT_LT(gap(proxy, reference), 1e-9);
}

TEST(FeedbackLaw, PullsTheHandFromItsReferenceTowardsTheProxy)
{
  FeedbackGains gains;
  gains.linear_stiffness = Vector3d::Constant(100.0);
  gains.angular_stiffness = Vector3d::Constant(2.0);
  FeedbackErrors errors;
  Pose reference;  // the hand is 1 cm inside the wall at which the proxy stopped
  reference.position = Vector3d(-0.01, 0, 0);
  reference.orientation = from_rotation_vector(Vector3d(0, 0.1, 0));
  const Wrench wrench = feedback_wrench(gains, errors, {}, Pose{}, reference, 0.001);
  EXPECT_LT((wrench.force - Vector3d(1, 0, 0)).norm(), 1e-12);
  EXPECT_LT((wrench.torque - Vector3d(0, -0.2, 0)).norm(), 1e-12);
}

TEST(FeedbackLaw, ArrivesInTheAxesOfTheDevicesBase)
{
  RandomPoses random(42);
  FeedbackGains gains;
  gains.linear_stiffness = Vector3d::Ones();
  gains.angular_stiffness = Vector3d::Ones();
  for (int i = 0; i < 200; ++i) {
    FeedbackFrames frames;
    frames.offsets = {random.pose(), random.pose()};
    frames.T_base_tip = random.pose();
    frames.R_world_camera = random.rotation();
    const Pose proxy = random.pose();
    const Vector3d moved = random.vector(0.1);
    const Vector3d turned = random.vector(1.0);
    const Pose reference{proxy.position + moved, from_rotation_vector(turned) * proxy.orientation};
    FeedbackErrors errors;
    const Wrench wrench = feedback_wrench(gains, errors, frames, proxy, reference, 0.001);
    const Quaterniond R_world_base = frames.R_world_camera * frames.offsets.base.orientation;
    EXPECT_LT((R_world_base * wrench.force + moved).norm(), 1e-12);
    EXPECT_LT((R_world_base * wrench.torque + turned).norm(), 1e-12);
  }
}

TEST(FeedbackLaw, DampingIsTheChangeOfErrorPerTick)
{
  FeedbackGains gains;
  gains.linear_damping = Vector3d::Constant(3.0);
  FeedbackErrors errors;
  Pose reference;
  EXPECT_EQ(feedback_wrench(gains, errors, {}, Pose{}, reference, 0.001).force.norm(), 0.0);
  reference.position = Vector3d(0.002, 0, 0);
  const Wrench wrench = feedback_wrench(gains, errors, {}, Pose{}, reference, 0.001);
  EXPECT_LT((wrench.force - Vector3d(-6, 0, 0)).norm(), 1e-12);  // -3 * 0.002 / 0.001
}

TEST(FeedbackLaw, StoredEnergyIsTheWorkOfTheHandAgainstTheForce)
{
  FeedbackGains gains;
  gains.linear_stiffness = Vector3d(100, 50, 200);
  const double scale = 4.0;
  FeedbackErrors errors;
  double work = 0.0;
  const Vector3d step(1e-5, -2e-5, 0.5e-5);  // of the hand
  Pose reference;
  for (int i = 0; i < 1000; ++i) {
    reference.position = scale * (i + 0.5) * step;
    work -= feedback_wrench(gains, errors, {}, Pose{}, reference, 0.001).force.dot(step);
  }
  reference.position = scale * 1000 * step;
  feedback_wrench(gains, errors, {}, Pose{}, reference, 0.001);
  EXPECT_NEAR(stored_energy(gains, errors, scale), work, 1e-12);
}

TEST(FeedbackLaw, TipOffsetTurnsForceIntoTorqueAtTheMotors)
{
  FeedbackFrames frames;
  frames.offsets.tip.position = Vector3d(0, 0, 0.1);
  const Wrench wrench = at_tip(frames, {Vector3d(2, 0, 0), Vector3d::Zero()});
  EXPECT_LT((wrench.torque - Vector3d(0, 0.2, 0)).norm(), 1e-15);
}

TEST(ForceLimits, DeadBandStartsWithoutAStep)
{
  EXPECT_EQ(dead_band(Vector3d(0.009, 0, 0), 0.01).norm(), 0.0);
  EXPECT_NEAR(dead_band(Vector3d(0.0, 0.0100001, 0), 0.01).norm(), 1e-7, 1e-12);
  EXPECT_EQ(dead_band(Vector3d(1, 2, 3), 0.0), Vector3d(1, 2, 3));
}

TEST(ForceLimits, ForceNeverExceedsMaximumNorRateForAnyInput)
{
  RandomPoses random(43);
  const ForceLimits limits;
  Wrench last;
  for (int i = 0; i < rounds(20000, 1000000); ++i) {
    Wrench wanted{random.vector(100.0), random.vector(10.0)};
    if (random.chance(0.05)) { wanted.force.y() = nan; }
    if (random.chance(0.05)) { wanted.torque.x() = std::numeric_limits<double>::infinity(); }
    const double dt = random.chance(0.05) ? random.number(-0.01, 0.1) : 0.001;
    const Wrench next = limited(limits, wanted, last, dt);
    ASSERT_LE(next.force.norm(), limits.max_force * (1 + 1e-12));
    ASSERT_LE(next.torque.norm(), limits.max_torque * (1 + 1e-12));
    const double period = std::max(dt, 0.0);
    ASSERT_LE((next.force - last.force).norm(), limits.max_force_rate * period + 1e-9);
    ASSERT_LE((next.torque - last.torque).norm(), limits.max_torque_rate * period + 1e-9);
    last = next;
  }
}

TEST(ForceLimits, OldProxyStatesFadeToExactlyNothing)
{
  EXPECT_EQ(freshness(0.0, 0.015, 0.03), 1.0);
  EXPECT_EQ(freshness(0.015, 0.015, 0.03), 1.0);
  EXPECT_NEAR(freshness(0.0225, 0.015, 0.03), 0.5, 1e-12);
  EXPECT_EQ(freshness(0.03, 0.015, 0.03), 0.0);
  EXPECT_EQ(freshness(1e9, 0.015, 0.03), 0.0);
  EXPECT_EQ(freshness(nan, 0.015, 0.03), 0.0);
}

/// Two links in a vertical plane: torques known by hand.
TEST(Gravity, HoldsATwoLinkArm)
{
  const Vector3d gravity(0, 0, -9.81);
  std::array<DeviceLink, 2> links;
  links[0] = {Vector3d::Zero(), Vector3d::UnitY(), false, 2.0, Vector3d(0.25, 0, 0)};
  links[1] = {Vector3d(0.5, 0, 0), Vector3d::UnitY(), false, 1.0, Vector3d(0.7, 0, 0)};
  const DeviceTorques torques = gravity_torques(links, gravity);
  // Positive turns about y lower the arm, so holding it needs negative torques.
  EXPECT_NEAR(torques[0], -9.81 * (2.0 * 0.25 + 1.0 * 0.7), 1e-12);
  EXPECT_NEAR(torques[1], -9.81 * 0.2, 1e-12);
}

TEST(Gravity, WrenchGivesTheTorquesBackThroughTheJacobian)
{
  RandomPoses random(44);
  for (int i = 0; i < 100; ++i) {
    DeviceJacobian jacobian(6, 6);
    DeviceTorques torques(6);
    for (Eigen::Index j = 0; j < 6; ++j) {
      jacobian.col(j) << random.vector(1.0), random.vector(1.0);
      torques[j] = random.number(-1.0, 1.0);
    }
    if (std::abs(Eigen::Matrix<double, 6, 6>(jacobian).determinant()) < 0.05) { continue; }
    const Wrench wrench = wrench_from_torques(jacobian, torques);
    Eigen::Matrix<double, 6, 1> w;
    w << wrench.force, wrench.torque;
    EXPECT_LT((jacobian.transpose() * w - torques).norm(), 1e-6);
  }
}

TEST(Gravity, HookThatFailsGivesNothing)
{
  EXPECT_EQ(gravity_wrench({}, Pose{}).force.norm(), 0.0);
  const GravityHook broken{
    [](const Pose &, const void *) noexcept {
      return Wrench{Vector3d(nan, 0, 0), Vector3d::Zero()};
    },
    nullptr};
  EXPECT_EQ(gravity_wrench(broken, Pose{}).force.norm(), 0.0);
  const double weight = 1.5;
  const GravityHook hook{
    [](const Pose &, const void * context) noexcept {
      return Wrench{Vector3d(0, 0, *static_cast<const double *>(context)), Vector3d::Zero()};
    },
    &weight};
  EXPECT_EQ(gravity_wrench(hook, Pose{}).force.z(), 1.5);
}

}  // namespace
}  // namespace ambf_teleop::test
