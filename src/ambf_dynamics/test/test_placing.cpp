// SPDX-License-Identifier: BSD-3-Clause
// Placing bodies by hand: alone, and with what joints tie to them.

#include <cmath>
#include <numbers>

#include "ambf_dynamics/placing.hpp"
#include "model_builder.hpp"

namespace ambf_dynamics::test
{
namespace
{

using ambf_adf::JointType;

/// Three links of 0.4 m in a row, jointed about y, and a loose body beside them.
std::unique_ptr<World> chain(double mass_of_base, const Vector3d & gravity = Vector3d::Zero())
{
  ambf_adf::Model model;
  const Vector3d inertia(0.01, 0.02, 0.02);
  model.bodies = {
    body("base", mass_of_base, {0, 0, 0}, inertia), body("middle", 1.0, {0.4, 0, 0}, inertia),
    body("tip", 1.0, {0.8, 0, 0}, inertia), body("loose", 1.0, {0, 3, 0}, inertia)};
  model.joints = {
    joint("first", JointType::Revolute, "base", "middle", {0.2, 0, 0}, {-0.2, 0, 0}),
    joint("second", JointType::Revolute, "middle", "tip", {0.2, 0, 0}, {-0.2, 0, 0})};
  Parameters parameters;
  parameters.gravity = gravity;
  return world_of(model, parameters);
}

Eigen::Isometry3d pose(const Vector3d & position, double turn_about_z = 0.0)
{
  Eigen::Isometry3d t(Eigen::AngleAxisd(turn_about_z, Vector3d::UnitZ()));
  t.translation() = position;
  return t;
}

/// How far apart the halves of both joints are [m].
double gap(const World & world)
{
  const auto end = [&](std::size_t i, double x) -> Vector3d {
    return position(world, i) + orientation(world, i) * Vector3d(x, 0, 0);
  };
  return (end(0, 0.2) - end(1, -0.2)).norm() + (end(1, 0.2) - end(2, -0.2)).norm();
}

TEST(Placing, ABodyOfAnAssemblyTakesTheOthersAlong)
{
  for (const double mass : {0.0, 1.0}) {
    const auto world = chain(mass);
    // Bent first, so that there is something to keep.
    world->set_joint_command(0, JointMode::Position, 0.3);
    world->set_joint_command(1, JointMode::Position, -0.5);
    world->step(500);
    const double q0 = joint_position(*world, 0), q1 = joint_position(*world, 1);
    ASSERT_GT(std::abs(q0), 0.1);
    const Placement placement{0, pose({1, 2, 3}, std::numbers::pi / 2), std::nullopt};
    const auto placed = place_bodies(*world, std::span(&placement, 1));
    ASSERT_TRUE(placed) << placed.error();
    EXPECT_TRUE(position(*world, 0).isApprox(Vector3d(1, 2, 3), 1e-12));
    EXPECT_LT(gap(*world), 1e-6);
    EXPECT_NEAR(joint_position(*world, 0), q0, 1e-9);
    EXPECT_NEAR(joint_position(*world, 1), q1, 1e-9);
    // Along y now, and nothing that has no joint to it moves.
    EXPECT_GT(position(*world, 2).y(), 2.5);
    EXPECT_TRUE(position(*world, 3).isApprox(Vector3d(0, 3, 0), 1e-12));
    world->step(100);
    EXPECT_LT(gap(*world), 1e-4) << "base of " << mass << " kg: torn apart";
  }
}

TEST(Placing, VelocitiesTurnWithTheAssemblyOrAreThoseOfOneMotion)
{
  const auto world = chain(1.0);
  world->set_body_state(2, pose({0.8, 0, 0}), Vector3d(0, 0, -0.2), Vector3d(0, 1, 0));
  const Placement turned{0, pose({0, 0, 0}, std::numbers::pi / 2), std::nullopt};
  ASSERT_TRUE(place_bodies(*world, std::span(&turned, 1)));
  EXPECT_TRUE(linear_velocity(*world, 2).isApprox(Vector3d(0, 0, -0.2), 1e-9));
  EXPECT_TRUE(angular_velocity(*world, 2).isApprox(Vector3d(-1, 0, 0), 1e-9))
    << angular_velocity(*world, 2);
  const Placement spun{0, pose({0, 0, 0}), Velocity{{1, 0, 0}, {0, 0, 2}}};
  ASSERT_TRUE(place_bodies(*world, std::span(&spun, 1)));
  // v + w x r of the tip, which is 0.8 m from the base.
  EXPECT_TRUE(linear_velocity(*world, 2).isApprox(Vector3d(1, 1.6, 0), 1e-6))
    << linear_velocity(*world, 2);
  world->step(1);
  EXPECT_NEAR(joint_velocity(*world, 0), 0.0, 1e-6);
  // A velocity alone is a kick of that one body.
  const Placement kick{2, std::nullopt, Velocity{{0, 0, 1}, {0, 0, 0}}};
  ASSERT_TRUE(place_bodies(*world, std::span(&kick, 1)));
  EXPECT_TRUE(linear_velocity(*world, 2).isApprox(Vector3d(0, 0, 1), 1e-12));
}

TEST(Placing, WhatWouldTearAnAssemblyIsRefusedAndNothingMoves)
{
  const auto world = chain(0.0);
  const auto before = world->state().bodies;
  const auto refused = [&](const std::vector<Placement> & placements) {
    const auto placed = place_bodies(*world, placements);
    EXPECT_FALSE(placed);
    EXPECT_EQ(world->state().bodies, before);
    return placed ? std::string() : placed.error();
  };
  const Placement loose{3, pose({5, 5, 5}), std::nullopt};
  // The end of an arm whose base stands still.
  EXPECT_NE(
    refused({loose, {2, pose({0, 0, 1}), std::nullopt}}).find("'tip' hangs by joints on 'base'"),
    std::string::npos);
  // Two of three, each elsewhere; the same one twice is no help.
  EXPECT_NE(
    refused({{0, pose({0, 0, 1}), std::nullopt}, {1, pose({0, 0, 2}), std::nullopt}})
      .find("'base' and 'middle' are jointed"),
    std::string::npos);
  EXPECT_NE(
    refused(
      {{1, pose({0, 0, 2}), std::nullopt},
       {1, pose({0, 0, 2}), std::nullopt},
       {1, pose({0, 0, 2}), std::nullopt}}),
    "");
  EXPECT_NE(refused({{9, pose({0, 0, 1}), std::nullopt}}), "");
  EXPECT_NE(refused({{3, pose({0, 0, std::nan("")}), std::nullopt}}), "");
}

TEST(Placing, AllBodiesOfAnAssemblyGoWhereEachIsTold)
{
  const auto world = chain(0.0);
  // Folded up: another joint position than before.
  const Eigen::Isometry3d bent =
    pose({0.2, 0, 0}) * Eigen::AngleAxisd(0.5, Vector3d::UnitY()) * pose({0.2, 0, 0});
  const std::vector<Placement> all{
    {0, pose({0, 0, 0}), std::nullopt},
    {1, bent, std::nullopt},
    {2, bent * pose({0.4, 0, 0}), std::nullopt}};
  ASSERT_TRUE(place_bodies(*world, all));
  EXPECT_LT(gap(*world), 1e-12);
  EXPECT_NEAR(std::abs(joint_position(*world, 0)), 0.5, 1e-9);
  // Some of them by one motion: the others follow.
  const std::vector<Placement> some{
    {0, pose({0, 0, 2}), std::nullopt}, {1, pose({0, 0, 2}) * bent, std::nullopt}};
  ASSERT_TRUE(place_bodies(*world, some));
  EXPECT_LT(gap(*world), 1e-9);
  EXPECT_GT(position(*world, 2).z(), 1.0);
}

}  // namespace
}  // namespace ambf_dynamics::test
