// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "shapes.hpp"
#include "triangle_tree.hpp"

namespace ambf_dynamics
{

/// One shape of a body, as questions about distances need it.
struct CollisionPart
{
  enum class Kind
  {
    Convex,
    Plane,
    Triangles
  };
  Kind kind = Kind::Convex;
  const btConvexShape * core = nullptr;  ///< Bullet's, without its margin
  /// Boxes only: with sharp corners and no margin, as Bullet has two boxes meet.
  std::shared_ptr<const btBoxShape> sharp;
  double margin = 0.0;
  btVector3 normal{0, 0, 0};  ///< of a plane, in the part's frame
  double offset = 0.0;
  std::shared_ptr<const TriangleTree> tree;
  btTransform t_body_part = btTransform::getIdentity();
  HalfBox box;  ///< with the margin, in the part's frame
};

/// All shapes of a body.
struct CollisionParts
{
  std::shared_ptr<BuiltShape> owner;
  std::vector<CollisionPart> parts;
  HalfBox box;                     ///< in the body's frame
  btVector3 ball_centre{0, 0, 0};  ///< in the body's frame
  double ball_radius = 0.0;
};

std::shared_ptr<const CollisionParts> make_parts(
  std::shared_ptr<BuiltShape> shape, const btTransform & t_body_inertial);

/// Between two shapes: signed distance with margins, points on both surfaces, unit normal from b to a.
struct Gap
{
  double distance = std::numeric_limits<double>::infinity();
  btVector3 point_a{0, 0, 0};
  btVector3 point_b{0, 0, 0};
  btVector3 normal{0, 0, 0};
};

/// Improves `best` where these two are nearer, in the world's frame. May stop where the distance is below
/// `enough`; what is farther than `best` is not looked at closely.
void bring_nearer(
  const CollisionPart & a, const btTransform & t_world_a, const CollisionPart & b,
  const btTransform & t_world_b, double enough, Gap & best);

}  // namespace ambf_dynamics
