// SPDX-License-Identifier: BSD-3-Clause
// Commands and controllers.

#include <cmath>
#include <limits>

#include "model_builder.hpp"

namespace ambf_dynamics::test
{
namespace
{

using ambf_adf::JointType;

ambf_adf::Model arm(double motor_impulse = 0.1)
{
  ambf_adf::Model model;
  model.bodies.push_back(body("base", 0.0, Vector3d::Zero()));
  model.bodies.push_back(body("arm", 1.0, Vector3d(0.3, 0, 0), Vector3d::Constant(0.01)));
  auto j = joint("j", JointType::Revolute, "base", "arm", Vector3d::Zero(), Vector3d(-0.3, 0, 0));
  j.max_motor_impulse = motor_impulse;
  model.joints.push_back(j);
  return model;
}

ambf_adf::Model arm_with_pid(double p, double i, double d)
{
  auto model = arm();
  model.joints[0].controller = ambf_adf::Pid{p, i, d};
  model.joints[0].controller_output = ambf_adf::ControlOutput::Effort;
  return model;
}

constexpr double weight_torque = 9.8 * 0.3;

TEST(JointControl, VelocityMotorHoldsItsSpeedAgainstTheWeight)
{
  auto world = world_of(arm());
  world->set_joint_command(0, JointMode::Velocity, -1.0);
  world->step(500);
  EXPECT_NEAR(joint_velocity(*world, 0), -1.0, 1e-9);
  EXPECT_NEAR(joint_position(*world, 0), -0.5, 1e-3);
}

TEST(JointControl, VelocityMotorIsNoStrongerThanItsImpulse)
{
  auto world = world_of(arm(0.001));  // 1 N m against 2.94 N m of weight
  world->set_joint_command(0, JointMode::Velocity, 0.0);
  world->step(100);
  EXPECT_GT(joint_velocity(*world, 0), 0.1);
  EXPECT_NEAR(joint_effort(*world, 0), -1.0, 1e-9);
}

TEST(JointControl, ProportionalGainSagsByTorqueOverGain)
{
  auto world = world_of(arm_with_pid(200.0, 0.0, 20.0));
  world->set_joint_command(0, JointMode::Position, 0.0);
  world->step(4000);
  const double q = joint_position(*world, 0);
  EXPECT_NEAR(200.0 * q, weight_torque * std::cos(q), 1e-4);
}

TEST(JointControl, IntegralGainRemovesTheSag)
{
  auto world = world_of(arm_with_pid(200.0, 400.0, 20.0));
  world->set_joint_command(0, JointMode::Position, 0.0);
  world->step(8000);
  EXPECT_NEAR(joint_position(*world, 0), 0.0, 1e-4);
}

TEST(JointControl, TheIntegralAloneMovesTheJoint)
{
  Parameters p;
  p.gravity.setZero();
  auto world = world_of(arm_with_pid(0.0, 5.0, 0.0), p);
  world->set_joint_command(0, JointMode::Position, 1.0);
  // I q'' = i integral(1 - q): while q is small, q = i t^3 / (6 I), I = 0.01 + 0.3^2 at the joint.
  world->step(200);
  EXPECT_NEAR(joint_position(*world, 0), 5.0 * 0.008 / (6.0 * 0.1), 2e-3);
}

TEST(JointControl, AnyGainsAreStable)
{
  // Explicit PD would need p h^2 / I < 4 and d h / I < 2: here 5e5 and 5e4 times more.
  auto world = world_of(arm_with_pid(1e9, 0.0, 1e6));
  world->set_joint_command(0, JointMode::Position, 0.3);
  for (int i = 0; i < 2000; ++i) {
    ASSERT_EQ(world->step(), StepStatus::Ok);
    ASSERT_LT(std::abs(joint_position(*world, 0)), 0.31);
  }
  EXPECT_NEAR(joint_position(*world, 0), 0.3, 1e-6);
}

TEST(JointControl, EffortLimitHoldsAndIntegralDoesNotWindUp)
{
  auto model = arm_with_pid(200.0, 400.0, 20.0);
  model.joints[0].max_effort = 2.0;  // too weak for the weight
  auto world = world_of(model);
  world->set_joint_command(0, JointMode::Position, -0.5);
  double strongest = 0.0;
  for (int i = 0; i < 5000; ++i) {
    world->step();
    strongest = std::max(strongest, std::abs(joint_effort(*world, 0)));
  }
  EXPECT_LE(strongest, 2.0 + 1e-9);
  EXPECT_GT(joint_position(*world, 0), 0.5);  // it hangs
  // Ask for where it hangs: a wound-up integral of 5 s would hold it off for as long.
  const double here = joint_position(*world, 0);
  world->set_joint_command(0, JointMode::Position, here);
  world->step(1500);
  EXPECT_NEAR(joint_position(*world, 0), here, 0.15);
}

TEST(JointControl, EffortCommandsAreCutAtTheLimit)
{
  auto model = arm();
  model.joints[0].max_effort = 1.0;
  Parameters p;
  p.gravity.setZero();
  auto world = world_of(model, p);
  world->set_joint_command(0, JointMode::Effort, 100.0);
  world->step(100);
  // I = 0.01 + m l^2 = 0.1
  EXPECT_NEAR(joint_velocity(*world, 0), 0.1 / 0.1, 1e-3);
}

TEST(JointControl, StreamedPositionsAreFollowedWithoutLag)
{
  auto world = world_of(arm());  // no controller in the file: velocity output, P = 10
  double worst = 0.0;
  for (int i = 1; i <= 3000; ++i) {
    const double target = 0.5 * std::sin(0.001 * i);
    world->set_joint_command(0, JointMode::Position, target);
    world->step();
    if (i > 100) { worst = std::max(worst, std::abs(target - joint_position(*world, 0))); }
  }
  EXPECT_LT(worst, 1e-3);  // without feed-forward it would be 0.5 / 10 = 0.05 rad
}

TEST(JointControl, ASingleStepOfTheTargetIsApproachedWithoutOvershoot)
{
  auto world = world_of(arm());
  world->set_joint_command(0, JointMode::Position, 0.0);
  world->step(100);
  world->set_joint_command(0, JointMode::Position, 0.2);
  double furthest = 0.0;
  for (int i = 0; i < 1500; ++i) {
    world->step();
    furthest = std::max(furthest, joint_position(*world, 0));
  }
  EXPECT_LT(furthest, 0.2 + 1e-4);
  EXPECT_NEAR(joint_position(*world, 0), 0.2, 1e-3);
}

TEST(JointControl, ReleaseLetsGo)
{
  auto world = world_of(arm());
  world->set_joint_command(0, JointMode::Position, 0.0);
  world->step(100);
  EXPECT_NEAR(
    joint_position(*world, 0), 0.0, 1e-5);  // servos give way by a ten-thousandth of their links
  EXPECT_EQ(
    world->set_joint_command(0, JointMode::None, 5.0), CommandResult::Ok);  // leaves it standing
  world->step(100);
  EXPECT_NEAR(joint_position(*world, 0), 0.0, 1e-5);
  world->set_joint_command(0, JointMode::Release, 0.0);
  world->step(300);
  EXPECT_GT(joint_position(*world, 0), 0.3);
}

TEST(JointControl, BadCommandsAreRefused)
{
  auto world = world_of(arm());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(world->set_joint_command(7, JointMode::Position, 0.0), CommandResult::UnknownIndex);
  EXPECT_EQ(world->set_joint_command(0, JointMode::Position, nan), CommandResult::NotFinite);
  BodyCommand c;
  c.mode = BodyMode::Pose;
  c.orientation.coeffs() *= 1.1;
  EXPECT_EQ(world->set_body_command(1, c), CommandResult::NotNormalised);
  c.orientation.setIdentity();
  c.position.x() = nan;
  EXPECT_EQ(world->set_body_command(1, c), CommandResult::NotFinite);
  EXPECT_EQ(world->set_body_command(9, BodyCommand{}), CommandResult::UnknownIndex);
}

ambf_adf::Model free_body()
{
  ambf_adf::Model model;
  auto b = body("b", 2.0, Vector3d(0, 0, 1), Vector3d(0.02, 0.03, 0.04));
  b.inertial_offset->position = Vector3d(0.05, 0.0, 0.1);
  model.bodies.push_back(b);
  return model;
}

TEST(BodyControl, WrenchAcceleratesTheCentreOfMass)
{
  Parameters p;
  p.gravity.setZero();
  auto world = world_of(free_body(), p);
  BodyCommand c;
  c.mode = BodyMode::Wrench;
  c.force = Vector3d(0, 0, 4.0);
  world->set_body_command(0, c);
  world->step(500);
  EXPECT_NEAR(linear_velocity(*world, 0).z(), 1.0, 1e-9);
  EXPECT_LT(angular_velocity(*world, 0).norm(), 1e-12);
}

TEST(BodyControl, AnAddedWrenchActsAtTheOriginForOneStepBesideTheCommand)
{
  Parameters p;
  p.gravity.setZero();
  ambf_adf::Model model;
  model.bodies.push_back(body("bar", 2.0, Vector3d::Zero(), Vector3d::Constant(0.1)));
  model.bodies[0].inertial_offset = ambf_adf::Pose{Vector3d(0.5, 0, 0), Vector3d::Zero()};
  auto world = world_of(model, p);
  BodyCommand c;
  c.mode = BodyMode::Wrench;
  c.force = Vector3d(0, 2.0, 0);
  world->set_body_command(0, c);
  ASSERT_EQ(
    world->add_body_wrench(0, {Vector3d(0, 0, 4.0), Vector3d(0.3, 0, 0)}), CommandResult::Ok);
  world->step();
  world->step();
  // Torque about the centre of mass: (-0.5, 0, 0) x (0, 0, 4) = (0, 2, 0), and the given one.
  const Vector3d w(0.3 / 0.1 * 0.001, 2.0 / 0.1 * 0.001, 0.0);
  EXPECT_LT((angular_velocity(*world, 0) - w).norm(), 1e-6);  // gyroscopic terms are below w^2 h
  const Vector3d centre = linear_velocity(*world, 0) + w.cross(Vector3d(0.5, 0, 0));
  EXPECT_LT((centre - Vector3d(0, 2 * 2.0 / 2.0 * 0.001, 4.0 / 2.0 * 0.001)).norm(), 1e-6);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(world->add_body_wrench(0, {Vector3d(nan, 0, 0), {}}), CommandResult::NotFinite);
  EXPECT_EQ(world->add_body_wrench(1, {}), CommandResult::UnknownIndex);
}

TEST(BodyControl, PoseIsReachedWithEffortAndWithVelocityOutput)
{
  for (const bool effort : {false, true}) {
    auto model = free_body();
    ambf_adf::CartesianController gains;
    if (effort) {
      gains.linear = {2000.0, 0.0, 100.0};
      gains.angular = {20.0, 0.0, 2.0};
      gains.linear_output = gains.angular_output = ambf_adf::ControlOutput::Effort;
    }
    model.bodies[0].controller = gains;
    Parameters p;
    p.gravity.setZero();
    auto world = world_of(model, p);
    BodyCommand c;
    c.mode = BodyMode::Pose;
    c.position = Vector3d(0.2, -0.1, 1.3);
    c.orientation = Eigen::AngleAxisd(1.0, Vector3d(1, 2, 3).normalized());
    world->set_body_command(0, c);
    world->step(3000);
    EXPECT_LT((position(*world, 0) - c.position).norm(), 1e-3) << effort;
    EXPECT_LT(orientation(*world, 0).angularDistance(c.orientation), 1e-3) << effort;
  }
}

// A light body under its weight and a load: the law is as stiff as its gains say.
TEST(BodyControl, PoseGivesWayByLoadOverGain)
{
  for (const double mass : {1.0, 0.01}) {
    ambf_adf::Model model;
    model.bodies.push_back(body("b", mass, Vector3d(0, 0, 1), Vector3d::Constant(1e-3 * mass)));
    ambf_adf::CartesianController gains;
    gains.linear = {1000.0, 0.0, 50.0};
    gains.angular = {10.0, 0.0, 1.0};
    gains.linear_output = gains.angular_output = ambf_adf::ControlOutput::Effort;
    model.bodies[0].controller = gains;
    auto world = world_of(model);
    BodyCommand c;
    c.mode = BodyMode::Pose;
    c.position = Vector3d(0, 0, 1);
    world->set_body_command(0, c);
    for (int i = 0; i < 4000; ++i) {
      world->add_body_wrench(0, {Vector3d(1, 0, 0), Vector3d(0, 0, 0.1)});
      world->step();
    }
    EXPECT_LT((position(*world, 0) - Vector3d(0.001, 0, 1 - 9.8 * mass / 1000.0)).norm(), 1e-7)
      << mass;
    EXPECT_NEAR(orientation(*world, 0).angularDistance(Eigen::Quaterniond::Identity()), 0.01, 1e-6)
      << mass;
  }
}

TEST(BodyControl, PoseByVelocityDoesNotSag)
{
  auto world = world_of(free_body());
  BodyCommand c;
  c.mode = BodyMode::Pose;
  c.position = Vector3d(0.1, 0, 1);
  world->set_body_command(0, c);
  world->step(3000);
  EXPECT_LT((position(*world, 0) - c.position).norm(), 1e-6);
}

TEST(BodyControl, TwistMovesTheOriginAndDoesNotFall)
{
  auto world = world_of(free_body());
  BodyCommand c;
  c.mode = BodyMode::Twist;
  c.linear_velocity = Vector3d(0.1, 0, 0);
  c.angular_velocity = Vector3d(0, 0, 1.0);
  world->set_body_command(0, c);
  world->step(1000);
  // The lever arm to the centre of mass turns during the step: w^2 r h = 5e-5.
  EXPECT_LT((linear_velocity(*world, 0) - c.linear_velocity).norm(), 1e-4);
  EXPECT_LT((position(*world, 0) - Vector3d(0.1, 0, 1)).norm(), 1e-3);
}

TEST(BodyControl, MassZeroBodiesMoveByCommandAndPush)
{
  ambf_adf::Model model;
  model.bodies.push_back(floor_body());
  model.bodies.push_back(box("pusher", 0.0, Vector3d(-0.3, 0, 0.1), Vector3d::Constant(0.2)));
  auto block = box("block", 1.0, Vector3d(0, 0, 0.1), Vector3d::Constant(0.2));
  block.surface.friction = 0.3;
  model.bodies.push_back(block);
  auto world = world_of(model);
  world->step(100);
  for (int i = 1; i <= 1000; ++i) {
    BodyCommand c;
    c.mode = BodyMode::Pose;
    c.position = Vector3d(-0.3 + 0.0004 * i, 0, 0.1);
    world->set_body_command(1, c);
    world->step();
  }
  EXPECT_NEAR(position(*world, 1).x(), 0.1, 1e-9);
  EXPECT_NEAR(position(*world, 2).x(), 0.3, 0.01);
  BodyCommand release;
  release.mode = BodyMode::Release;
  world->set_body_command(1, release);
  world->step(10);
  EXPECT_NEAR(position(*world, 1).x(), 0.1, 1e-9);
  EXPECT_EQ(linear_velocity(*world, 1).norm(), 0.0);
}

TEST(JointControl, AnAccelerationGivesTheParabola)
{
  // Against the weight, too: the motor makes the acceleration, whatever pulls.
  for (const double gravity : {0.0, -9.8}) {
    Parameters p;
    p.gravity = Vector3d(0, 0, gravity);
    auto world = world_of(arm(), p);
    world->set_joint_command(0, JointMode::Acceleration, 2.0);
    world->step(1000);
    EXPECT_NEAR(joint_velocity(*world, 0), 2.0, 1e-9);
    // q = a t^2 / 2; steps that move by the velocity at their end are ahead by a t h / 2.
    EXPECT_NEAR(joint_position(*world, 0), 1.0 + 1e-3, 1e-6) << gravity;
    world->set_joint_command(0, JointMode::Acceleration, 0.0);
    world->step(100);
    EXPECT_NEAR(joint_velocity(*world, 0), 2.0, 1e-9) << "no acceleration: it keeps its speed";
  }
}

TEST(JointControl, AnAccelerationOfASlideGivesTheParabola)
{
  auto model = arm(100.0);
  model.joints[0].type = JointType::Prismatic;
  for (const int sub_steps : {1, 4}) {
    Parameters p;
    p.sub_steps = sub_steps;
    auto world = world_of(model, p);
    world->set_joint_command(0, JointMode::Acceleration, -0.5);
    world->step(2000);
    EXPECT_NEAR(joint_velocity(*world, 0), -1.0, 1e-9);
    EXPECT_NEAR(joint_position(*world, 0), -1.0, 1e-3);
  }
}

TEST(JointControl, AnAccelerationIsLimitedByTheEffortAndNothingIsMadeUpForLater)
{
  auto model = arm();
  model.joints[0].max_effort = 0.5;
  Parameters p;
  p.gravity.setZero();
  auto world = world_of(model, p);
  world->set_joint_command(0, JointMode::Acceleration, 100.0);
  world->step(100);
  // I q'' = effort, I = 0.01 + 0.3^2 at the joint.
  EXPECT_NEAR(joint_velocity(*world, 0), 0.5 / 0.1 * 0.1, 1e-6);
  EXPECT_NEAR(joint_effort(*world, 0), 0.5, 1e-9);
  world->set_joint_command(0, JointMode::Acceleration, 1.0);
  world->step(100);
  EXPECT_NEAR(joint_velocity(*world, 0), 0.5 + 0.1, 1e-6);
}

TEST(JointControl, AnAccelerationGoesOnAfterARestore)
{
  auto world = world_of(arm());
  world->set_joint_command(0, JointMode::Acceleration, 1.0);
  world->step(100);
  const auto saved = world->save();
  world->step(100);
  const auto hash = world->state().hash;
  world->set_joint_command(0, JointMode::Acceleration, -1.0);
  world->step(100);
  ASSERT_TRUE(world->restore(saved));
  world->step(100);
  EXPECT_EQ(world->state().hash, hash);
}

TEST(JointControl, GainsAreReadReplacedSavedAndReset)
{
  const ambf_adf::Pid file{200.0, 0.0, 20.0};
  auto world = world_of(arm_with_pid(file.p, file.i, file.d));
  EXPECT_EQ(world->joint_gains(0), file);
  world->set_joint_command(0, JointMode::Position, 0.0);
  world->step(100);
  const auto before = world->state().hash;
  const ambf_adf::Pid stiff{2000.0, 0.0, 200.0};
  ASSERT_EQ(world->set_joint_gains(0, stiff), CommandResult::Ok);
  EXPECT_EQ(world->joint_gains(0), stiff);
  EXPECT_NE(world->state().hash, before) << "the next step reads them";
  const auto saved = world->save();
  world->step(4000);
  const auto end = world->state().hash;
  const double q = joint_position(*world, 0);
  EXPECT_NEAR(2000.0 * q, weight_torque * std::cos(q), 1e-4) << "a tenth of the sag";
  ASSERT_EQ(world->set_joint_gains(0, file), CommandResult::Ok);
  ASSERT_TRUE(world->restore(saved));
  EXPECT_EQ(world->joint_gains(0), stiff);
  world->step(4000);
  EXPECT_EQ(world->state().hash, end);
  world->reset();
  EXPECT_EQ(world->joint_gains(0), file);
}

TEST(JointControl, GainsThatMakeNoSenseAreRefused)
{
  auto world = world_of(arm_with_pid(1.0, 2.0, 3.0));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(world->set_joint_gains(0, {-1.0, 0.0, 0.0}), CommandResult::BadGain);
  EXPECT_EQ(world->set_joint_gains(0, {1.0, 0.0, -1e-9}), CommandResult::BadGain);
  EXPECT_EQ(world->set_joint_gains(0, {nan, 0.0, 0.0}), CommandResult::NotFinite);
  EXPECT_EQ(world->set_joint_gains(7, {1.0, 0.0, 0.0}), CommandResult::UnknownIndex);
  EXPECT_EQ(world->joint_gains(0), (ambf_adf::Pid{1.0, 2.0, 3.0}));
}

TEST(Gravity, IsTheBodysThenTheWorldsAndCanBeBalanced)
{
  ambf_adf::Model model;
  auto light = body("light", 1.0, Vector3d(1, 0, 0));
  light.gravity = Vector3d(0, 0, -1.0);
  model.bodies = {body("plain", 1.0, Vector3d::Zero()), light};
  AddedModel added;
  auto world = world_of(model, {}, &added);
  world->step(1000);
  EXPECT_NEAR(linear_velocity(*world, 0).z(), -9.8, 1e-9);
  EXPECT_NEAR(linear_velocity(*world, 1).z(), -1.0, 1e-9);
  ASSERT_TRUE(world->set_gravity_compensation(added.handle, true));
  world->step(1000);
  EXPECT_NEAR(linear_velocity(*world, 0).z(), -9.8, 1e-9);
}

TEST(Gravity, TheBalanceIsHashedSavedAndEndsWithAReset)
{
  ambf_adf::Model model;
  model.bodies = {body("plain", 1.0, Vector3d::Zero())};
  AddedModel added;
  auto world = world_of(model, {}, &added);
  const auto before = world->state().hash;
  ASSERT_TRUE(world->set_gravity_compensation(added.handle, true));
  EXPECT_TRUE(world->gravity_compensation(added.handle));
  EXPECT_EQ(world->state().weightless, (std::vector<std::uint8_t>{1}));
  EXPECT_NE(world->state().hash, before);
  const auto saved = world->save();
  world->reset();
  EXPECT_FALSE(world->gravity_compensation(added.handle));
  world->step(100);
  EXPECT_NEAR(linear_velocity(*world, 0).z(), -0.98, 1e-9);
  ASSERT_TRUE(world->restore(saved));
  EXPECT_EQ(world->state().weightless, (std::vector<std::uint8_t>{1}));
  world->step(100);
  EXPECT_EQ(linear_velocity(*world, 0).z(), 0.0);
  EXPECT_FALSE(world->set_gravity_compensation(ModelHandle{99}, true));
}

}  // namespace
}  // namespace ambf_dynamics::test
