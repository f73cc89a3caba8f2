// SPDX-License-Identifier: BSD-3-Clause
// A world that changes while it runs: contacts, saved states and commands of what stays.

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <thread>

#include "cloth_builder.hpp"
#include "world_impl.hpp"

namespace ambf_dynamics::test
{
namespace
{

using ambf_adf::JointType;

/// A floor, a box on it and a box on that.
ambf_adf::Model tower()
{
  ambf_adf::Model model;
  auto lower = box("lower", 1.0, Vector3d(0, 0, 0.1), Vector3d::Constant(0.2));
  auto upper = box("upper", 1.0, Vector3d(0, 0, 0.3), Vector3d::Constant(0.2));
  auto ground = floor_body();
  for (auto * b : {&ground, &lower, &upper}) { b->surface.friction = 0.5; }
  model.bodies = {ground, lower, upper};
  return model;
}

ambf_adf::Model weld(const std::string & parent, const std::string & child, const Vector3d & pivot)
{
  ambf_adf::Model model;
  model.joints = {joint("weld", JointType::Fixed, parent, child, pivot, -pivot)};
  model.joints[0].ignore_inter_collision = true;
  return model;
}

std::size_t contacts_between(const World & world, const char * a, const char * b)
{
  const auto i = world.find_body(a);
  const auto j = world.find_body(b);
  const auto & all = world.state().contacts;
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const Contact & c) {
    return (c.body_a == i && c.body_b == j) || (c.body_a == j && c.body_b == i);
  }));
}

/// What is reported is what would be saved, and what the next steps go on from.
void expect_continues(World & world, const std::string & what)
{
  const auto saved = world.save();
  const std::uint64_t now = world.state().hash;
  const std::size_t contacts = world.state().contacts.size();
  ASSERT_EQ(world.step(5), StepStatus::Ok) << what << ": " << world.divergence().reason;
  const std::uint64_t later = world.state().hash;
  ASSERT_TRUE(world.restore(saved)) << what;
  EXPECT_EQ(world.state().hash, now) << what;
  EXPECT_EQ(world.state().contacts.size(), contacts) << what;
  EXPECT_EQ(world.save(), saved) << what;
  ASSERT_EQ(world.step(5), StepStatus::Ok) << what;
  EXPECT_EQ(world.state().hash, later) << what;
}

TEST(Changes, ContactsOfOthersStayWhenAModelLeaves)
{
  auto world = world_of(tower());
  ambf_adf::Model guest;
  guest.bodies = {box("guest", 1.0, Vector3d(1, 0, 0.1), Vector3d::Constant(0.2))};
  const auto added = world->add_model(guest);
  ASSERT_TRUE(added);
  world->step(200);
  ASSERT_EQ(contacts_between(*world, "lower", "upper"), 4u);
  ASSERT_EQ(contacts_between(*world, "floor", "guest"), 4u);
  ASSERT_TRUE(world->remove_model(added->handle));
  EXPECT_EQ(contacts_between(*world, "lower", "upper"), 4u);
  EXPECT_EQ(contacts_between(*world, "floor", "lower"), 4u);
  EXPECT_EQ(world->state().contacts.size(), 8u);
  expect_continues(*world, "after the guest");
}

TEST(Changes, MeshesAreReadByAnotherThreadWhileTheWorldSteps)
{
  ambf_adf::Model guest;
  guest.soft_bodies = {cloth("guest", Vector3d(0, 0, 2))};
  const auto run = [&](bool ahead) {
    auto world = world_of(tower());
    std::thread reader([&] {
      if (ahead) { world->read_meshes(guest); }
    });
    world->step(200);
    reader.join();
    EXPECT_TRUE(world->add_model(guest));
    world->step(50);
    EXPECT_EQ(world->soft_bodies().size(), 1u);
    return world->state().hash;
  };
  EXPECT_EQ(run(true), run(false));
}

TEST(Changes, AJointThatForbidsAContactEndsItAtOnce)
{
  auto world = world_of(tower());
  world->step(200);
  ASSERT_EQ(contacts_between(*world, "lower", "upper"), 4u);
  const auto added = world->add_model(weld("lower", "upper", Vector3d(0, 0, 0.1)));
  ASSERT_TRUE(added) << ambf_adf::to_string(added.error());
  EXPECT_EQ(contacts_between(*world, "lower", "upper"), 0u);
  EXPECT_EQ(contacts_between(*world, "floor", "lower"), 4u);
  expect_continues(*world, "welded");
  ASSERT_TRUE(world->remove_object("weld"));
  world->step();
  EXPECT_EQ(contacts_between(*world, "lower", "upper"), 4u);
}

