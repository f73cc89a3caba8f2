// SPDX-License-Identifier: BSD-3-Clause
// The world as a container: adding, removing, names, rules of collision, errors, divergence.

#include <cmath>
#include <fstream>
#include <random>

#include "model_builder.hpp"
#include "temporary_file.hpp"

namespace ambf_dynamics::test
{
namespace
{

using ambf_adf::JointType;

TEST(WorldContent, DenseIndicesFollowTheOrderOfAdding)
{
  ambf_adf::Model a;
  a.bodies = {body("a0", 1.0, Vector3d::Zero()), body("a1", 1.0, Vector3d::Zero())};
  ambf_adf::Model b;
  b.bodies = {body("b0", 1.0, Vector3d::Zero())};
  auto world = make_world();
  ASSERT_TRUE(world);
  const auto first = (*world)->add_model(a);
  const auto second = (*world)->add_model(b);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(second->bodies, std::vector<BodyIndex>{2});
  const auto revision = (*world)->revision();
  EXPECT_TRUE((*world)->remove_model(first->handle));
  EXPECT_NE((*world)->revision(), revision);
  EXPECT_EQ((*world)->find_body("b0"), std::optional<BodyIndex>(0));
  EXPECT_FALSE((*world)->find_body("a0"));
  EXPECT_FALSE((*world)->remove_model(first->handle));
}

TEST(WorldContent, AModelWithErrorsChangesNothingAndAllErrorsAreListed)
{
  ambf_adf::Model good;
  good.bodies = {body("x", 1.0, Vector3d::Zero())};
  auto world = world_of(good);
  const auto hash = world->state().hash;
  const auto revision = world->revision();
  ambf_adf::Model bad;
  bad.bodies = {body("x", 1.0, Vector3d::Zero()), body("y", 1.0, Vector3d::Zero())};
  bad.joints = {
    joint("j", JointType::Revolute, "y", "nobody", Vector3d::Zero(), Vector3d::Zero()),
    joint("k", JointType::Revolute, "y", "y", Vector3d::Zero(), Vector3d::Zero())};
  const auto result = world->add_model(bad);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().size(), 3u) << ambf_adf::to_string(result.error());
  EXPECT_EQ(world->revision(), revision);
  EXPECT_EQ(world->state().hash, hash);
  EXPECT_EQ(world->bodies().size(), 1u);
}

TEST(WorldContent, ImpossibleParametersAreRefusedByName)
{
  Parameters p;
  p.step_size = 0.0;
  p.solver_iterations = 0;
  const auto world = make_world(p);
  ASSERT_FALSE(world);
  EXPECT_EQ(world.error().size(), 2u);
  EXPECT_EQ(world.error()[0].key, "step_size");
}

TEST(WorldContent, RandomAddingAndRemovingKeepsNamesAndSteps)
{
  std::mt19937 random(3);
  auto world = make_world();
  ASSERT_TRUE(world);
  World & w = **world;
  ambf_adf::Model ground;
  ground.bodies = {floor_body()};
  ASSERT_TRUE(w.add_model(ground));
  std::vector<std::pair<ModelHandle, std::string>> alive;
  int next = 0;
  for (int round = 0; round < 150; ++round) {
    const bool add = alive.size() < 3 || (alive.size() < 12 && random() % 2 == 0);
    if (add) {
      const std::string name = "m" + std::to_string(next++);
      ambf_adf::Model model;
      const double x = 0.1 * static_cast<double>(random() % 7);
      model.bodies = {
        box(name + "a", 1.0, Vector3d(x, 0, 0.3), Vector3d::Constant(0.1)),
        box(name + "b", 1.0, Vector3d(x, 0, 0.5), Vector3d::Constant(0.1))};
      model.joints = {joint(
        name + "j", JointType::Revolute, name + "a", name + "b", Vector3d(0, 0, 0.1),
        Vector3d(0, 0, -0.1))};
      const auto added = w.add_model(model);
      ASSERT_TRUE(added);
      alive.emplace_back(added->handle, name);
    } else {
      const std::size_t victim = random() % alive.size();
      if (random() % 3 == 0) {
        // One body only: its joint goes with it; then the rest.
        ASSERT_TRUE(w.remove_object(alive[victim].second + "a"));
        EXPECT_FALSE(w.find_joint(alive[victim].second + "j"));
      }
      ASSERT_TRUE(w.remove_model(alive[victim].first));
      alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(victim));
    }
    ASSERT_EQ(w.step(5), StepStatus::Ok) << w.divergence().reason;
    ASSERT_EQ(w.bodies().size(), 1 + 2 * alive.size());
    ASSERT_EQ(w.joints().size(), alive.size());
    for (std::size_t i = 0; i < alive.size(); ++i) {
      EXPECT_EQ(
        w.find_body(alive[i].second + "b"),
        std::optional<BodyIndex>(static_cast<BodyIndex>(2 + 2 * i)));
      const JointInfo & j = w.joints()[i];
      EXPECT_EQ(w.bodies()[j.parent].name, alive[i].second + "a");
    }
  }
}

