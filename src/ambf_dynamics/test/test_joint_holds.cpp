// SPDX-License-Identifier: BSD-3-Clause
// Joints with `hold position`.

#include <cmath>

#include "model_builder.hpp"

namespace ambf_dynamics::test
{
namespace
{

using ambf_adf::JointType;

constexpr double gain = 200.0;
constexpr double weight_torque = 9.8 * 0.3;

/// A link of 1 kg whose centre is 0.3 m beside its joint.
ambf_adf::Model one_link()
{
  ambf_adf::Model model;
  model.bodies.push_back(body("base", 0.0, Vector3d::Zero()));
  model.bodies.push_back(body("arm", 1.0, Vector3d(0.3, 0, 0), Vector3d::Constant(0.01)));
  auto j = joint("j", JointType::Revolute, "base", "arm", Vector3d::Zero(), Vector3d(-0.3, 0, 0));
  j.controller = ambf_adf::Pid{gain, 0.0, 20.0};
  j.controller_output = ambf_adf::ControlOutput::Effort;
  j.hold_position = true;
  model.joints.push_back(j);
  return model;
}

/// Base, arm and hand in a row along x; both joints turn about y.
ambf_adf::Model two_links()
{
  ambf_adf::Model model = one_link();
  model.bodies.push_back(body("hand", 0.1, Vector3d(0.7, 0, 0), Vector3d::Constant(0.001)));
  auto j =
    joint("k", JointType::Revolute, "arm", "hand", Vector3d(0.3, 0, 0), Vector3d(-0.1, 0, 0));
  j.controller = ambf_adf::Pid{gain, 0.0, 20.0};
  j.controller_output = ambf_adf::ControlOutput::Effort;
  j.hold_position = true;
  model.joints.push_back(j);
  return model;
}

Parameters weightless()
{
  Parameters parameters;
  parameters.gravity.setZero();
  return parameters;
}

BodyCommand wrench(const Vector3d & force)
{
  BodyCommand command;
  command.mode = BodyMode::Wrench;
  command.force = force;
  return command;
}

TEST(JointHolds, SagsWithoutACommandByTorqueOverGain)
{
  auto world = world_of(one_link());
  world->step(4000);
  const double q = joint_position(*world, 0);
  EXPECT_NEAR(gain * q, weight_torque * std::cos(q), 1e-4);
  EXPECT_EQ(world->joint_command(0), JointMode::Release);  // nobody's command
}

TEST(JointHolds, ReleaseHoldsWhereTheJointIsAndDoesNotCreep)
{
  auto world = world_of(one_link());
  world->set_joint_command(0, JointMode::Position, 0.5);
  world->step(3000);
  const double before = joint_position(*world, 0);
  for (int i = 0; i < 3000; ++i) {
    world->set_joint_command(0, JointMode::Release, 0.0);
    world->step();
  }
  const double q = joint_position(*world, 0);
  EXPECT_NEAR(gain * (q - before), weight_torque * std::cos(q), 1e-4);
}

TEST(JointHolds, AnEffortTakesTheJointOver)
{
  auto world = world_of(one_link());
  world->step(10);
  world->set_joint_command(0, JointMode::Effort, 0.0);
  world->step(300);
  EXPECT_GT(joint_position(*world, 0), 0.3);  // it falls
}

TEST(JointHolds, ALedBodyTakesWhatCarriesItAlong)
{
  auto world = world_of(two_links(), weightless());
  // 0.1 N at the hand against a hold of 200 N m/rad.
  ASSERT_EQ(world->set_body_command(2, wrench(Vector3d(0, 0, -0.1))), CommandResult::Ok);
  world->step(1000);
  EXPECT_GT(joint_position(*world, 0), 0.1);
  const double reached = joint_position(*world, 0);
  world->set_body_command(2, wrench(Vector3d::Zero()));
  world->step(2000);
  EXPECT_NEAR(joint_position(*world, 0), reached, 0.05);  // stops within its own braking distance
  EXPECT_NEAR(joint_velocity(*world, 0), 0.0, 1e-6);
}

TEST(JointHolds, WhatIsBeyondALedBodyIsHeld)
{
  auto world = world_of(two_links(), weightless());
  world->set_body_command(1, wrench(Vector3d(0, 0, -1.0)));
  world->step(500);
  EXPECT_GT(joint_position(*world, 0), 0.1);
  EXPECT_LT(std::abs(joint_position(*world, 1)), 0.01);
}

TEST(JointHolds, AHandLeadsAsACommandDoes)
{
  auto world = world_of(two_links(), weightless());
  for (int i = 0; i < 1000; ++i) {
    world->add_body_wrench(2, {Vector3d(0, 0, -0.1), Vector3d::Zero()});
    world->step();
  }
  EXPECT_GT(joint_position(*world, 0), 0.1);
  const double reached = joint_position(*world, 0);
  world->step(2000);
  EXPECT_NEAR(joint_position(*world, 0), reached, 0.05);
}

TEST(JointHolds, AreSavedHashedAndReset)
{
  auto world = world_of(one_link());
  const std::uint64_t fresh = world->state().hash;
  world->set_joint_command(0, JointMode::Position, 0.5);
  world->step(500);
  world->set_joint_command(0, JointMode::Release, 0.0);
  world->step(50);
  const auto saved = world->save();
  world->step(200);
  const std::uint64_t went = world->state().hash;
  ASSERT_TRUE(world->restore(saved));
  world->step(200);
  EXPECT_EQ(world->state().hash, went);
  auto other = world_of(one_link());
  ASSERT_TRUE(other->restore(saved));
  other->step(200);
  EXPECT_EQ(other->state().hash, went);
  world->reset(true);
  EXPECT_EQ(world->state().hash, fresh);
}

}  // namespace
}  // namespace ambf_dynamics::test
