// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Scenes and random poses for the tests of collision queries.

#include <random>

#include "ambf_dynamics/collision_scene.hpp"
#include "mesh_builder.hpp"

namespace ambf_dynamics::test
{

struct Draw
{
  std::mt19937_64 engine;
  explicit Draw(std::uint64_t seed) : engine(seed) {}

  double real(double low, double high)
  {
    return std::uniform_real_distribution<double>(low, high)(engine);
  }
  Vector3d vector(double size) { return {real(-size, size), real(-size, size), real(-size, size)}; }
  Eigen::Isometry3d pose(double size)
  {
    Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
    Eigen::Quaterniond q(real(-1, 1), real(-1, 1), real(-1, 1), real(-1, 1));
    t.linear() = q.normalized().toRotationMatrix();
    t.translation() = vector(size);
    return t;
  }
};

inline Eigen::Isometry3d at(double x, double y, double z)
{
  return Eigen::Isometry3d(Eigen::Translation3d(x, y, z));
}

inline ambf_adf::RigidBody shaped(
  const std::string & name, const ambf_adf::Collision & collision, double mass = 1.0)
{
  auto b = body(name, mass, Vector3d::Zero());
  b.collision = collision;
  return b;
}

/// The bodies of one model, in its order.
struct TestScene
{
  std::unique_ptr<CollisionScene> scene = *make_collision_scene();
  CollisionScene::Added added;

  explicit TestScene(const ambf_adf::Model & model)
  {
    auto result = scene->add_model(model);
    EXPECT_TRUE(result) << (result ? "" : ambf_adf::to_string(result.error()));
    if (result) { added = *result; }
  }
  std::unique_ptr<CollisionChecker> checker(
    std::vector<BodyIndex> moving, const AllowedCollisions & allowed = {}) const
  {
    return scene->make_checker(moving, allowed);
  }
};

inline ambf_adf::Model model_of(std::vector<ambf_adf::RigidBody> bodies)
{
  ambf_adf::Model model;
  model.name = "model";
  model.bodies = std::move(bodies);
  return model;
}

}  // namespace ambf_dynamics::test
