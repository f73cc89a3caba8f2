// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "ambf_teleop/guidance.hpp"
#include "random_poses.hpp"

namespace ambf_teleop::test
{
namespace
{

constexpr std::array<GuidanceMode, 4> springs{
  GuidanceMode::SetPoint, GuidanceMode::Line, GuidanceMode::Plane, GuidanceMode::Wall};

Guidance random_guidance(RandomPoses & random, GuidanceMode mode)
{
  Guidance g;
  g.mode = mode;
  g.pose = random.pose(0.2);
  g.direction = random.vector(1.0).normalized();
  g.linear_stiffness = random.number(10.0, 500.0);
  g.angular_stiffness = random.number(0.1, 2.0);
  return g;
}

TEST(Guidance, ASpringsForceIsWhatItsEnergyLosesOnTheWay)
{
  RandomPoses random(1);
  constexpr double small = 1e-6;
  for (int i = 0; i < 400; ++i) {
    const Guidance g = random_guidance(random, springs[static_cast<std::size_t>(i) % 4]);
    const Pose hand = random.nearby(g.pose, 0.1, 0.8);
    const Wrench wrench = guidance_wrench(g, hand, hand, 0.001);
    for (int axis = 0; axis < 3; ++axis) {
      const Vector3d step = small * Vector3d::Unit(axis);
      const auto shifted = [&](double sign) {
        return guidance_energy(g, {hand.position + sign * step, hand.orientation});
      };
      const auto turned = [&](double sign) {
        return guidance_angular_energy(
          g, {hand.position, from_rotation_vector(sign * step) * hand.orientation});
      };
      ASSERT_NEAR(wrench.force[axis], -(shifted(1.0) - shifted(-1.0)) / (2.0 * small), 1e-4) << i;
      ASSERT_NEAR(wrench.torque[axis], -(turned(1.0) - turned(-1.0)) / (2.0 * small), 1e-4) << i;
    }
  }
}

TEST(Guidance, TheHandGlidesFreelyAlongALineInAPlaneAndBeforeAWall)
{
  Guidance g;
  g.pose.position = Vector3d(0, 0, 0.1);
  g.direction = Vector3d::UnitX();
  g.linear_stiffness = 100.0;
  const Pose hand{Vector3d(0.3, 0.02, 0.1), Quaterniond::Identity()};
  const auto force = [&](GuidanceMode mode) {
    g.mode = mode;
    return guidance_wrench(g, hand, hand, 0.001).force;
  };
  EXPECT_LT((force(GuidanceMode::Line) - Vector3d(0, -2, 0)).norm(), 1e-12);
  EXPECT_LT((force(GuidanceMode::Plane) - Vector3d(-30, 0, 0)).norm(), 1e-12);
  EXPECT_EQ(force(GuidanceMode::Wall), Vector3d(0, 0, 0));
  g.direction = -Vector3d::UnitX();  // the same wall from behind
  EXPECT_LT((force(GuidanceMode::Wall) - Vector3d(-30, 0, 0)).norm(), 1e-12);
}

TEST(Guidance, AWallDampsTheWayInAndNeverPullsOnTheWayOut)
{
  Guidance wall;
  wall.mode = GuidanceMode::Wall;
  wall.linear_stiffness = 100.0;
  wall.linear_damping = 5.0;
  const auto push = [&](double before, double now) {
    return guidance_wrench(
             wall, {Vector3d(0, 0, now), Quaterniond::Identity()},
             {Vector3d(0, 0, before), Quaterniond::Identity()}, 0.001)
      .force.z();
  };
  EXPECT_NEAR(push(-0.0100, -0.0101), 1.01 + 0.5, 1e-9);  // 0.1 m/s in
  EXPECT_NEAR(push(-0.0101, -0.0100), 1.00 - 0.5, 1e-9);
  EXPECT_EQ(push(-0.0110, -0.0100), 0.0);  // 1 m/s out: its damper would pull
}

TEST(Guidance, DampingFeelsTheHandAndNotASetPointThatJumps)
{
  Guidance g;
  g.mode = GuidanceMode::SetPoint;
  g.linear_damping = 2.0;
  g.angular_damping = 0.5;
  const Pose before;
  const Pose now{Vector3d(0.001, 0, 0), from_rotation_vector(Vector3d(0, 0, 0.002))};
  for (const double jump : {0.0, 1.0}) {
    g.pose.position = Vector3d::Constant(jump);
    const Wrench wrench = guidance_wrench(g, now, before, 0.001);
    EXPECT_LT((wrench.force - Vector3d(-2, 0, 0)).norm(), 1e-9);
    EXPECT_LT((wrench.torque - Vector3d(0, 0, -1)).norm(), 1e-9);
  }
}

TEST(Guidance, IsTheSameInEveryFrame)
{
  RandomPoses random(2);
  for (int i = 0; i < 200; ++i) {
    Guidance g = random_guidance(random, springs[static_cast<std::size_t>(i) % 4]);
    g.linear_damping = 3.0;
    g.angular_damping = 0.1;
    const Pose hand = random.nearby(g.pose, 0.1, 0.8);
    const Pose before = random.nearby(hand, 0.001, 0.01);
    const Pose T_a_b = random.pose();
    const Wrench in_b = guidance_wrench(g, hand, before, 0.001);
    const Wrench in_a = guidance_wrench(moved(T_a_b, g), T_a_b * hand, T_a_b * before, 0.001);
    EXPECT_LT((in_a.force - T_a_b.orientation * in_b.force).norm(), 1e-9);
    EXPECT_LT((in_a.torque - T_a_b.orientation * in_b.torque).norm(), 1e-9);
  }
}

TEST(Guidance, WhatIsNotFiniteOrNotUnitOrNegativeIsNotValid)
{
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Guidance good;
  EXPECT_TRUE(is_valid(good));
  const auto spoiled = [&good](auto spoil) {
    Guidance g = good;
    spoil(g);
    return is_valid(g);
  };
  EXPECT_FALSE(spoiled([](Guidance & g) { g.wrench.force.y() = nan; }));
  EXPECT_FALSE(spoiled([](Guidance & g) { g.pose.position.x() = nan; }));
  EXPECT_FALSE(spoiled([](Guidance & g) { g.pose.orientation.coeffs() *= 1.1; }));
  EXPECT_FALSE(spoiled([](Guidance & g) { g.direction.setZero(); }));
  EXPECT_FALSE(spoiled([](Guidance & g) { g.linear_stiffness = -1.0; }));
  EXPECT_FALSE(spoiled([](Guidance & g) { g.angular_damping = nan; }));
}

}  // namespace
}  // namespace ambf_teleop::test
