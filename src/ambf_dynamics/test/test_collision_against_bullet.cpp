// SPDX-License-Identifier: BSD-3-Clause
// Random placements of every kind of shape: the scene says "touches" where Bullet's contactTest in a collision
// world of its own does. How deep is not compared: Bullet tells the depth of each triangle and part by itself.

#include <cmath>
#include <map>

#include "collision_builder.hpp"
#include "shapes.hpp"

namespace ambf_dynamics::test
{
namespace
{

using ambf_adf::Axis;

/// The deepest contact that Bullet tells; none: infinite.
struct Deepest : btCollisionWorld::ContactResultCallback
{
  double distance = std::numeric_limits<double>::infinity();
  btScalar addSingleResult(
    btManifoldPoint & point, const btCollisionObjectWrapper *, int, int,
    const btCollisionObjectWrapper *, int, int) override
  {
    distance = std::min(distance, point.getDistance());
    return 0.0;
  }
};

/// Bodies of a model as collision objects, with shapes from the same factory as the simulation's.
struct BulletScene
{
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btCollisionWorld world{&dispatcher, &broadphase, &configuration};
  ShapeFactory factory;
  std::vector<std::shared_ptr<BuiltShape>> shapes;
  std::vector<std::unique_ptr<btCollisionObject>> objects;

  explicit BulletScene(const ambf_adf::Model & model)
  {
    ambf_adf::Problems none;
    for (const auto & body : model.bodies) {
      ShapeRequest request;
      request.collision = &body.collision;
      request.margin = body.collision_margin;
      request.moving = body.mass > 0.0;
      shapes.push_back(factory.make(request, body.header.identifier, none));
      objects.push_back(std::make_unique<btCollisionObject>());
      objects.back()->setCollisionShape(shapes.back()->root.get());
      objects.back()->setContactProcessingThreshold(BT_LARGE_FLOAT);
    }
  }
  double contact_test(std::size_t a, std::size_t b, const std::vector<Eigen::Isometry3d> & poses)
  {
    objects[a]->setWorldTransform(to_bt(poses[a]));
    objects[b]->setWorldTransform(to_bt(poses[b]));
    Deepest deepest;
    world.contactPairTest(objects[a].get(), objects[b].get(), deepest);
    return deepest.distance;
  }
};

ambf_adf::ShapeList compound()
{
  ambf_adf::ShapeList list;
  list.compound = true;
  ambf_adf::PlacedShape bar;
  bar.shape = ambf_adf::Box{Vector3d(0.09, 0.012, 0.02)};
  bar.offset.position = Vector3d(0.02, 0, 0);
  ambf_adf::PlacedShape ball;
  ball.shape = ambf_adf::Sphere{0.015};
  ball.offset.position = Vector3d(-0.04, 0.02, 0);
  list.shapes = {bar, ball};
  return list;
}

TEST(AgainstBullet, TenThousandRandomPlacements)
{
  const TemporaryFile ring_file("bullet_ring", ".obj");
  MeshWriter(ring_file).ring(0.03, 0.05, 0.02, 24);
  const TemporaryFile hull_file("bullet_hull", ".obj");
  MeshWriter(hull_file).box(Vector3d::Zero(), Vector3d(0.05, 0.03, 0.02));
  ambf_adf::CollisionMesh hull = concave(hull_file);
  hull.type = ambf_adf::MeshCollisionType::ConvexHull;
  ambf_adf::Plane plane;
  plane.normal = Vector3d(0.6, 0, 0.8);
  const auto model = model_of(
    {shaped("ball", shape(ambf_adf::Sphere{0.02})),
     shaped("box", shape(ambf_adf::Box{Vector3d(0.06, 0.04, 0.02)})),
     shaped("cylinder", shape(ambf_adf::Cylinder{0.015, 0.05, Axis::Y})),
     shaped("capsule", shape(ambf_adf::Capsule{0.01, 0.07, Axis::Z})),
     shaped("cone", shape(ambf_adf::Cone{0.02, 0.05, Axis::Z})), shaped("compound", compound()),
     shaped("hull", hull), shaped("box2", shape(ambf_adf::Box{Vector3d(0.03, 0.07, 0.03)})),
     shaped("plane", shape(plane), 0.0), shaped("ring", concave(ring_file), 0.0)});
  BulletScene bullet(model);
  const std::size_t n = model.bodies.size();
  Draw draw(6);
  std::size_t placements = 0, touching = 0, free = 0;
  const std::size_t pairs = n * (n - 1) / 2 - 1;
  const std::size_t each = 10000 / pairs + 1;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) {
      if (model.bodies[a].mass == 0.0) { continue; }  // plane and ring stand both
      const TestScene test(model_of({model.bodies[a], model.bodies[b]}));
      const auto checker = test.checker({0, 1});
      const auto has_box = [&](std::size_t i) { return i == 1 || i == 5 || i == 7; };
      // contactTest rounds the corners of two boxes by their margins of 1 mm, which a step of the world
      // does not: less than this is lost at a corner.
      const double lost = has_box(a) && has_box(b) ? 2.0 * 0.001 * (std::sqrt(3.0) - 1.0) : 0.0;
      for (std::size_t k = 0; k < each; ++k) {
        std::vector<Eigen::Isometry3d> poses(n, Eigen::Isometry3d::Identity());
        poses[a] = draw.pose(0.04);
        poses[b] = draw.pose(0.04);
        const std::vector pair{poses[a], poses[b]};
        const double ours = checker->nearest(pair).distance;
        const double theirs = bullet.contact_test(a, b, poses);
        ++placements;
        const std::string what = model.bodies[a].header.name + " " + model.bodies[b].header.name;
        EXPECT_EQ(checker->collides(pair), ours < 0.0) << what;
        const double blur = 1e-5;
        if (ours > blur) { EXPECT_GT(theirs, 0.0) << what << ' ' << ours; }
        if (ours < -blur - lost) { EXPECT_LT(theirs, 0.0) << what << ' ' << ours; }
        ++(ours < 0.0 ? touching : free);
      }
    }
  }
  std::printf("%zu placements, %zu touch\n", placements, touching);
  EXPECT_GE(placements, 10000u);
  EXPECT_GT(touching, 2000u);
  EXPECT_GT(free, 2000u);
}

}  // namespace
}  // namespace ambf_dynamics::test
