// SPDX-License-Identifier: BSD-3-Clause
// Cloth: statics, contact, commands, determinism.

#include <cmath>

#include "ambf_adf/mesh.hpp"
#include "cloth_builder.hpp"

namespace ambf_dynamics::test
{
namespace
{

constexpr int side = cloth_side;

/// Place of a vertex of the cloth's file, by the number of the soft body.
Vector3d node(const World & world, int vertex, std::size_t soft = 0)
{
  static const ambf_adf::Mesh mesh = *ambf_adf::load_mesh(cloth_file());
  const std::size_t i = mesh.file_to_unified[static_cast<std::size_t>(vertex)];
  const float * p = world.state().soft_nodes.data() + 3 * (world.state().soft_offsets[soft] + i);
  return {p[0], p[1], p[2]};
}

TEST(SoftBody, HangsFromPinnedNodesWhereverTheyAreNamed)
{
  ambf_adf::Model model;
  auto by_index = cloth("a", Vector3d(0, 0, 1));
  by_index.config.fixed_nodes = {0, side - 1};
  auto by_place = cloth("b", Vector3d(0, 2, 1));
  by_place.config.fixed_node_positions = {Vector3d(0.001, 0, 0), Vector3d(0, 0.399, 0.002)};
  model.soft_bodies = {by_index, by_place};
  auto world = world_of(model);
  ASSERT_EQ(world->soft_bodies().size(), 2u);
  EXPECT_EQ(world->soft_bodies()[0].node_count, static_cast<std::uint32_t>(side * side));
  world->step(1500);
  ASSERT_EQ(world->state().soft_offsets.size(), 3u);
  for (std::size_t k = 0; k < 2; ++k) {
    const Vector3d at(0, 2.0 * static_cast<double>(k), 1);
    EXPECT_NEAR((node(*world, 0, k) - at).norm(), 0.0, 1e-6);
    EXPECT_NEAR((node(*world, side - 1, k) - at - Vector3d(0, 0.4, 0)).norm(), 0.0, 1e-6);
    EXPECT_LT(node(*world, side * side - 1, k).z(), 0.75);  // the free corner hangs
  }
}

// The whole weight goes through the anchors into the body that carries them. The carrier hangs on a
// welded joint, whose force is read.
TEST(SoftBody, WeightOfAHangingClothArrivesAtItsAnchors)
{
  ambf_adf::Model model;
  model.bodies.push_back(body("frame", 0.0, Vector3d(0, 0, 1)));
  model.bodies.push_back(body("bar", 1.0, Vector3d(0, 0.2, 1), Vector3d::Constant(0.1)));
  model.joints.push_back(joint(
    "weld", ambf_adf::JointType::Fixed, "frame", "bar", Vector3d(0, 0.2, 0), Vector3d::Zero()));
  auto sheet = cloth("sheet", Vector3d(0, 0, 1));
  sheet.config.kDP = 0.05;
  ambf_adf::SoftAnchor anchor;
  anchor.body = "bar";
  for (int j = 0; j < side; ++j) { anchor.nodes.push_back(j); }
  sheet.anchors.push_back(anchor);
  model.soft_bodies.push_back(sheet);
  Parameters parameters;
  parameters.report_wrenches = true;
  auto world = world_of(model, parameters);
  world->step(6000);
  double force = 0.0;
  for (int i = 0; i < 500; ++i) {
    world->step();
    force += world->body_wrench(1).force.z() / 500.0;
  }
  const double expected = (1.0 + 0.2) * 9.8;
  RecordProperty("carried_N", std::to_string(force));
  EXPECT_NEAR(force - 9.8, 0.2 * 9.8, 0.02 * 0.2 * 9.8) << "of " << expected;
}

TEST(SoftBody, DrapesOverABoxAndStaysOnIt)
{
  ambf_adf::Model model;
  auto post = box("post", 0.0, Vector3d(0.2, 0.2, 0.25), Vector3d(0.2, 0.2, 0.5));
  model.bodies.push_back(post);
  model.soft_bodies.push_back(cloth("sheet", Vector3d(0, 0, 0.55)));
  auto world = world_of(model);
  world->step(1500);
  const Vector3d middle = node(*world, side * side / 2);
  EXPECT_NEAR(middle.z(), 0.5, 0.02);  // within the margin and a voxel of the distance field
  EXPECT_LT(node(*world, 0).z(), 0.48);
}

TEST(SoftBody, ObeysForcesOnAllAndOnSingleNodes)
{
  ambf_adf::Model model;
  auto free = cloth("free", Vector3d(0, 0, 1));
  free.config.kDP = 0.0;
  model.soft_bodies.push_back(free);
  auto world = world_of(model);
  SoftBodyCommand lift;
  lift.force = Vector3d(0, 0, 0.2 * 9.8 + 0.1);
  ASSERT_EQ(world->set_soft_body_command(0, lift), CommandResult::Ok);
  world->step(1000);
  // a = 0.1 N / 0.2 kg for one second; node positions are floats.
  EXPECT_NEAR(node(*world, 40).z(), 1.0 + 0.5 * 0.5 * 1.001, 1e-4);
  lift.nodes = {0};
  lift.node_forces = {Vector3d(5, 0, 0)};
  ASSERT_EQ(world->set_soft_body_command(0, lift), CommandResult::Ok);
  world->step(50);
  double moved = 0.0;
  for (int i = 0; i < side * side; ++i) {
    moved = std::max(moved, node(*world, i).x() - 0.05 * (i / side));
  }
  EXPECT_GT(moved, 0.01);
  lift.nodes = {1000};
  EXPECT_EQ(world->set_soft_body_command(0, lift), CommandResult::UnknownIndex);
  EXPECT_EQ(world->set_soft_body_command(3, lift), CommandResult::UnknownIndex);
}

TEST(SoftBody, IsSeenByProximityRays)
{
  ambf_adf::Model model;
  model.bodies.push_back(body("eye", 0.0, Vector3d(0.21, 0.22, 1.2)));
  auto sheet = cloth("sheet", Vector3d(0, 0, 1));
  sheet.gravity = Vector3d::Zero();
  model.soft_bodies.push_back(sheet);
  ambf_adf::Sensor s;
  s.header.identifier = s.header.name = s.header.qualified = "s";
  s.parent = "eye";
  s.range = 0.5;
  s.rays = ambf_adf::RayArray{{{Vector3d::Zero(), -Vector3d::UnitZ()}}};
  model.sensors.push_back(s);
  auto world = world_of(model);
  world->step();
  ASSERT_TRUE(world->sensor_reading(0).triggered[0]);
  EXPECT_NEAR(world->sensor_reading(0).measurement[0], 1.0 - 0.2 / 0.5, 1e-6);
  EXPECT_EQ(world->sensor_reading(0).sensed[0], no_index);
}

/// Cloth that falls on moving boxes and pushes them: everything that couples.
ambf_adf::Model busy_cloth()
{
  ambf_adf::Model model;
  model.bodies.push_back(floor_body());
  for (int i = 0; i < 3; ++i) {
    auto b = box(
      "b" + std::to_string(i), 0.3, Vector3d(0.1 + 0.12 * i, 0.15 + 0.05 * i, 0.06),
      Vector3d(0.1, 0.1, 0.1));
    b.surface = {0.5, 0.0, 0.0};
    model.bodies.push_back(b);
  }
  model.soft_bodies.push_back(cloth("sheet", Vector3d(0, 0, 0.2)));
  return model;
}

TEST(SoftBody, RunsRepeatBitForBitAlsoAfterResetAndRestore)
{
  const int steps = long_tier() ? 20000 : 800;
  auto world = world_of(busy_cloth());
  std::vector<std::uint64_t> hashes;
  std::vector<std::byte> saved;
  for (int i = 0; i < steps; ++i) {
    if (i == steps / 2) { saved = world->save(); }
    ASSERT_EQ(world->step(), StepStatus::Ok);
    hashes.push_back(world->state().hash);
  }
  auto other = world_of(busy_cloth());
  for (int i = 0; i < steps; ++i) {
    other->step();
    ASSERT_EQ(other->state().hash, hashes[static_cast<std::size_t>(i)]) << "second run, step " << i;
  }
  other->reset();
  for (int i = 0; i < steps; ++i) {
    other->step();
    ASSERT_EQ(other->state().hash, hashes[static_cast<std::size_t>(i)])
      << "after reset, step " << i;
  }
  auto fresh = world_of(busy_cloth());
  for (World * restored : {other.get(), fresh.get()}) {
    SCOPED_TRACE(restored == other.get() ? "into the world that ran" : "into a fresh world");
    ASSERT_TRUE(restored->restore(saved));
    for (int i = steps / 2; i < steps; ++i) {
      restored->step();
      ASSERT_EQ(restored->state().hash, hashes[static_cast<std::size_t>(i)])
        << "restored, step " << i;
    }
  }
}

TEST(SoftBody, ComesAndGoesWithItsModelAndLosesAnchorsOfRemovedBodies)
{
  auto world = world_of(busy_cloth());
  auto with_anchor = ambf_adf::Model{};
  with_anchor.bodies.push_back(body("holder", 0.0, Vector3d(3, 0, 1)));
  auto sheet = cloth("second", Vector3d(3, 0, 1));
  sheet.anchors.push_back({"holder", {0, 1}, {3}});
  with_anchor.soft_bodies.push_back(sheet);
  auto added = world->add_model(with_anchor);
  ASSERT_TRUE(added);
  world->step(50);
  ASSERT_TRUE(world->remove_object("holder"));
  world->step(50);
  EXPECT_EQ(world->soft_bodies().size(), 2u);
  ASSERT_TRUE(world->remove_object("sheet"));
  world->step(50);
  ASSERT_TRUE(world->remove_model(added->handle));
  EXPECT_TRUE(world->soft_bodies().empty());
  EXPECT_TRUE(world->state().soft_nodes.empty());
  EXPECT_EQ(world->step(20), StepStatus::Ok);
}

TEST(SoftBody, ThatIsNotFiniteAnyMoreStopsTheWorldByName)
{
  ambf_adf::Model model;
  auto sheet = cloth("sheet", Vector3d::Zero());
  sheet.config.timescale = 0.0;  // a velocity is then a distance over no time
  model.soft_bodies = {sheet};
  auto world = world_of(model);
  ASSERT_EQ(world->step(10), StepStatus::Diverged);
  EXPECT_NE(world->divergence().reason.find("sheet"), std::string::npos)
    << world->divergence().reason;
  EXPECT_EQ(world->divergence().body, no_index);
  for (const float x : world->state().soft_nodes) { EXPECT_TRUE(std::isfinite(x)); }
}

TEST(SoftBody, NamesAVertexThatIsNotThere)
{
  ambf_adf::Model model;
  auto sheet = cloth("sheet", Vector3d::Zero());
  sheet.config.fixed_nodes = {100000};
  model.soft_bodies.push_back(sheet);
  auto world = *make_world();
  auto refused = world->add_model(model);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error()[0].found, "100000");
  EXPECT_TRUE(world->soft_bodies().empty());
}

}  // namespace
}  // namespace ambf_dynamics::test
