// SPDX-License-Identifier: BSD-3-Clause
#include "overlap.hpp"

#include <utility>

#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>

namespace ambf_dynamics
{
namespace
{

int parts(const btCollisionShape & shape)
{
  return shape.isCompound() ? static_cast<const btCompoundShape &>(shape).getNumChildShapes() : 1;
}

const btCollisionShape & part(const btCollisionShape & shape, int i, btTransform & t_world)
{
  if (!shape.isCompound()) { return shape; }
  const auto & compound = static_cast<const btCompoundShape &>(shape);
  t_world = t_world * compound.getChildTransform(i);
  return *compound.getChildShape(i);
}

bool is_plane(const btCollisionShape & shape)
{
  return shape.getShapeType() == STATIC_PLANE_PROXYTYPE;
}

// Bullet's contact distance: between the shapes without their margins, less the margins.
bool convex_overlap(
  const btConvexShape & a, const btTransform & t_a, const btConvexShape & b,
  const btTransform & t_b)
{
  btGjkEpaSolver2::sResults results;
  const btVector3 guess = t_a.getOrigin() - t_b.getOrigin();
  if (btGjkEpaSolver2::Distance(&a, t_a, &b, t_b, guess, results)) {
    return results.distance < a.getMargin() + b.getMargin();
  }
  if (results.status == btGjkEpaSolver2::sResults::Penetrating) { return true; }
  return btGjkEpaSolver2::Penetration(
    &a, t_a, &b, t_b, guess, results, true);  // did not converge: ask again
}

// A plane in the frame of the other shape: n . x < c is below it.
struct LocalPlane
{
  LocalPlane(
    const btCollisionShape & shape, const btTransform & t_plane, const btTransform & t_other)
  {
    const auto & plane = static_cast<const btStaticPlaneShape &>(shape);
    const btTransform t = t_other.inverseTimes(t_plane);
    n = t.getBasis() * plane.getPlaneNormal();
    c = plane.getPlaneConstant() + n.dot(t.getOrigin());
  }
  btVector3 n;
  double c;
};

template <class Function>
class EachTriangle : public btTriangleCallback
{
public:
  explicit EachTriangle(Function function) : function_(std::move(function)) {}
  void processTriangle(btVector3 * corners, int, int) override { function_(corners); }

private:
  Function function_;
};

// Triangles of the mesh whose boxes meet the given one, all in the mesh's frame.
template <class Function>
void for_each_triangle(const btConcaveShape & mesh, const Box & box, Function function)
{
  const btVector3 margin = btVector3(1, 1, 1) * mesh.getMargin();
  EachTriangle<Function> each(std::move(function));
  mesh.processAllTriangles(&each, box.low - margin, box.high + margin);
}

bool plane_overlap(
  const btCollisionShape & plane, const btTransform & t_plane, const btCollisionShape & other,
  const btTransform & t_other)
{
  const LocalPlane local(plane, t_plane, t_other);
  if (is_plane(other)) {
    const auto & second = static_cast<const btStaticPlaneShape &>(other);
    const bool opposite = local.n.dot(second.getPlaneNormal()) < -1.0 + 1e-12;
    return !opposite || -second.getPlaneConstant() < local.c;
  }
  if (other.isConvex()) {
    const btVector3 lowest =
      static_cast<const btConvexShape &>(other).localGetSupportingVertex(-local.n);
    return local.n.dot(lowest) < local.c;
  }
  const auto & mesh = static_cast<const btConcaveShape &>(other);
  bool found = false;
  for_each_triangle(mesh, box_of(mesh, btTransform::getIdentity()), [&](const btVector3 * corners) {
    for (int i = 0; i < 3; ++i) {
      found = found || local.n.dot(corners[i]) - mesh.getMargin() < local.c;
    }
  });
  return found;
}

bool mesh_overlap(
  const btConcaveShape & mesh, const btTransform & t_mesh, const btConvexShape & other,
  const btTransform & t_other)
{
  const btTransform t = t_mesh.inverseTimes(t_other);
  bool found = false;
  for_each_triangle(mesh, box_of(other, t), [&](const btVector3 * corners) {
    if (found) { return; }
    btTriangleShape triangle(corners[0], corners[1], corners[2]);
    triangle.setMargin(mesh.getMargin());
    found = convex_overlap(triangle, btTransform::getIdentity(), other, t);
  });
  return found;
}

bool meshes_overlap(
  const btConcaveShape & a, const btTransform & t_a, const btConcaveShape & b,
  const btTransform & t_b)
{
  const btTransform t = t_a.inverseTimes(t_b);
  bool found = false;
  for_each_triangle(a, box_of(b, t), [&](const btVector3 * corners) {
    if (found) { return; }
    btTriangleShape triangle(corners[0], corners[1], corners[2]);
    triangle.setMargin(a.getMargin());
    found = mesh_overlap(b, t, triangle, btTransform::getIdentity());
  });
  return found;
}

bool part_overlap(
  const btCollisionShape & a, const btTransform & t_a, const btCollisionShape & b,
  const btTransform & t_b)
{
  if (is_plane(a)) { return plane_overlap(a, t_a, b, t_b); }
  if (is_plane(b)) { return plane_overlap(b, t_b, a, t_a); }
  if (a.isConvex() && b.isConvex()) {
    return convex_overlap(
      static_cast<const btConvexShape &>(a), t_a, static_cast<const btConvexShape &>(b), t_b);
  }
  if (a.isConvex()) {
    return mesh_overlap(
      static_cast<const btConcaveShape &>(b), t_b, static_cast<const btConvexShape &>(a), t_a);
  }
  if (b.isConvex()) {
    return mesh_overlap(
      static_cast<const btConcaveShape &>(a), t_a, static_cast<const btConvexShape &>(b), t_b);
  }
  return meshes_overlap(
    static_cast<const btConcaveShape &>(a), t_a, static_cast<const btConcaveShape &>(b), t_b);
}

// Does the ray p + s d, s > 0, cross the triangle?
bool crosses(const btVector3 & p, const btVector3 & d, const btVector3 * corners)
{
  const btVector3 e1 = corners[1] - corners[0];
  const btVector3 e2 = corners[2] - corners[0];
  const btVector3 h = d.cross(e2);
  const double determinant = e1.dot(h);
  if (determinant == 0.0) { return false; }
  const btVector3 s = p - corners[0];
  const double u = s.dot(h) / determinant;
  const btVector3 q = s.cross(e1);
  const double v = d.dot(q) / determinant;
  return u >= 0.0 && v >= 0.0 && u + v <= 1.0 && e2.dot(q) / determinant > 0.0;
}

// A point of the shape, in its frame.
btVector3 any_point(const btCollisionShape & shape)
{
  if (shape.isConvex()) {
    return static_cast<const btConvexShape &>(shape).localGetSupportingVertexWithoutMargin(
      btVector3(1, 0, 0));
  }
  btVector3 point(0, 0, 0);
  bool found = false;
  const auto & mesh = static_cast<const btConcaveShape &>(shape);
  for_each_triangle(mesh, box_of(mesh, btTransform::getIdentity()), [&](const btVector3 * corners) {
    if (!found) { point = corners[0]; }
    found = true;
  });
  return point;
}

}  // namespace

bool overlap(
  const btCollisionShape & a, const btTransform & t_a, const btCollisionShape & b,
  const btTransform & t_b)
{
  for (int i = 0; i < parts(a); ++i) {
    btTransform t_i = t_a;
    const btCollisionShape & part_a = part(a, i, t_i);
    const Box box_a = box_of(part_a, t_i);
    for (int j = 0; j < parts(b); ++j) {
      btTransform t_j = t_b;
      const btCollisionShape & part_b = part(b, j, t_j);
      if (overlap(box_a, box_of(part_b, t_j)) && part_overlap(part_a, t_i, part_b, t_j)) {
        return true;
      }
    }
  }
  return false;
}

bool encloses(
  const btBvhTriangleMeshShape & mesh, const btTransform & t_mesh, const btCollisionShape & shape,
  const btTransform & t_shape)
{
  const Box bounds = box_of(mesh, btTransform::getIdentity());
  // Along no edge or face that a modeller would draw.
  const btVector3 direction = btVector3(0.8153, 0.4271, 0.3911).normalized();
  for (int i = 0; i < parts(shape); ++i) {
    btTransform t = t_mesh.inverseTimes(t_shape);
    const btCollisionShape & piece = part(shape, i, t);
    if (is_plane(piece)) { continue; }  // endless
    const btVector3 from = t * any_point(piece);
    if (!TestPointAgainstAabb2(bounds.low, bounds.high, from)) { continue; }
    const btVector3 to = from + direction * 2.0 * (bounds.high - bounds.low).length();
    int crossings = 0;
    const auto count = [&](const btVector3 * corners) {
      crossings += crosses(from, direction, corners);
    };
    EachTriangle<decltype(count)> each(count);
    const_cast<btBvhTriangleMeshShape &>(mesh).performRaycast(&each, from, to);
    if (crossings % 2 == 1) { return true; }
  }
  return false;
}

}  // namespace ambf_dynamics