TEST(Changes, RestoredContactsFollowWhatChangesBeforeTheNextStep)
{
  auto world = world_of(tower());
  world->step(200);
  const auto saved = world->save();
  ASSERT_TRUE(world->restore(saved));
  const auto added = world->add_model(weld("lower", "upper", Vector3d(0, 0, 0.1)));
  ASSERT_TRUE(added);
  EXPECT_EQ(contacts_between(*world, "lower", "upper"), 0u);
  EXPECT_EQ(world->state().contacts.size(), 4u);
  expect_continues(*world, "welded");
  ASSERT_TRUE(world->remove_model(added->handle));
  ASSERT_TRUE(world->restore(saved));
  ASSERT_TRUE(world->remove_object("upper"));
  EXPECT_EQ(contacts_between(*world, "floor", "lower"), 4u);
  EXPECT_EQ(world->state().contacts.size(), 4u);
  expect_continues(*world, "one box less");
}

TEST(Changes, AStateGoesOnInAWorldWithAnotherHistory)
{
  // Bodies that came and went before must not matter to who touches whom.
  auto with_guest = make_world();
  ASSERT_TRUE(with_guest);
  ambf_adf::Model guest;
  guest.bodies = {box("guest", 1.0, Vector3d(1, 0, 0.1), Vector3d::Constant(0.2))};
  const auto added = (*with_guest)->add_model(guest);
  ASSERT_TRUE(added);
  ASSERT_TRUE((*with_guest)->add_model(tower()));
  ASSERT_TRUE((*with_guest)->remove_model(added->handle));
  (*with_guest)->step(200);
  auto fresh = world_of(tower());
  ASSERT_TRUE(fresh->restore((*with_guest)->save()));
  EXPECT_EQ(fresh->state().hash, (*with_guest)->state().hash);
  EXPECT_EQ(contacts_between(*fresh, "lower", "upper"), 4u);
  (*with_guest)->step(100);
  fresh->step(100);
  EXPECT_EQ(fresh->state().hash, (*with_guest)->state().hash);
}

TEST(Changes, ADamagedStateIsRefusedAndChangesNothing)
{
  auto world = world_of(tower());
  world->step(200);
  const auto saved = world->save();
  const std::uint64_t hash = world->state().hash;
  for (std::size_t at = 0; at < saved.size(); at += 1 + saved.size() / 97) {
    auto damaged = saved;
    damaged[at] ^= std::byte{0x40};
    EXPECT_FALSE(world->restore(damaged)) << "byte " << at;
    EXPECT_EQ(world->state().hash, hash);
  }
  auto longer = saved;
  longer.push_back(std::byte{0});
  EXPECT_FALSE(world->restore(longer));
  EXPECT_TRUE(world->restore(saved));
}

TEST(Changes, AToolAddedToAMovedArmIsStillAtTheArmAfterAReset)
{
  ambf_adf::Model arm;
  arm.bodies = {
    body("base", 0.0, Vector3d::Zero()),
    body("link", 1.0, Vector3d(0.5, 0, 0), Vector3d::Constant(0.1))};
  arm.joints = {
    joint("shoulder", JointType::Revolute, "base", "link", Vector3d::Zero(), Vector3d(-0.5, 0, 0))};
  auto world = world_of(arm);
  world->step(300);  // it swings
  ASSERT_LT(position(*world, 1).z(), -0.1);
  ambf_adf::Model tool;
  tool.bodies = {
    body("tool", 0.2, Vector3d(1, 0, 0), Vector3d::Constant(0.01)),
    body("jaw", 0.1, Vector3d(1.1, 0, 0), Vector3d::Constant(0.01)),
    body("apart", 0.1, Vector3d(5, 0, 0))};
  tool.joints = {
    joint("mount", JointType::Fixed, "link", "tool", Vector3d(0.5, 0, 0), Vector3d::Zero()),
    joint("hinge", JointType::Revolute, "tool", "jaw", Vector3d::Zero(), Vector3d(-0.1, 0, 0))};
  ASSERT_TRUE(world->add_model(tool));
  const auto gap = [&](
                     std::size_t at, std::size_t b, const Vector3d & in_a, const Vector3d & in_b) {
    return (position(*world, at) + orientation(*world, at) * in_a - position(*world, b) -
            orientation(*world, b) * in_b)
      .norm();
  };
  EXPECT_LT(gap(1, 2, Vector3d(0.5, 0, 0), Vector3d::Zero()), 1e-6);
  world->reset();
  EXPECT_LT(gap(1, 2, Vector3d(0.5, 0, 0), Vector3d::Zero()), 1e-6);
  EXPECT_LT(gap(2, 3, Vector3d::Zero(), Vector3d(-0.1, 0, 0)), 1e-6);
  EXPECT_LT((position(*world, 1) - Vector3d(0.5, 0, 0)).norm(), 1e-12);
  EXPECT_LT((position(*world, 4) - Vector3d(5, 0, 0)).norm(), 1e-12);
  ASSERT_EQ(world->step(10), StepStatus::Ok);
  EXPECT_LT(linear_velocity(*world, 2).norm(), 0.3);  // 10 ms of falling, no correction
}

