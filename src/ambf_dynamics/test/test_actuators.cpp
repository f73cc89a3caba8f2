// SPDX-License-Identifier: BSD-3-Clause
// Constraint actuators, ghosts, bounds, wrenches, reset of time.

#include <cmath>

#include "model_builder.hpp"

namespace ambf_dynamics::test
{
namespace
{

template <class Object>
Object named(const std::string & name)
{
  Object o;
  o.header.identifier = o.header.name = o.header.qualified = name;
  return o;
}

/// A fixed hand with an actuator and a sensor that looks down at a cube.
ambf_adf::Model hand_model()
{
  ambf_adf::Model model;
  model.bodies.push_back(box("hand", 0.0, Vector3d(0, 0, 1.0), Vector3d(0.04, 0.04, 0.04)));
  model.bodies.push_back(box("cube", 0.5, Vector3d(0, 0, 0.9), Vector3d(0.04, 0.04, 0.04)));
  model.bodies.push_back(box("far", 0.5, Vector3d(0, 0, 0.8), Vector3d(0.1, 0.1, 0.04)));
  auto actuator = named<ambf_adf::Actuator>("grip");
  actuator.parent = "hand";
  actuator.location.position = Vector3d(0, 0, -0.05);
  model.actuators.push_back(actuator);
  auto sensor = named<ambf_adf::Sensor>("eye");
  sensor.parent = "hand";
  sensor.range = 0.3;
  sensor.rays = ambf_adf::RayArray{
    {{Vector3d(0.03, 0, 0), -Vector3d::UnitZ()}, {Vector3d::Zero(), -Vector3d::UnitZ()}}};
  model.sensors.push_back(sensor);
  return model;
}

TEST(Actuator, HoldsABodyByIndexAndLetsItFall)
{
  auto world = world_of(hand_model());
  ASSERT_EQ(world->actuators().size(), 1u);
  ActuatorCommand grasp;
  grasp.actuate = true;
  grasp.body = 1;
  EXPECT_EQ(world->set_actuator_command(0, grasp), CommandResult::Ok);
  EXPECT_FALSE(world->actuator_state(0).actuated);
  world->step(2000);
  EXPECT_TRUE(world->actuator_state(0).actuated);
  EXPECT_EQ(world->actuator_state(0).body, 1u);
  // Sag of a compliant joint (parameters.hpp): 2 cfm F h^2 / (m erp) is below a micrometre.
  EXPECT_NEAR((position(*world, 1) - Vector3d(0, 0, 0.9)).norm(), 0.0, 1e-6);
  world->set_actuator_command(0, ActuatorCommand{});
  const double before = position(*world, 1).z();
  world->step(100);
  EXPECT_FALSE(world->actuator_state(0).actuated);
  // Symplectic Euler falls g h^2 n (n + 1) / 2.
  EXPECT_NEAR(before - position(*world, 1).z(), 9.8 * 1e-6 * 100 * 101 / 2, 1e-6);
}

TEST(Actuator, CarriesTheBodyAlongAndReportsItsWeight)
{
  auto model = hand_model();
  model.bodies.pop_back();
  auto world = world_of(model);
  ActuatorCommand grasp;
  grasp.actuate = true;
  grasp.body = 1;
  world->set_actuator_command(0, grasp);
  for (int i = 0; i < 1000; ++i) {
    BodyCommand move;
    move.mode = BodyMode::Pose;
    move.position = Vector3d(0.0002 * i, 0, 1.0);
    move.orientation = Eigen::Quaterniond(Eigen::AngleAxisd(0.0005 * i, Vector3d::UnitX()));
    world->set_body_command(0, move);
    world->step();
  }
  world->step(1000);
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.4995, Vector3d::UnitX()));
  EXPECT_NEAR(
    (position(*world, 1) - Vector3d(0.1998, 0, 1.0) - turn * Vector3d(0, 0, -0.1)).norm(), 0.0,
    1e-5);
  EXPECT_NEAR(orientation(*world, 1).angularDistance(turn), 0.0, 1e-5);
  const Wrench w = world->body_wrench(1);
  EXPECT_NEAR((orientation(*world, 1) * w.force - Vector3d(0, 0, 0.5 * 9.8)).norm(), 0.0, 1e-3);
  EXPECT_NEAR(w.torque.norm(), 0.0, 1e-3);
}

