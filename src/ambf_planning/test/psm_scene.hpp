// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The shipped PSM among obstacles that a test puts there.

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <random>
#include <string>

#include "ambf_adf/parse.hpp"
#include "ambf_adf/scene.hpp"
#include "ambf_planning/plan.hpp"

namespace ambf_planning::test
{

using Eigen::Vector3d;

inline bool long_tier()
{
  const char * value = std::getenv("AMBF_TEST_LONG");
  return value != nullptr && std::string(value) == "1";
}

/// A body of mass 0 with one shape.
inline ambf_adf::Model obstacle(
  const std::string & name, const ambf_adf::Primitive & primitive, const Vector3d & at)
{
  ambf_adf::RigidBody body;
  body.header.identifier = body.header.name = body.header.qualified = name;
  body.mass = 0.0;
  body.inertial_offset = ambf_adf::Pose{};
  body.location.position = at;
  body.collision_margin = 0.0005;
  ambf_adf::PlacedShape placed;
  placed.shape = primitive;
  body.collision = ambf_adf::ShapeList{{placed}, false};
  ambf_adf::Model model;
  model.name = name;
  model.ns = "/ambf/env/";
  model.bodies.push_back(body);
  return model;
}

inline JointVector joints(std::initializer_list<double> values)
{
  JointVector q(static_cast<Eigen::Index>(values.size()));
  Eigen::Index i = 0;
  for (const double value : values) { q[i++] = value; }
  return q;
}

struct PsmScene
{
  ambf_adf::Scene names;
  std::unique_ptr<CollisionScene> scene = *ambf_dynamics::make_collision_scene();
  ambf_adf::Model model;
  std::optional<ambf_arms::Arm> arm;
  std::vector<ModelHandle> models;
  AllowedCollisions allowed;

  PsmScene()
  {
    const std::string folder = AMBF_DESCRIPTION_FOLDER;
    auto parsed = ambf_adf::parse_file(folder + "/adf/psm.yaml");
    EXPECT_TRUE(parsed.has_value());
    model = *names.add(std::move(*parsed));
    const auto described = ambf_arms::parse_arms_file(folder + "/arms/psm.yaml");
    EXPECT_TRUE(described.has_value());
    auto made = ambf_arms::Arm::make(described->arms.at(0), &model);
    EXPECT_TRUE(made.has_value());
    arm.emplace(std::move(*made));
    models.push_back(scene->add_model(model)->handle);
    allowed = scene->adjacent();
    allowed.merge(sample_allowed(bodies(), *scene, allowed, arm->home(), 300));
  }
  ArmBodies bodies() const
  {
    auto made = ArmBodies::make(*arm, model, *scene, models, "BODY base link");
    EXPECT_TRUE(made.has_value()) << (made ? "" : made.error());
    return *made;
  }
  ModelHandle add(const ambf_adf::Model & other)
  {
    const auto added = scene->add_model(other);
    EXPECT_TRUE(added.has_value());
    return added->handle;
  }
  void add_ball(const std::string & name, const Vector3d & at, double radius)
  {
    add(obstacle(name, ambf_adf::Sphere{radius}, at));
  }
  std::shared_ptr<const ArmChecker> checker() const
  {
    return std::make_shared<const ArmChecker>(bodies(), *scene, allowed);
  }
  /// Own links are near each other by design; what is asked about obstacles alone goes without them.
  AllowedCollisions with_own_pairs() const
  {
    AllowedCollisions out = allowed;
    for (const auto & a : model.bodies) {
      for (const auto & b : model.bodies) { out.allow(a.header.qualified, b.header.qualified); }
    }
    return out;
  }
  JointVector random(std::mt19937_64 & engine) const
  {
    JointVector q(arm->joints());
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      q[i] =
        std::uniform_real_distribution<double>(arm->bounds().low[i], arm->bounds().high[i])(engine);
    }
    return q;
  }
};

/// A wall of balls between two sides of the workspace, 12 cm below the remote centre.
inline void add_wall(PsmScene & psm)
{
  int k = 0;
  for (double y = -0.04; y <= 0.0401; y += 0.02) {
    psm.add_ball("wall " + std::to_string(k++), Vector3d(0.0, y, -0.14), 0.012);
    psm.add_ball("wall " + std::to_string(k++), Vector3d(0.0, y, -0.12), 0.012);
  }
}
inline JointVector left_of_wall() { return joints({-0.35, 0.0, 0.14, 0.0, 0.0, 0.0}); }
inline JointVector right_of_wall() { return joints({0.35, 0.0, 0.14, 0.0, 0.0, 0.0}); }

/// Looked at far more finely than any planner does, posture by posture.
inline double least_clearance(const ArmChecker & checker, const TimedPath & motion)
{
  double least = 1.0;
  for (const auto & [time, state] : motion.samples(0.002)) {
    least = std::min(least, checker.nearest(state.position, 1.0).distance);
  }
  return least;
}

}  // namespace ambf_planning::test
