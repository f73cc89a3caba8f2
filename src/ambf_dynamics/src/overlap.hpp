// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shapes.hpp"

namespace ambf_dynamics
{

struct Box
{
  btVector3 low;
  btVector3 high;
};

inline Box box_of(const btCollisionShape & shape, const btTransform & t)
{
  Box box;
  shape.getAabb(t, box.low, box.high);
  return box;
}

inline bool overlap(const Box & a, const Box & b)
{
  return TestAabbAgainstAabb2(a.low, a.high, b.low, b.high);
}

/// Is the distance of the two shapes, with the collision margins of both, below zero? For every shape that
/// ShapeFactory makes. Planes are half-spaces, meshes of triangles are surfaces. Does not allocate.
bool overlap(
  const btCollisionShape & a, const btTransform & t_a, const btCollisionShape & b,
  const btTransform & t_b);

/// Is a part of `shape` inside the closed surface of `mesh`? Right where the two do not overlap.
bool encloses(
  const btBvhTriangleMeshShape & mesh, const btTransform & t_mesh, const btCollisionShape & shape,
  const btTransform & t_shape);

}  // namespace ambf_dynamics