TEST(Actuator, TakesTheNearestBodyThatItsSensorSenses)
{
  auto model = hand_model();
  for (auto & b : model.bodies) { b.gravity = Vector3d::Zero(); }
  auto world = world_of(model);
  ActuatorCommand grasp;
  grasp.actuate = true;
  grasp.sensor = 0;  // its first ray passes the cube and sees `far`, the second sees the cube
  EXPECT_EQ(world->set_actuator_command(0, grasp), CommandResult::Ok);
  world->step();
  EXPECT_EQ(world->sensor_reading(0).sensed[0], 2u);
  EXPECT_EQ(world->sensor_reading(0).sensed[1], 1u);
  EXPECT_EQ(world->actuator_state(0).body, 1u);
}

TEST(Actuator, PullsTheBodyToTheOffset)
{
  auto model = hand_model();
  model.bodies.pop_back();
  auto world = world_of(model);
  ActuatorCommand grasp;
  grasp.actuate = true;
  grasp.body = 1;
  grasp.offset = Eigen::Isometry3d(Eigen::Translation3d(0.005, 0, -0.04));
  world->set_actuator_command(0, grasp);
  world->step(500);
  EXPECT_NEAR((position(*world, 1) - Vector3d(0.005, 0, 0.91)).norm(), 0.0, 1e-5);
}

TEST(Actuator, RefusesWhatItCannotHold)
{
  auto world = world_of(hand_model());
  ActuatorCommand grasp;
  grasp.actuate = true;
  EXPECT_EQ(
    world->set_actuator_command(0, grasp), CommandResult::UnknownIndex);  // neither body nor sensor
  grasp.body = 77;
  EXPECT_EQ(world->set_actuator_command(0, grasp), CommandResult::UnknownIndex);
  grasp.body = 0;  // its own parent
  EXPECT_EQ(world->set_actuator_command(0, grasp), CommandResult::NotCommandable);
  grasp.body = 1;
  EXPECT_EQ(world->set_actuator_command(5, grasp), CommandResult::UnknownIndex);
}

TEST(Actuator, GraspIsSavedRestoredAndReset)
{
  auto world = world_of(hand_model());
  const auto initial = world->state().hash;
  ActuatorCommand grasp;
  grasp.actuate = true;
  grasp.body = 1;
  world->set_actuator_command(0, grasp);
  world->step(50);
  const auto saved = world->save();
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < 200; ++i) {
    world->step();
    hashes.push_back(world->state().hash);
  }
  auto other = world_of(hand_model());
  ASSERT_TRUE(other->restore(saved));
  EXPECT_TRUE(other->actuator_state(0).actuated);
  for (int i = 0; i < 200; ++i) {
    other->step();
    ASSERT_EQ(other->state().hash, hashes[static_cast<std::size_t>(i)]) << i;
  }
  other->reset();
  EXPECT_FALSE(other->actuator_state(0).actuated);
  EXPECT_EQ(other->state().hash, initial);
  // A held body may go away.
  ASSERT_TRUE(world->remove_object("cube"));
  EXPECT_FALSE(world->actuator_state(0).actuated);
  EXPECT_EQ(world->step(), StepStatus::Ok);
}

/// The hand of hand_model() with a jaw of one finger, which closes downwards from 0.5 rad; its eye sees the cube only.
ambf_adf::Model jaw_model()
{
  auto model = hand_model();
  model.bodies.pop_back();
  model.bodies[1].gravity = Vector3d::Zero();
  model.bodies.push_back(body("finger", 0.05, Vector3d(0.2, 0, 1.0), Vector3d::Constant(1e-4)));
  auto hinge = joint(
    "hinge", ambf_adf::JointType::Revolute, "hand", "finger", Vector3d(0.2, 0, 0),
    Vector3d::Zero());
  hinge.limits = {{-0.1, 1.0}};
  model.joints.push_back(hinge);
  model.actuators[0].grasp = ambf_adf::Grasp{"eye", {"hinge"}, 0.2, 0.4};
  return model;
}