TEST(Changes, AnActuatorAsksItsOwnSensorWhenAnotherGoes)
{
  ambf_adf::Model model;
  model.bodies = {
    body("hand", 0.0, Vector3d(0, 0, 1)),
    box("near", 1.0, Vector3d(0.3, 0, 1), Vector3d::Constant(0.1)),
    box("wrong", 1.0, Vector3d(0, 0.3, 1), Vector3d::Constant(0.1))};
  for (auto & b : model.bodies) { b.gravity = Vector3d::Zero(); }
  const auto eye = [](const std::string & name, const Vector3d & direction) {
    ambf_adf::Sensor s;
    s.header.identifier = s.header.name = s.header.qualified = name;
    s.parent = "hand";
    s.rays = ambf_adf::RayArray{{{Vector3d::Zero(), direction}}};
    return s;
  };
  model.sensors = {
    eye("first", -Vector3d::UnitX()), eye("ahead", Vector3d::UnitX()),
    eye("aside", Vector3d::UnitY())};
  ambf_adf::Actuator grip;
  grip.header.identifier = grip.header.name = grip.header.qualified = "grip";
  grip.parent = "hand";
  model.actuators = {grip};
  auto world = world_of(model);
  ActuatorCommand grasp;
  grasp.actuate = true;
  grasp.sensor = 1;
  ASSERT_EQ(world->set_actuator_command(0, grasp), CommandResult::Ok);
  ASSERT_TRUE(world->remove_object("first"));
  expect_continues(*world, "one sensor less");
  EXPECT_EQ(world->actuator_state(0).body, world->find_body("near"));
  // Its own sensor gone: it keeps what it holds and takes nothing else.
  ASSERT_TRUE(world->remove_object("ahead"));
  ASSERT_TRUE(world->remove_object("near"));
  world->step(5);
  EXPECT_FALSE(world->actuator_state(0).actuated);
}

TEST(Changes, AWorldThatWaitsKeepsNoRecordOfItsEdits)
{
  // Boxes that all overlap, each with a lid on a joint that switches contact off.
  auto world = world_of(tower());
  const auto & contacts = static_cast<WorldImpl &>(*world).bullet().contacts();
  const auto guest = [](int i) {
    const std::string name = "g" + std::to_string(i);
    ambf_adf::Model model;
    model.bodies = {
      box(name + "a", 0.5, Vector3d(5, 0, 1), Vector3d::Constant(0.2)),
      box(name + "b", 0.5, Vector3d(5, 0, 1), Vector3d::Constant(0.2))};
    model.joints = {joint(
      name + "j", JointType::Fixed, name + "a", name + "b", Vector3d::Zero(), Vector3d::Zero())};
    model.joints[0].ignore_inter_collision = true;
    return model;
  };
  for (int i = 0; i < 10; ++i) { ASSERT_TRUE(world->add_model(guest(i))); }
  const std::size_t pairs = contacts.unread();
  ASSERT_GE(pairs, 180u);  // of 20 boxes, but for those that are jointed
  for (int i = 0; i < 20; ++i) {
    const auto added = world->add_model(guest(10 + i));
    ASSERT_TRUE(added);
    ASSERT_TRUE(world->remove_model(added->handle));
  }
  EXPECT_LE(contacts.unread(), 2 * pairs);
  world->step(1);
  EXPECT_EQ(contacts.unread(), 0u);
  EXPECT_EQ(contacts_between(*world, "g0a", "g0b"), 0u);
  EXPECT_GT(contacts_between(*world, "g0a", "g1b"), 0u);
}

