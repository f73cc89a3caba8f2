// SPDX-License-Identifier: BSD-3-Clause
// Random placements: distances of the scene are those of FCL, an implementation of its own. The
// simulation's shapes are a core and a margin around it; FCL gets the cores, and the margins go off
// what it says.

#include <cmath>
#include <memory>

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/math/bv/OBBRSS.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/collision_object.h>
#include <fcl/narrowphase/distance.h>

#include "ambf_adf/mesh.hpp"
#include "collision_builder.hpp"

namespace ambf_dynamics::test
{
namespace
{

using ambf_adf::Axis;
using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

struct Both
{
  ambf_adf::RigidBody body;
  Geometry core;
  double margin = 0.0;
};

constexpr double margin = 0.001;  // of bodies, unless the shape is round [m]

Geometry triangles(const std::string & file)
{
  const auto mesh = ambf_adf::load_mesh(file);
  EXPECT_TRUE(mesh);
  auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
  std::vector<fcl::Triangle> faces;
  for (std::size_t i = 0; i + 2 < mesh->unified_triangles.size(); i += 3) {
    faces.emplace_back(
      mesh->unified_triangles[i], mesh->unified_triangles[i + 1], mesh->unified_triangles[i + 2]);
  }
  model->beginModel();
  model->addSubModel(mesh->unified, faces);
  model->endModel();
  return model;
}

/// A ball meets triangles without their margin.
double margins_of(const Both & a, const Both & b)
{
  const bool ball_and_mesh =
    a.core->getNodeType() == fcl::GEOM_SPHERE && b.core->getObjectType() == fcl::OT_BVH;
  return ball_and_mesh ? 0.0 : a.margin + b.margin;
}

double distance(
  const Both & a, const Eigen::Isometry3d & t_a, const Both & b, const Eigen::Isometry3d & t_b)
{
  fcl::CollisionObjectd first(a.core, t_a);
  fcl::CollisionObjectd second(b.core, t_b);
  fcl::DistanceRequestd request;
  request.gjk_solver_type = fcl::GST_LIBCCD;
  request.distance_tolerance = 1e-7;
  fcl::DistanceResultd result;
  return fcl::distance(&first, &second, request, result) - margins_of(a, b);
}

TEST(AgainstFcl, TenThousandRandomPlacements)
{
  const TemporaryFile file("fcl_ring", ".obj");
  MeshWriter(file).ring(0.03, 0.05, 0.02, 24);
  const Vector3d size(0.06, 0.04, 0.02);
  const Vector3d in(2 * margin, 2 * margin, 2 * margin);
  const std::vector<Both> all{
    {shaped("ball", shape(ambf_adf::Sphere{0.02})), std::make_shared<fcl::Sphered>(0.02), 0.0},
    {shaped("capsule", shape(ambf_adf::Capsule{0.01, 0.07, Axis::Z})),
     std::make_shared<fcl::Capsuled>(0.01, 0.05), 0.0},
    {shaped("box", shape(ambf_adf::Box{size})), std::make_shared<fcl::Boxd>(size - in), margin},
    {shaped("cylinder", shape(ambf_adf::Cylinder{0.015, 0.05, Axis::Z})),
     std::make_shared<fcl::Cylinderd>(0.015 - margin, 0.05 - 2 * margin), margin},
    {shaped("cone", shape(ambf_adf::Cone{0.02, 0.05, Axis::Z})),
     std::make_shared<fcl::Coned>(0.02, 0.05), margin},
    {shaped("ring", concave(file), 0.0), triangles(file.path), margin}};
  Draw draw(7);
  std::size_t placements = 0, measured = 0;
  double worst = 0.0;
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = a + 1; b < all.size(); ++b) {
      const TestScene test(model_of({all[a].body, all[b].body}));
      const auto checker = test.checker({0, 1});
      for (int k = 0; k < 700; ++k) {
        const std::vector poses{draw.pose(0.06), draw.pose(0.06)};
        const double ours = checker->nearest(poses).distance;
        const double theirs = distance(all[a], poses[0], all[b], poses[1]);
        const std::string what = all[a].body.header.name + " " + all[b].body.header.name;
        ++placements;
        // Bare shapes that overlap have no distance there.
        const double margins = margins_of(all[a], all[b]);
        if (ours + margins < 1e-4) {
          EXPECT_LT(theirs + margins, 2e-4) << what;
          continue;
        }
        ++measured;
        worst = std::max(worst, std::abs(ours - theirs));
        EXPECT_NEAR(ours, theirs, 1e-4) << what;
        EXPECT_EQ(checker->collides(poses), ours < 0.0) << what;
      }
    }
  }
  std::printf(
    "%zu placements, %zu distances, at most %.5f mm apart\n", placements, measured, 1e3 * worst);
  EXPECT_GE(placements, 10000u);
  EXPECT_GT(measured, 5000u);
}

}  // namespace
}  // namespace ambf_dynamics::test
