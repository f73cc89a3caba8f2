// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Models written in C++ for the tests: no files, no defaults that a test does not see.

#include <cstdlib>
#include <functional>
#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "ambf_adf/parse.hpp"
#include "ambf_adf/scene.hpp"
#include "ambf_dynamics/world.hpp"

namespace ambf_dynamics::test
{

using Eigen::Vector3d;

inline bool long_tier()
{
  const char * value = std::getenv("AMBF_TEST_LONG");
  return value && std::string(value) == "1";
}

/// A body without damping, friction or restitution; shape empty unless given.
inline ambf_adf::RigidBody body(
  const std::string & name, double mass, const Vector3d & position,
  const Vector3d & inertia = Vector3d::Ones())
{
  ambf_adf::RigidBody b;
  b.header.identifier = b.header.name = b.header.qualified = name;
  b.mass = mass;
  b.location.position = position;
  if (mass > 0.0) { b.inertia = inertia; }
  b.inertial_offset = ambf_adf::Pose{};
  b.damping = {0.0, 0.0};
  b.surface = {0.0, 0.0, 0.0};
  return b;
}

inline ambf_adf::ShapeList shape(const ambf_adf::Primitive & primitive)
{
  ambf_adf::PlacedShape placed;
  placed.shape = primitive;
  return {{placed}, false};
}

inline Vector3d box_inertia(double mass, const Vector3d & size)
{
  const Vector3d s = size.cwiseProduct(size);
  return mass / 12.0 * Vector3d(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
}

inline ambf_adf::RigidBody box(
  const std::string & name, double mass, const Vector3d & position, const Vector3d & size)
{
  ambf_adf::RigidBody b = body(name, mass, position, box_inertia(mass, size));
  b.collision = shape(ambf_adf::Box{size});
  return b;
}

inline ambf_adf::RigidBody floor_body()
{
  ambf_adf::RigidBody b = body("floor", 0.0, Vector3d(0, 0, -0.5));
  b.collision = shape(ambf_adf::Box{Vector3d(50, 50, 1)});
  return b;
}

/// Both axes along the same direction of the bodies' frames, so that q = 0 means equal orientation.
inline ambf_adf::Joint joint(
  const std::string & name, ambf_adf::JointType type, const std::string & parent,
  const std::string & child, const Vector3d & parent_pivot, const Vector3d & child_pivot,
  const Vector3d & axis = Vector3d::UnitY())
{
  ambf_adf::Joint j;
  j.header.identifier = j.header.name = j.header.qualified = name;
  j.type = type;
  j.parent = parent;
  j.child = child;
  j.parent_pivot = parent_pivot;
  j.child_pivot = child_pivot;
  j.parent_axis = j.child_axis = axis;
  return j;
}

inline std::unique_ptr<World> world_of(
  const ambf_adf::Model & model, const Parameters & parameters = {}, AddedModel * added = nullptr)
{
  auto world = make_world(parameters);
  EXPECT_TRUE(world) << (world ? "" : ambf_adf::to_string(world.error()));
  auto result = (*world)->add_model(model);
  EXPECT_TRUE(result) << (result ? "" : ambf_adf::to_string(result.error()));
  if (added && result) { *added = *result; }
  return std::move(*world);
}

/// Position, quaternion (x y z w), velocities of a body in the flat state.
inline Vector3d position(const World & world, std::size_t body)
{
  return Vector3d::Map(world.state().bodies.data() + body_stride * body);
}
inline Eigen::Quaterniond orientation(const World & world, std::size_t body)
{
  const double * q = world.state().bodies.data() + body_stride * body + 3;
  return {q[3], q[0], q[1], q[2]};
}
inline Vector3d linear_velocity(const World & world, std::size_t body)
{
  return Vector3d::Map(world.state().bodies.data() + body_stride * body + 7);
}
inline Vector3d angular_velocity(const World & world, std::size_t body)
{
  return Vector3d::Map(world.state().bodies.data() + body_stride * body + 10);
}
inline double joint_position(const World & world, std::size_t joint)
{
  return world.state().joints[joint_stride * joint];
}
inline double joint_velocity(const World & world, std::size_t joint)
{
  return world.state().joints[joint_stride * joint + 1];
}
inline double joint_effort(const World & world, std::size_t joint)
{
  return world.state().joints[joint_stride * joint + 2];
}

/// Real ADF files, which are no part of the project: the folder that AMBF_ADF_CORPUS names, or nothing.
inline std::filesystem::path corpus()
{
  const char * at = std::getenv("AMBF_ADF_CORPUS");
  if (at == nullptr || !std::filesystem::is_directory(std::filesystem::path(at) / "descriptions")) {
    return {};
  }
  return std::filesystem::weakly_canonical(at);
}

inline ambf_adf::Model corpus_model(const std::string & relative)
{
  auto parsed = ambf_adf::parse_file(corpus() / "descriptions" / relative);
  EXPECT_TRUE(parsed) << (parsed ? "" : ambf_adf::to_string(parsed.error()));
  ambf_adf::Scene scene;
  auto resolved = scene.add(*parsed);
  EXPECT_TRUE(resolved) << (resolved ? "" : ambf_adf::to_string(resolved.error()));
  return *resolved;
}

}  // namespace ambf_dynamics::test