/// Steps until the jaw is where it is wanted.
void move_jaw(World & world, double wanted)
{
  world.set_joint_command(0, JointMode::Position, wanted);
  for (int i = 0; i < 5000 && std::abs(joint_position(world, 0) - wanted) > 1e-3; ++i) {
    world.step();
  }
  ASSERT_NEAR(joint_position(world, 0), wanted, 1e-3);
}

TEST(Grasp, AJawThatClosesTakesWhatItsSensorSeesAndOpensToLetGo)
{
  auto world = world_of(jaw_model());
  move_jaw(*world, 0.6);
  EXPECT_FALSE(world->actuator_state(0).actuated);
  move_jaw(*world, 0.3);
  EXPECT_FALSE(world->actuator_state(0).actuated) << "between the two it is as open as it was";
  move_jaw(*world, 0.1);
  EXPECT_TRUE(world->actuator_state(0).actuated);
  EXPECT_EQ(world->actuator_state(0).body, 1u);
  move_jaw(*world, 0.3);
  EXPECT_TRUE(world->actuator_state(0).actuated) << "between the two it is as closed as it was";
  move_jaw(*world, 0.5);
  EXPECT_FALSE(world->actuator_state(0).actuated);
}

TEST(Grasp, AJawThatWasClosedInTheAirTakesNothingOnItsWay)
{
  auto world = world_of(jaw_model());
  move_jaw(*world, 0.6);
  const Eigen::Isometry3d away(Eigen::Translation3d(1.0, 0, 0));
  world->set_body_state(1, away);
  move_jaw(*world, 0.1);
  world->set_body_state(1, Eigen::Isometry3d(Eigen::Translation3d(0, 0, 0.9)));
  world->step(100);
  EXPECT_FALSE(world->actuator_state(0).actuated);
}

TEST(Grasp, ACommandGoesBeforeTheJaw)
{
  auto world = world_of(jaw_model());
  move_jaw(*world, 0.6);
  ActuatorCommand command;
  command.actuate = true;
  command.body = 1;
  world->set_actuator_command(0, command);
  world->step();
  EXPECT_TRUE(world->actuator_state(0).actuated) << "with an open jaw";
  move_jaw(*world, 0.1);
  world->set_actuator_command(0, ActuatorCommand{});
  world->step();
  EXPECT_FALSE(world->actuator_state(0).actuated) << "what a command took, its end lets go";
}

TEST(Grasp, IsSavedRestoredAndReset)
{
  auto world = world_of(jaw_model());
  const auto initial = world->state().hash;
  move_jaw(*world, 0.6);
  move_jaw(*world, 0.1);
  ASSERT_TRUE(world->actuator_state(0).actuated);
  const auto saved = world->save();
  std::vector<std::uint64_t> hashes;
  world->set_joint_command(0, JointMode::Position, 0.6);
  for (int i = 0; i < 1000; ++i) {
    world->step();
    hashes.push_back(world->state().hash);
  }
  EXPECT_FALSE(world->actuator_state(0).actuated);
  auto other = world_of(jaw_model());
  ASSERT_TRUE(other->restore(saved));
  EXPECT_TRUE(other->actuator_state(0).actuated);
  other->set_joint_command(0, JointMode::Position, 0.6);
  for (int i = 0; i < 1000; ++i) {
    other->step();
    ASSERT_EQ(other->state().hash, hashes[static_cast<std::size_t>(i)]) << i;
  }
  other->reset();
  EXPECT_EQ(other->state().hash, initial);
}

