// SPDX-License-Identifier: BSD-3-Clause
// A moving concave mesh collides as its filled hull. A ring that is loaded around its peg stays there.

#include <algorithm>
#include <cmath>

#include "mesh_builder.hpp"

namespace ambf_dynamics::test
{
namespace
{

enum class Board
{
  Primitives,
  OneMesh
};

/// A board with a peg of 40 mm, and a ring of 5 mm on it: hole 20 mm wide, peg 8 mm.
class Peg : public testing::TestWithParam<Board>
{
protected:
  Peg()
  {
    MeshWriter(ring_file_).ring(0.010, 0.020, 0.005);
    MeshWriter(board_file_)
      .box(Vector3d(0, 0, -0.01), Vector3d(0.2, 0.2, 0.02))
      .box(Vector3d(0, 0, 0.02), Vector3d(0.008, 0.008, 0.04));
  }

  ambf_adf::Model board() const
  {
    ambf_adf::Model model;
    auto b = body("board", 0.0, Vector3d::Zero());
    if (GetParam() == Board::OneMesh) {
      b.collision = concave(board_file_);
    } else {
      ambf_adf::ShapeList parts;
      parts.compound = true;
      ambf_adf::PlacedShape plate;
      plate.shape = ambf_adf::Box{Vector3d(0.2, 0.2, 0.02)};
      plate.offset.position = Vector3d(0, 0, -0.01);
      ambf_adf::PlacedShape peg;
      peg.shape = ambf_adf::Cylinder{0.004, 0.04, ambf_adf::Axis::Z};
      peg.offset.position = Vector3d(0, 0, 0.02);
      parts.shapes = {plate, peg};
      b.collision = parts;
    }
    b.collision_margin = 0.0001;
    b.surface.friction = 0.5;
    model.bodies.push_back(b);
    return model;
  }

  ambf_adf::Model ring(double z = 0.0028) const
  {
    ambf_adf::Model model;
    auto r = body("ring", 0.004, Vector3d(0.003, 0, z), Vector3d(2e-7, 2e-7, 4e-7));
    r.collision = concave(ring_file_);
    r.collision_margin = 0.0001;
    r.surface.friction = 0.5;
    model.bodies.push_back(r);
    return model;
  }

  std::unique_ptr<World> world(ambf_adf::Problems * warnings = nullptr) const
  {
    auto made = world_of(board());
    const auto added = made->add_model(ring());
    EXPECT_TRUE(added);
    if (warnings) { *warnings = added->warnings; }
    return made;
  }

  static BodyCommand lift(double z, double x = 0.003)
  {
    BodyCommand c;
    c.mode = BodyMode::Hold;
    c.position = Vector3d(x, 0, z);
    return c;
  }

