// SPDX-License-Identifier: BSD-3-Clause
// A step in steady state does not touch the heap.

#include <cmath>

#include "ambf_test_support/allocation_count.hpp"
#include "model_builder.hpp"

namespace ambf_dynamics::test
{
namespace
{

ambf_adf::Model scene()
{
  ambf_adf::Model model;
  auto ground = floor_body();
  ground.surface.friction = 0.5;
  model.bodies.push_back(ground);
  for (int i = 0; i < 40; ++i) {
    auto b = box(
      "b" + std::to_string(i), 1.0,
      Vector3d(0.11 * (i % 4), 0.11 * (i / 4 % 3), 0.05 + 0.101 * (i / 12)),
      Vector3d::Constant(0.1));
    b.surface.friction = 0.5;
    model.bodies.push_back(b);
  }
  model.bodies.push_back(body("post", 0.0, Vector3d(2, 0, 1)));
  model.bodies.push_back(box("arm", 1.0, Vector3d(2, 0, 0.8), Vector3d(0.05, 0.05, 0.4)));
  model.bodies.push_back(box("fore", 1.0, Vector3d(2, 0, 0.4), Vector3d(0.05, 0.05, 0.4)));
  auto shoulder = joint(
    "shoulder", ambf_adf::JointType::Revolute, "post", "arm", Vector3d::Zero(),
    Vector3d(0, 0, 0.2));
  shoulder.limits = ambf_adf::JointLimits{-0.5, 0.5};
  model.joints.push_back(shoulder);
  model.joints.push_back(joint(
    "elbow", ambf_adf::JointType::Revolute, "arm", "fore", Vector3d(0, 0, -0.2),
    Vector3d(0, 0, 0.2)));
  return model;
}

class Allocations : public testing::TestWithParam<SolverKind>
{
};

TEST_P(Allocations, NoneInAThousandStepsWithContactsJointsAndCommands)
{
  if (!ambf_test_support::allocations_are_counted) {
    GTEST_SKIP() << "sanitizers bring their own allocator";
  }
  Parameters p;
  p.solver = GetParam();
  auto world = world_of(scene(), p);
  State slot;
  const auto run = [&](int steps) {
    for (int i = 0; i < steps; ++i) {
      const double t = 0.001 * static_cast<double>(world->state().step);
      world->set_joint_command(0, JointMode::Position, 0.8 * std::sin(5.0 * t));  // into its limits
      world->set_joint_command(1, JointMode::Velocity, 0.5 * std::cos(t));
      world->step();
      world->read_state(slot);
    }
  };
  run(2000);
  EXPECT_EQ(ambf_test_support::count_allocations([&] { run(1000); }), 0);
  EXPECT_GT(slot.contacts.size(), 40u);
}

TEST(Allocations, NoneInAThousandStepsWithSensorsGhostsAndAGrasp)
{
  if (!ambf_test_support::allocations_are_counted) {
    GTEST_SKIP() << "sanitizers bring their own allocator";
  }
  auto model = scene();
  const auto name = [](auto & object, const std::string & text) {
    object.header.identifier = object.header.name = object.header.qualified = text;
  };
  ambf_adf::Sensor eye;
  name(eye, "eye");
  eye.parent = "floor";
  eye.location.position = Vector3d(0.1, 0.1, 3.0);
  eye.location.rpy = Vector3d(0, 1.5707, 0);
  eye.range = 5.0;
  eye.rays = ambf_adf::RayFan{20, 0.3, 0.3, 0.0};
  auto skin = eye;
  name(skin, "skin");
  skin.type = ambf_adf::SensorType::Resistance;
  skin.resistance.contact_stiffness = 0.001;
  ambf_adf::Sensor touch;
  name(touch, "touch");
  touch.type = ambf_adf::SensorType::Contact;
  touch.parent = "floor";
  model.sensors = {eye, skin, touch};
  ambf_adf::GhostObject zone;
  name(zone, "zone");
  zone.collision = shape(ambf_adf::Sphere{0.2});
  model.ghost_objects.push_back(zone);
  ambf_adf::Actuator grip;
  name(grip, "grip");
  grip.parent = "fore";
  model.actuators.push_back(grip);
  auto world = world_of(model);
  ActuatorCommand grasp;
  grasp.actuate = true;
  grasp.body = 40;
  world->set_actuator_command(0, grasp);
  world->step(2000);
  EXPECT_EQ(ambf_test_support::count_allocations([&] { world->step(1000); }), 0);
  EXPECT_TRUE(world->actuator_state(0).actuated);
  EXPECT_GT(world->sensor_reading(2).count, 2u);
  EXPECT_FALSE(world->ghost_reading(0).empty());
}

TEST(Allocations, NoneInAThousandStepsOfAJointedBodyThatLeansOnOthers)
{
  if (!ambf_test_support::allocations_are_counted) {
    GTEST_SKIP() << "sanitizers bring their own allocator";
  }
  ambf_adf::Model model;
  model.bodies.push_back(floor_body());
  model.bodies.push_back(box("post", 0.5, Vector3d(0, 0, 0.3), Vector3d(0.04, 0.04, 0.38)));
  model.bodies.push_back(box("stop", 1.0, Vector3d(0.08, 0, 0.1), Vector3d(0.1, 0.2, 0.2)));
  for (auto & b : model.bodies) { b.surface.friction = 0.8; }
  auto hinge = joint(
    "hinge", ambf_adf::JointType::Revolute, "floor", "post", Vector3d(0, 0, 0.55),
    Vector3d(0, 0, -0.25));
  hinge.damping = 0.01;
  model.joints.push_back(hinge);
  auto world = world_of(model);
  BodyCommand push;
  push.mode = BodyMode::Wrench;
  push.force = Vector3d(1.0, 0, 0);
  world->set_body_command(1, push);
  world->step(1000);
  EXPECT_EQ(ambf_test_support::count_allocations([&] { world->step(1000); }), 0);
  std::size_t leaning = 0;
  for (const Contact & c : world->state().contacts) { leaning += c.body_a == 1 || c.body_b == 1; }
  EXPECT_GT(leaning, 0u);
}

TEST(Allocations, NoneInAThousandStepsOfABodyThatIsHeldAndFollowsItsCommand)
{
  if (!ambf_test_support::allocations_are_counted) {
    GTEST_SKIP() << "sanitizers bring their own allocator";
  }
  ambf_adf::Model model;
  model.bodies.push_back(floor_body());
  model.bodies.push_back(box("tool", 0.5, Vector3d(0, 0, 0.1), Vector3d::Constant(0.1)));
  model.bodies.push_back(box("end", 0.2, Vector3d(0.2, 0, 0.1), Vector3d::Constant(0.1)));
  model.joints.push_back(joint(
    "hinge", ambf_adf::JointType::Revolute, "tool", "end", Vector3d(0.1, 0, 0),
    Vector3d(-0.1, 0, 0)));
  auto world = world_of(model);
  const auto follow = [&](int from, int count) {
    for (int i = from; i < from + count; ++i) {
      BodyCommand c;
      c.mode = BodyMode::Hold;
      c.position = Vector3d(0, 0, 0.1 + 0.06 * std::sin(0.01 * i));  // also into the floor
      world->set_body_command(1, c);
      world->step();
    }
  };
  follow(0, 2000);
  EXPECT_EQ(ambf_test_support::count_allocations([&] { follow(2000, 1000); }), 0);
}

TEST(Allocations, TheCounterCounts)
{
  if (!ambf_test_support::allocations_are_counted) { GTEST_SKIP(); }
  EXPECT_GT(ambf_test_support::count_allocations([] { auto world = make_world(); }), 10);
}

INSTANTIATE_TEST_SUITE_P(
  Solvers, Allocations, testing::Values(SolverKind::DirectJoints, SolverKind::SequentialImpulse),
  [](const auto & kind) {
    return kind.param == SolverKind::DirectJoints ? "DirectJoints" : "SequentialImpulse";
  });

}  // namespace
}  // namespace ambf_dynamics::test