TEST(Grasp, ASensorOrAJointThatGoesAwayLeavesAnActuatorThatObeysCommands)
{
  for (const char * gone : {"eye", "hinge"}) {
    auto world = world_of(jaw_model());
    move_jaw(*world, 0.6);
    ASSERT_TRUE(world->remove_object(gone)) << gone;
    EXPECT_EQ(world->step(), StepStatus::Ok);
    ActuatorCommand command;
    command.actuate = true;
    command.body = 1;
    EXPECT_EQ(world->set_actuator_command(0, command), CommandResult::Ok);
    world->step();
    EXPECT_TRUE(world->actuator_state(0).actuated) << gone;
  }
}

TEST(Ghost, ListsABodyWhileItPassesThrough)
{
  ambf_adf::Model model;
  auto gate = named<ambf_adf::GhostObject>("gate");
  gate.location.position = Vector3d(0, 0, 0);
  gate.collision = shape(ambf_adf::Sphere{0.1});
  model.ghost_objects.push_back(gate);
  auto ball = body("ball", 1.0, Vector3d(0, 0, 0.5));
  ball.collision = shape(ambf_adf::Sphere{0.05});
  model.bodies.push_back(ball);
  // Inside the bounding box of the gate and outside its sphere.
  auto corner = body("corner", 0.0, Vector3d(0.09, 0.09, 0.09));
  corner.collision = shape(ambf_adf::Sphere{0.02});
  model.bodies.push_back(corner);
  auto world = world_of(model);
  ASSERT_EQ(world->ghosts().size(), 1u);
  int entered = -1;
  int left = -1;
  for (int i = 0; i < 600; ++i) {
    world->step();
    const auto inside = world->ghost_reading(0);
    if (entered < 0 && !inside.empty()) { entered = i; }
    if (entered >= 0 && left < 0 && inside.empty()) { left = i; }
    if (!inside.empty()) { EXPECT_EQ(inside[0], 0u); }
    EXPECT_LE(inside.size(), 1u);
    const double distance = std::abs(position(*world, 0).z());
    if (distance < 0.1499) { EXPECT_EQ(inside.size(), 1u) << distance; }
    if (distance > 0.1501) { EXPECT_TRUE(inside.empty()) << distance; }
  }
  EXPECT_GT(entered, 0);
  EXPECT_GT(left, entered);
  EXPECT_TRUE(world->state().contacts.empty());  // a ghost pushes nothing
}

TEST(Ghost, FollowsItsParentAndRespectsGroups)
{
  ambf_adf::Model model;
  model.bodies.push_back(box("carrier", 0.0, Vector3d(0, 0, 0), Vector3d(0.1, 0.1, 0.1)));
  auto a = box("a", 0.0, Vector3d(1, 0, 0), Vector3d(0.1, 0.1, 0.1));
  a.collision_groups = {3};
  auto b = box("b", 0.0, Vector3d(1, 0.2, 0), Vector3d(0.1, 0.1, 0.1));
  b.collision_groups = {4};
  model.bodies.push_back(a);
  model.bodies.push_back(b);
  auto zone = named<ambf_adf::GhostObject>("zone");
  zone.parent = "carrier";
  zone.location.position = Vector3d(0, 0, 0.5);
  zone.collision = shape(ambf_adf::Box{Vector3d(0.6, 0.6, 0.6)});
  zone.collision_groups = {3};
  model.ghost_objects.push_back(zone);
  auto world = world_of(model);
  EXPECT_TRUE(world->ghost_reading(0).empty());
  world->set_body_state(0, Eigen::Isometry3d(Eigen::Translation3d(1, 0, -0.5)));
  ASSERT_EQ(world->ghost_reading(0).size(), 1u);
  EXPECT_EQ(world->ghost_reading(0)[0], 1u);
}