  TemporaryFile ring_file_{"ambf_start_ring", ".obj"};
  TemporaryFile board_file_{"ambf_start_board", ".obj"};
};

TEST_P(Peg, KeepsTheRingAndSaysSo)
{
  ambf_adf::Problems warnings;
  auto w = world(&warnings);
  const auto told = std::count_if(warnings.begin(), warnings.end(), [](const auto & p) {
    return p.found.find("overlaps 'board'") != std::string::npos;
  });
  EXPECT_EQ(told, 1);
  double fastest = 0.0;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(w->step(), StepStatus::Ok);
    fastest = std::max(fastest, linear_velocity(*w, 1).norm());
  }
  EXPECT_LT(fastest, 0.1);
  // It lies on the board: contact with what is not inside its hull goes on.
  EXPECT_LT((position(*w, 1) - Vector3d(0.003, 0, 0.0027)).norm(), 5e-4);
  EXPECT_LT(linear_velocity(*w, 1).norm(), 1e-3);
}

TEST_P(Peg, HasItsContactAgainOnceTheRingHasLeft)
{
  auto w = world();
  const auto run = [&] {
    w->step(100);
    w->set_body_command(1, lift(0.06));
    w->step(400);
    EXPECT_NEAR(position(*w, 1).z(), 0.06, 1e-5);  // nothing held it back
    BodyCommand release;
    release.mode = BodyMode::Release;
    w->set_body_command(1, release);
    double lowest = 1.0;
    for (int i = 0; i < 65; ++i) {  // falls 20 mm in 64 ms
      w->step();
      lowest = std::min(lowest, position(*w, 1).z());
    }
    w->step(20);
    EXPECT_GT(position(*w, 1).z(), 0.040);  // on top of the peg: its hole is filled
    EXPECT_GT(lowest, 0.040);
  };
  run();
  w->reset();
  w->step(500);
  EXPECT_LT((position(*w, 1) - Vector3d(0.003, 0, 0.0027)).norm(), 5e-4);
  run();
}

TEST_P(Peg, StartsLikeThatAlsoInAWorldThatRuns)
{
  auto w = world_of(board());
  w->step(500);
  ASSERT_TRUE(w->add_model(ring()));
  w->step(500);
  EXPECT_LT((position(*w, 1) - Vector3d(0.003, 0, 0.0027)).norm(), 5e-4);
  EXPECT_TRUE(w->remove_object("ring"));
  EXPECT_EQ(w->step(10), StepStatus::Ok);
}

TEST_P(Peg, StateGoesOnFromASavedOne)
{
  auto w = world();
  w->step(50);
  w->set_body_command(1, lift(0.03));
  w->step(5);
  const auto saved = w->save();
  const auto run = [&](World & some) {
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 300; ++i) {
      if (i == 50) { some.set_body_command(1, lift(0.06, 0.0)); }
      if (i == 150) { some.set_body_command(1, lift(0.02, 0.03)); }
      some.step();
      hashes.push_back(some.state().hash);
    }
    return hashes;
  };
  const auto expected = run(*w);
  ASSERT_TRUE(w->restore(saved));
  EXPECT_EQ(run(*w), expected);
  // A world whose ring has been off its peg for long.
  auto other = world_of(board());
  ASSERT_TRUE(other->add_model(ring()));
  other->set_body_command(1, lift(0.06));
  other->step(400);
  const auto hash = other->state().hash;
  ASSERT_TRUE(other->restore(saved));
  EXPECT_NE(other->state().hash, hash);
  EXPECT_EQ(run(*other), expected);
}

INSTANTIATE_TEST_SUITE_P(
  Boards, Peg, testing::Values(Board::Primitives, Board::OneMesh),
  [](const auto & p) { return p.param == Board::OneMesh ? "OneMesh" : "Primitives"; });

// A ring that is really in the floor comes out of it, and does not fall through.
TEST(StartOverlap, IsNotARingInTheFloor)
{
  const TemporaryFile file("ambf_start_sunk", ".obj");
  MeshWriter(file).ring(0.010, 0.020, 0.005);
  ambf_adf::Model model;
  model.bodies = {floor_body()};
  auto r = body("ring", 0.004, Vector3d(0, 0, 0.0), Vector3d(2e-7, 2e-7, 4e-7));
  r.collision = concave(file);
  r.collision_margin = 0.0001;
  model.bodies.push_back(r);
  AddedModel added;
  auto world = world_of(model, {}, &added);
  for (const auto & warning : added.warnings) {
    EXPECT_EQ(warning.found.find("overlaps"), std::string::npos);
  }
  world->step(1000);
  EXPECT_GT(position(*world, 1).z(), 0.002);
}

// Bodies that only touch, or overlap a little, collide as ever.
TEST(StartOverlap, IsNotARingBesideItsPeg)
{
  const TemporaryFile file("ambf_start_beside", ".obj");
  MeshWriter(file).ring(0.010, 0.020, 0.005);
  ambf_adf::Model model;
  model.bodies = {
    floor_body(), box("block", 0.0, Vector3d(0.03, 0, 0.02), Vector3d(0.0196, 0.1, 0.04))};
  auto r = body("ring", 0.004, Vector3d(0, 0, 0.0025), Vector3d(2e-7, 2e-7, 4e-7));
  r.collision = concave(file);
  model.bodies.push_back(r);
  AddedModel added;
  auto world = world_of(model, {}, &added);
  for (const auto & warning : added.warnings) {
    EXPECT_EQ(warning.found.find("overlaps"), std::string::npos);
  }
  world->step(300);
  EXPECT_LT(position(*world, 2).x(), 1e-3);
  EXPECT_GT(position(*world, 2).z(), 0.0);
}

}  // namespace
}  // namespace ambf_dynamics::test