TEST(Changes, RandomGuestsOfAllKindsLeaveAWorldThatContinues)
{
  // Chains and loops that hang on each other across models, sensors, actuators, ghosts and cloths, added
  // and taken away one by one.
  const unsigned rounds = long_tier() ? 2000 : 300;
  std::mt19937 random(11);
  auto world = world_of(tower());
  std::vector<ModelHandle> alive;
  const auto pick = [&](std::size_t count) { return static_cast<std::uint32_t>(random() % count); };
  const auto pick_body = [&] { return world->bodies()[pick(world->bodies().size())].qualified; };
  for (unsigned round = 0; round < rounds; ++round) {
    const std::string what = "round " + std::to_string(round);
    if (!world->sensors().empty() && !world->actuators().empty() && !world->joints().empty()) {
      ActuatorCommand grasp;
      grasp.actuate = true;
      grasp.sensor = pick(world->sensors().size());
      world->set_actuator_command(pick(world->actuators().size()), grasp);
      world->set_joint_command(pick(world->joints().size()), JointMode::Velocity, 0.2);
      ASSERT_EQ(world->step(), StepStatus::Ok) << what << ": " << world->divergence().reason;
    }
    if (alive.size() < 4 || (alive.size() < 9 && random() % 2 == 0)) {
      const std::string name = "m" + std::to_string(round);
      const double x = 0.3 * static_cast<double>(random() % 5);
      ambf_adf::Model model;
      model.bodies = {
        box(name + "a", 0.5, Vector3d(x, 0.1, 0.8), Vector3d::Constant(0.1)),
        box(name + "b", 0.5, Vector3d(x + 0.2, 0.1, 0.8), Vector3d::Constant(0.1))};
      model.joints = {joint(
        name + "j", JointType::Revolute, name + "a", name + "b", Vector3d(0.1, 0, 0),
        Vector3d(-0.1, 0, 0))};
      if (random() % 2) {
        auto hang = joint(
          name + "h", JointType::PointToPoint, pick_body(), name + "a", Vector3d(0, 0, 0.2),
          Vector3d(0, 0, -0.2));
        hang.ignore_inter_collision = random() % 2;
        model.joints.push_back(hang);
      }
      if (random() % 3 == 0) {
        model.joints.push_back(joint(
          name + "loop", JointType::PointToPoint, name + "a", name + "b", Vector3d(0.1, 0, 0),
          Vector3d(-0.1, 0, 0)));
      }
      ambf_adf::Sensor s;
      s.header.identifier = s.header.name = s.header.qualified = name + "s";
      s.parent = random() % 2 ? name + "a" : pick_body();
      s.type = std::array{
        ambf_adf::SensorType::Proximity, ambf_adf::SensorType::Resistance,
        ambf_adf::SensorType::Contact}[random() % 3];
      s.resistance = {100.0, 1.0, 0.1, false, 0.001, 1.0, 1.0};
      s.rays = ambf_adf::RayArray{
        {{Vector3d::Zero(), -Vector3d::UnitZ()}, {Vector3d::Zero(), Vector3d::UnitX()}}};
      model.sensors = {s};
      ambf_adf::Actuator grip;
      grip.header.identifier = grip.header.name = grip.header.qualified = name + "g";
      grip.parent = random() % 2 ? name + "b" : pick_body();
      model.actuators = {grip};
      ambf_adf::GhostObject ghost;
      ghost.header.identifier = ghost.header.name = ghost.header.qualified = name + "ghost";
      ghost.parent = random() % 2 ? name + "a" : "";
      ghost.collision = shape(ambf_adf::Sphere{0.3});
      model.ghost_objects = {ghost};
      if (random() % 4 == 0) {
        auto sheet = cloth(name + "cloth", Vector3d(x, 0, 1.2));
        sheet.anchors.push_back({random() % 2 ? name + "b" : pick_body(), {0, 1}, {}});
        model.soft_bodies = {sheet};
      }
      const auto added = world->add_model(model);
      ASSERT_TRUE(added) << what << ambf_adf::to_string(added.error());
      alive.push_back(added->handle);
    } else if (random() % 3 == 0 && world->joints().size() > 0) {
      ASSERT_TRUE(world->remove_object(world->joints()[pick(world->joints().size())].qualified));
    } else if (random() % 3 == 0 && world->sensors().size() > 0) {
      ASSERT_TRUE(world->remove_object(world->sensors()[pick(world->sensors().size())].qualified));
    } else {
      const std::size_t victim = pick(alive.size());
      ASSERT_TRUE(world->remove_model(alive[victim]));
      alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(victim));
    }
    expect_continues(*world, what);
    if (HasFatalFailure()) { return; }
  }
  while (!alive.empty()) {
    ASSERT_TRUE(world->remove_model(alive.back()));
    alive.pop_back();
  }
  EXPECT_EQ(world->bodies().size(), 3u);
  EXPECT_EQ(
    world->joints().size() + world->sensors().size() + world->actuators().size() +
      world->ghosts().size(),
    0u);
  world->reset();
  world->step(200);
  EXPECT_EQ(contacts_between(*world, "lower", "upper"), 4u);
}

}  // namespace
}  // namespace ambf_dynamics::test