// Two boxes one above the other; does the upper one come to rest on the lower one?
bool collide(ambf_adf::RigidBody lower, ambf_adf::RigidBody upper, bool ignore_model = false)
{
  ambf_adf::Model model;
  model.ignore_inter_collision = ignore_model;
  lower.mass = 0.0;
  model.bodies = {lower, upper};
  auto world = world_of(model);
  world->step(600);
  return position(*world, 1).z() > 0.0;
}

TEST(CollisionRules, GroupsModelsAndEmptyLists)
{
  const auto lower = box("lower", 0.0, Vector3d::Zero(), Vector3d::Ones());
  const auto upper = box("upper", 1.0, Vector3d(0, 0, 1.1), Vector3d::Ones());
  EXPECT_TRUE(collide(lower, upper));
  EXPECT_FALSE(collide(lower, upper, true));
  auto one = lower;
  auto two = upper;
  one.collision_groups = {1, 3};
  EXPECT_TRUE(collide(one, two));  // an empty list collides with everything
  two.collision_groups = {2};
  EXPECT_FALSE(collide(one, two));
  two.collision_groups = {2, 3};
  EXPECT_TRUE(collide(one, two));
}

TEST(CollisionRules, JointedBodiesCollideOnlyWhereTheJointSaysSo)
{
  for (const bool ignore : {true, false}) {
    ambf_adf::Model model;
    model.bodies = {
      box("a", 0.0, Vector3d::Zero(), Vector3d::Ones()),
      box("b", 1.0, Vector3d(0, 0, 1.2), Vector3d::Ones())};
    auto slide = joint(
      "j", JointType::Prismatic, "a", "b", Vector3d::Zero(), Vector3d::Zero(), Vector3d::UnitZ());
    slide.ignore_inter_collision = ignore;
    model.joints = {slide};
    auto world = world_of(model);
    world->step(1000);
    EXPECT_EQ(position(*world, 1).z() < 0.5, ignore);
    // Removing the joint brings the contact back.
    if (ignore) {
      world->reset();
      ASSERT_TRUE(world->remove_object("j"));
      world->step(1000);
      EXPECT_NEAR(position(*world, 1).z(), 1.0, 0.01);
    }
  }
}