TEST(Ghost, WithAnUnknownParentStandsInTheWorld)
{
  ambf_adf::Model model;
  model.bodies.push_back(box("cube", 0.0, Vector3d(1, 0, 0), Vector3d::Constant(0.1)));
  auto ghost = named<ambf_adf::GhostObject>("ghost");
  ghost.parent = "nobody";
  ghost.location.position = Vector3d(1, 0, 0);
  ghost.collision = shape(ambf_adf::Sphere{0.1});
  model.ghost_objects.push_back(ghost);
  AddedModel added;
  auto world = world_of(model, {}, &added);
  ASSERT_EQ(added.warnings.size(), 1u);
  EXPECT_EQ(added.warnings[0].key, "ghost/parent");
  world->step();
  ASSERT_EQ(world->ghost_reading(0).size(), 1u);
}

TEST(Bounds, FollowTheBody)
{
  ambf_adf::Model model;
  model.bodies.push_back(box("b", 1.0, Vector3d(1, 2, 3), Vector3d(0.2, 0.4, 0.6)));
  model.bodies.push_back(body("empty", 1.0, Vector3d(0, 0, 0)));
  auto world = world_of(model);
  const Eigen::AlignedBox3d bounds = world->body_bounds(0);
  // Bullet adds the collision margin of 1 mm to the boxes of boxes.
  EXPECT_NEAR((bounds.min() - Vector3d(0.9, 1.8, 2.7)).cwiseAbs().maxCoeff(), 0.0, 0.0011);
  EXPECT_NEAR((bounds.max() - Vector3d(1.1, 2.2, 3.3)).cwiseAbs().maxCoeff(), 0.0, 0.0011);
  EXPECT_TRUE(world->body_bounds(1).isEmpty());
  EXPECT_TRUE(world->body_bounds(9).isEmpty());
}

TEST(BodyWrench, OfAHangingArmIsItsWeightAndMoment)
{
  for (const SolverKind kind :
       {SolverKind::DirectJoints, SolverKind::SequentialImpulse, SolverKind::Dantzig}) {
    ambf_adf::Model model;
    model.bodies.push_back(body("base", 0.0, Vector3d(0, 0, 0)));
    model.bodies.push_back(body("arm", 2.0, Vector3d(0.3, 0, 0), Vector3d::Constant(0.1)));
    model.joints.push_back(joint(
      "weld", ambf_adf::JointType::Fixed, "base", "arm", Vector3d::Zero(), Vector3d(-0.3, 0, 0)));
    Parameters parameters;
    parameters.solver = kind;
    parameters.report_wrenches = true;
    auto world = world_of(model, parameters);
    world->step(2000);
    const double weight = 2.0 * 9.8;
    const Wrench arm = world->body_wrench(1);
    EXPECT_NEAR((arm.force - Vector3d(0, 0, weight)).norm(), 0.0, 0.01 * weight);
    // The weld pushes at the centre of mass in sum: no moment about the arm's own origin.
    EXPECT_NEAR(arm.torque.norm(), 0.0, 0.01 * weight);
    const Wrench base = world->body_wrench(0);
    EXPECT_NEAR((base.force + Vector3d(0, 0, weight)).norm(), 0.0, 0.01 * weight);
    parameters.report_wrenches = false;
    ASSERT_TRUE(world->set_parameters(parameters));
    EXPECT_EQ(world->body_wrench(1).force.norm(), 0.0);
  }
}

TEST(ResetTime, CountsFromZeroAndLeavesTheMotionAlone)
{
  auto world = world_of(hand_model());
  auto other = world_of(hand_model());
  for (int i = 0; i < 300; ++i) {
    if (i == 100) { other->reset_time(); }
    world->step();
    other->step();
    ASSERT_EQ(position(*world, 1), position(*other, 1));
  }
  EXPECT_EQ(world->state().step, 300u);
  EXPECT_EQ(other->state().step, 200u);
  EXPECT_DOUBLE_EQ(other->state().time, 0.2);
  const auto saved = other->save();
  world->step(5);
  ASSERT_TRUE(world->restore(saved));
  EXPECT_EQ(world->state().step, 200u);
}

}  // namespace
}  // namespace ambf_dynamics::test
