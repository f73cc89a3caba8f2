// SPDX-License-Identifier: BSD-3-Clause
// Ghosts list the bodies that overlap them exactly, whatever the shapes.

#include <algorithm>
#include <cmath>
#include <random>

#include "mesh_builder.hpp"

namespace ambf_dynamics::test
{
namespace
{

ambf_adf::GhostObject ghost(
  const ambf_adf::Collision & collision, const Vector3d & at = Vector3d::Zero())
{
  ambf_adf::GhostObject g;
  g.header.identifier = g.header.name = g.header.qualified = "ghost";
  g.location.position = at;
  g.collision = collision;
  return g;
}

ambf_adf::RigidBody still(const std::string & name, const ambf_adf::Collision & collision)
{
  auto b = body(name, 0.0, Vector3d::Zero());
  b.collision = collision;
  return b;
}

Eigen::Isometry3d pose(
  const Vector3d & at, const Eigen::Quaterniond & turned = Eigen::Quaterniond::Identity())
{
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.linear() = turned.toRotationMatrix();
  t.translation() = at;
  return t;
}

bool senses(World & world, std::uint32_t index, const Eigen::Isometry3d & at)
{
  world.set_body_state(index, at);
  const auto inside = world.ghost_reading(0);
  return std::find(inside.begin(), inside.end(), index) != inside.end();
}

struct Draw
{
  std::mt19937 engine{11};
  double real(double low, double high)
  {
    return std::uniform_real_distribution<double>(low, high)(engine);
  }
  Vector3d vector(double size) { return {real(-size, size), real(-size, size), real(-size, size)}; }
  Eigen::Quaterniond turn()
  {
    return Eigen::Quaterniond(Eigen::AngleAxisd(real(0, 6), vector(1.0).normalized()));
  }
};

// Compares what a ghost senses of a moving body with the closed form of their distance; where that is
// below `blur` the corners that Bullet rounds by its margin, or the facets of a mesh, decide.
template <class Distance>
void compare(World & world, double reach, double blur, Distance distance)
{
  Draw draw;
  int inside = 0;
  int outside = 0;
  for (int i = 0; i < 3000; ++i) {
    const Eigen::Isometry3d at = pose(draw.vector(reach), draw.turn());
    const double d = distance(at);
    if (std::abs(d) < blur) { continue; }
    ++(d < 0.0 ? inside : outside);
    ASSERT_EQ(senses(world, 0, at), d < 0.0) << d << " m at " << at.translation().transpose();
  }
  EXPECT_GT(inside, 300);
  EXPECT_GT(outside, 300);
}

TEST(Ghost, DoesNotSenseAFloorFarBelow)
{
  ambf_adf::Model model;
  model.bodies.push_back(still("floor", shape(ambf_adf::Plane{})));
  model.ghost_objects.push_back(ghost(shape(ambf_adf::Sphere{0.01})));
  auto world = world_of(model);
  const Vector3d normal = ambf_adf::Plane{}.normal;
  EXPECT_FALSE(senses(*world, 0, pose(-2.2 * normal)));
  EXPECT_FALSE(senses(*world, 0, pose(-0.0101 * normal)));
  EXPECT_TRUE(senses(*world, 0, pose(-0.0099 * normal)));
  EXPECT_TRUE(senses(*world, 0, pose(3.0 * normal)));  // below the floor
}

TEST(Ghost, SensesPlanesByDistance)
{
  ambf_adf::Model model;
  ambf_adf::Plane plane;
  plane.normal = Vector3d::UnitZ();
  plane.offset = 0.02;
  model.bodies.push_back(still("plane", shape(plane)));
  model.ghost_objects.push_back(ghost(shape(ambf_adf::Sphere{0.05}), Vector3d(0.1, 0.0, 0.1)));
  auto world = world_of(model);
  compare(*world, 0.3, 1e-9, [](const Eigen::Isometry3d & t) {
    const Vector3d n = t.linear().col(2);
    return n.dot(Vector3d(0.1, 0, 0.1) - t.translation()) - 0.02 - 0.05;
  });
}

TEST(Ghost, SensesBoxesByDistance)
{
  ambf_adf::Model model;
  const Vector3d half(0.1, 0.05, 0.02);
  model.bodies.push_back(still("box", shape(ambf_adf::Box{2.0 * half})));
  model.ghost_objects.push_back(ghost(shape(ambf_adf::Sphere{0.04})));
  auto world = world_of(model);
  compare(*world, 0.15, 1e-3, [&](const Eigen::Isometry3d & t) {
    const Vector3d p = t.inverse() * Vector3d::Zero();
    return (p.cwiseAbs() - half).cwiseMax(0.0).norm() - 0.04;
  });
}

// Signed distance of a point to a ring of rectangular section.
double to_ring(const Vector3d & p, double inner, double outer, double height)
{
  const double r = std::hypot(p.x(), p.y());
  const double dr = std::max(inner - r, r - outer);
  const double dz = std::abs(p.z()) - 0.5 * height;
  return std::max(dr, dz) < 0.0 ? std::max(dr, dz)
                                : std::hypot(std::max(dr, 0.0), std::max(dz, 0.0));
}

TEST(Ghost, SensesAConcaveMeshAtItsSurface)
{
  const TemporaryFile file("ambf_ghost_ring", ".obj");
  MeshWriter(file).ring(0.1, 0.2, 0.05, 96);
  ambf_adf::Model model;
  model.bodies.push_back(still("ring", concave(file)));
  model.bodies[0].collision_margin = 0.0;
  model.ghost_objects.push_back(ghost(shape(ambf_adf::Sphere{0.03})));
  model.ghost_objects[0].collision_margin = 0.0;
  auto world = world_of(model);
  // Facets of 96 sides are 0.1 mm inside the circle. The ball is thicker than the ring: it meets the surface.
  compare(*world, 0.2, 5e-4, [](const Eigen::Isometry3d & t) {
    return to_ring(t.inverse() * Vector3d::Zero(), 0.1, 0.2, 0.05) - 0.03;
  });
}

TEST(Ghost, OfAClosedMeshIsAVolumeWithAHole)
{
  const TemporaryFile file("ambf_ghost_target", ".obj");
  MeshWriter(file).ring(0.1, 0.2, 0.1, 96);
  ambf_adf::Model model;
  model.bodies.push_back(
    still("ball", shape(ambf_adf::Sphere{0.005})));  // fits inside the ring's bar
  model.ghost_objects.push_back(ghost(concave(file)));
  model.ghost_objects[0].collision_margin = 0.0;
  auto world = world_of(model);
  compare(*world, 0.15, 5e-4, [](const Eigen::Isometry3d & t) {
    return to_ring(t.translation(), 0.1, 0.2, 0.1) - 0.005;
  });
}

TEST(Ghost, OfAMeshMeetsMeshes)
{
  const TemporaryFile ring("ambf_ghost_a", ".obj");
  MeshWriter(ring).ring(0.1, 0.2, 0.05);
  const TemporaryFile rod("ambf_ghost_b", ".obj");
  MeshWriter(rod).box(Vector3d::Zero(), Vector3d(0.05, 0.05, 1.0));
  ambf_adf::Model model;
  model.bodies.push_back(still("rod", concave(rod)));
  model.ghost_objects.push_back(ghost(concave(ring)));
  auto world = world_of(model);
  EXPECT_FALSE(senses(*world, 0, pose(Vector3d(0, 0, 0))));  // through the hole
  EXPECT_TRUE(senses(*world, 0, pose(Vector3d(0.08, 0, 0))));
  EXPECT_TRUE(senses(*world, 0, pose(Vector3d(0.08, 0, 0))));  // the same again
  EXPECT_FALSE(senses(*world, 0, pose(Vector3d(0.26, 0, 0))));
  EXPECT_FALSE(senses(*world, 0, pose(Vector3d(0, 0, 0))));
}

TEST(Ghost, OfAPlaneIsAHalfSpace)
{
  const TemporaryFile file("ambf_ghost_c", ".obj");
  MeshWriter(file).box(Vector3d::Zero(), Vector3d::Constant(0.2));
  ambf_adf::Model model;
  ambf_adf::Plane plane;
  plane.normal = Vector3d::UnitZ();
  model.bodies = {
    still("mesh", concave(file)), still("plane", shape(plane)),
    still("cone", shape(ambf_adf::Cone{0.1, 0.2, ambf_adf::Axis::Z}))};
  model.bodies[0].collision_margin = 0.0;
  model.ghost_objects.push_back(ghost(shape(plane)));
  auto world = world_of(model);
  EXPECT_TRUE(senses(*world, 0, pose(Vector3d(0, 0, 0.0999))));
  EXPECT_FALSE(senses(*world, 0, pose(Vector3d(0, 0, 0.1001))));
  EXPECT_TRUE(senses(*world, 1, pose(Vector3d(0, 0, 5.0))));
  const Eigen::Quaterniond over(Eigen::AngleAxisd(3.14159265358979324, Vector3d::UnitX()));
  EXPECT_FALSE(senses(*world, 1, pose(Vector3d(0, 0, 0.1), over)));
  EXPECT_TRUE(senses(*world, 1, pose(Vector3d(0, 0, -0.1), over)));
  EXPECT_TRUE(senses(*world, 2, pose(Vector3d(0, 0, 0.09))));
  EXPECT_FALSE(senses(*world, 2, pose(Vector3d(0, 0, 0.11))));
}

TEST(Ghost, SensesThePartsOfACompound)
{
  ambf_adf::Model model;
  ambf_adf::ShapeList jaws;
  jaws.compound = true;
  for (const double x : {-0.1, 0.1}) {
    ambf_adf::PlacedShape jaw;
    jaw.shape = ambf_adf::Box{Vector3d(0.02, 0.1, 0.1)};
    jaw.offset.position = Vector3d(x, 0, 0);
    jaws.shapes.push_back(jaw);
  }
  model.bodies.push_back(still("jaws", jaws));
  model.ghost_objects.push_back(ghost(shape(ambf_adf::Sphere{0.05})));
  auto world = world_of(model);
  EXPECT_FALSE(senses(*world, 0, pose(Vector3d::Zero())));  // between the jaws
  EXPECT_TRUE(senses(*world, 0, pose(Vector3d(0.05, 0, 0))));
}

}  // namespace
}  // namespace ambf_dynamics::test