TEST(Inertia, OfShapesIsThatOfTheSolidWithoutTheMargin)
{
  const TemporaryFile cube("ambf_cube", ".obj");  // 2 by 1 by 1 cm
  std::ofstream out(cube.path);
  for (const char * corner :
       {"-1 -0.5 -0.5", "1 -0.5 -0.5", "1 0.5 -0.5", "-1 0.5 -0.5", "-1 -0.5 0.5", "1 -0.5 0.5",
        "1 0.5 0.5", "-1 0.5 0.5"}) {
    out << "v " << corner << "\n";
  }
  out << "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  out.close();
  using Type = ambf_adf::MeshCollisionType;
  for (const Type type : {Type::Concave, Type::ConvexMesh, Type::ConvexHull}) {
    ambf_adf::Model model;
    model.bodies = {body("cube", 1.0, Vector3d::Zero())};
    model.bodies[0].inertia.reset();
    model.bodies[0].scale = 0.01;
    ambf_adf::CollisionMesh mesh;
    mesh.mesh.file = mesh.mesh.path = cube.path;
    mesh.type = type;
    model.bodies[0].collision = mesh;
    const auto world = world_of(model);
    EXPECT_LT(
      (world->bodies()[0].inertia - box_inertia(1.0, Vector3d(0.02, 0.01, 0.01))).norm(), 1e-9)
      << int(type);
    EXPECT_LT((world->body_bounds(0).sizes() - Vector3d(0.022, 0.012, 0.012)).norm(), 1e-7)
      << int(type);
  }
  ambf_adf::Model model;
  model.bodies = {body("cone", 1.0, Vector3d::Zero())};
  model.bodies[0].inertia.reset();
  model.bodies[0].collision = shape(ambf_adf::Cone{0.01, 0.02, ambf_adf::Axis::Z});
  const auto world = world_of(model);
  EXPECT_LT((world->bodies()[0].inertia - Vector3d(3e-5, 3e-5, 3e-5)).norm(), 1e-12);
}

TEST(Contacts, CarryTheWeight)
{
  ambf_adf::Model model;
  auto block = box("block", 3.0, Vector3d(0, 0, 0.1), Vector3d::Constant(0.2));
  block.surface.friction = 0.5;
  model.bodies = {floor_body(), block};
  auto world = world_of(model);
  world->step(1000);
  Vector3d force = Vector3d::Zero();
  for (const Contact & c : world->state().contacts) {
    // Forces are on body a; the block is body b here or a there.
    force += c.body_a == 1 ? c.force : Vector3d(-c.force);
    EXPECT_NEAR(std::abs(c.normal.z()), 1.0, 1e-9);
  }
  EXPECT_NEAR(force.z(), 3.0 * 9.8, 1e-3);
  EXPECT_LT(std::hypot(force.x(), force.y()), 1e-3);
}

TEST(Divergence, IsReportedByNameAndLeavesTheLastGoodState)
{
  ambf_adf::Model model;
  model.bodies = {body("calm", 1.0, Vector3d(5, 0, 0)), body("wild", 1e-9, Vector3d::Zero())};
  auto world = world_of(model);
  BodyCommand push;
  push.mode = BodyMode::Wrench;
  push.force = Vector3d(1e3, 0, 0);
  world->set_body_command(1, push);
  ASSERT_EQ(world->step(), StepStatus::Diverged);
  EXPECT_EQ(world->divergence().body, 1u);
  EXPECT_NE(world->divergence().reason.find("wild"), std::string::npos);
  EXPECT_EQ(world->state().step, 0u);
  EXPECT_EQ(world->step(), StepStatus::Diverged);
  world->reset();
  EXPECT_EQ(world->step(10), StepStatus::Ok);
}

TEST(SubSteps, CountAsOneStep)
{
  ambf_adf::Model model;
  model.bodies = {body("b", 1.0, Vector3d::Zero())};
  Parameters p;
  p.sub_steps = 4;
  auto world = world_of(model, p);
  world->step(1000);
  EXPECT_EQ(world->state().step, 1000u);
  EXPECT_NEAR(world->state().time, 1.0, 1e-12);
  // Semi-implicit Euler with h = 0.25 ms.
  EXPECT_NEAR(position(*world, 0).z(), -0.5 * 9.8 * (1.0 + 0.00025), 1e-9);
}

}  // namespace
}  // namespace ambf_dynamics::test
