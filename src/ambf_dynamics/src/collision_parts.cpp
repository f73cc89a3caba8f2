// SPDX-License-Identifier: BSD-3-Clause
#include "collision_parts.hpp"

#include <algorithm>
#include <cmath>

#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>

#include "gjk.hpp"

namespace ambf_dynamics
{
namespace
{

constexpr double infinite = std::numeric_limits<double>::infinity();

class Collect : public btTriangleCallback
{
public:
  void processTriangle(btVector3 * corners, int, int) override
  {
    triangles.push_back({corners[0], corners[1], corners[2]});
  }
  std::vector<TriangleTree::Triangle> triangles;
};

HalfBox bounds(const btCollisionShape & shape)
{
  btVector3 low;
  btVector3 high;
  shape.getAabb(btTransform::getIdentity(), low, high);
  return {(low + high) * 0.5, (high - low) * 0.5};
}

CollisionPart make_part(const btCollisionShape & shape, const btTransform & t_body_part)
{
  CollisionPart part;
  part.t_body_part = t_body_part;
  part.margin = shape.getMargin();
  if (shape.getShapeType() == STATIC_PLANE_PROXYTYPE) {
    const auto & plane = static_cast<const btStaticPlaneShape &>(shape);
    part.kind = CollisionPart::Kind::Plane;
    part.normal = plane.getPlaneNormal();
    part.offset = plane.getPlaneConstant();
    part.margin = 0.0;
    part.box.half = btVector3(1, 1, 1) * infinite;
    return part;
  }
  part.box = bounds(shape);
  if (shape.isConcave()) {
    Collect collect;
    const btVector3 all(BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT);
    static_cast<const btConcaveShape &>(shape).processAllTriangles(&collect, -all, all);
    part.kind = CollisionPart::Kind::Triangles;
    part.tree = std::make_shared<TriangleTree>(std::move(collect.triangles));
    return part;
  }
  part.core = static_cast<const btConvexShape *>(&shape);
  if (shape.getShapeType() == BOX_SHAPE_PROXYTYPE) {
    const auto & box = static_cast<const btBoxShape &>(shape);
    auto sharp = std::make_shared<btBoxShape>(box.getHalfExtentsWithMargin());
    sharp->setMargin(0.0);
    part.sharp = std::move(sharp);
  }
  return part;
}

/// Keeps the nearer of the two; `margins` are around what was measured.
void keep(
  double core_distance, const btVector3 & on_a, const btVector3 & on_b, const btVector3 & normal,
  double margin_a, double margin_b, Gap & best)
{
  const double distance = core_distance - margin_a - margin_b;
  if (!(distance < best.distance)) { return; }
  best = {distance, on_a - normal * margin_a, on_b + normal * margin_b, normal};
}

/// Shapes without their margins, then the margins around them: exact, because a distance to a convex shape
/// and a depth in one both change by as much as the shape grows.
void convex_gap(
  const btConvexShape & a, const btTransform & t_a, double margin_a, const btConvexShape & b,
  const btTransform & t_b, double margin_b, double enough, Gap & best)
{
  const double margins = margin_a + margin_b;
  const CoreDistance cores =
    core_distance(a, t_a, b, t_b, best.distance + margins, enough + margins);
  if (cores.kind == CoreDistance::Kind::Far) { return; }
  if (cores.kind == CoreDistance::Kind::Apart) {
    const btVector3 normal = (cores.on_a - cores.on_b) / cores.distance;
    keep(cores.distance, cores.on_a, cores.on_b, normal, margin_a, margin_b, best);
    return;
  }
  btVector3 way = t_a.getOrigin() - t_b.getOrigin();
  way = way.fuzzyZero() ? btVector3(1, 0, 0) : way.normalized();
  btGjkEpaSolver2::sResults results;
  const bool any_depth_will_do = -margins < enough;
  if (!any_depth_will_do && btGjkEpaSolver2::Penetration(&a, t_a, &b, t_b, way, results, false)) {
    // Bullet gives the points in the world and the normal in the frame of the first shape.
    keep(
      results.distance, results.witnesses[0], results.witnesses[1], t_a.getBasis() * results.normal,
      margin_a, margin_b, best);
    return;
  }
  // The bare shapes just touch, are flat and in one plane, or nobody asks how deep they are.
  constexpr double least_depth = 1e-12;
  keep(-least_depth, t_a.getOrigin(), t_a.getOrigin(), way, margin_a, margin_b, best);
}

void convex_gap(
  const CollisionPart & a, const btTransform & t_a, const CollisionPart & b,
  const btTransform & t_b, double enough, Gap & best)
{
  if (a.sharp && b.sharp) {
    convex_gap(*a.sharp, t_a, 0.0, *b.sharp, t_b, 0.0, enough, best);
  } else {
    convex_gap(*a.core, t_a, a.margin, *b.core, t_b, b.margin, enough, best);
  }
}

void swap_sides(Gap & gap)
{
  std::swap(gap.point_a, gap.point_b);
  gap.normal = -gap.normal;
}

/// `a` is the plane: everything on the side against its normal is inside.
void plane_gap(
  const CollisionPart & a, const btTransform & t_a, const CollisionPart & b,
  const btTransform & t_b, Gap & best)
{
  const btTransform t = t_b.inverseTimes(t_a);
  const btVector3 n = t.getBasis() * a.normal;
  const double c = a.offset + n.dot(t.getOrigin());
  btVector3 lowest;
  double margin = 0.0;
  if (b.kind == CollisionPart::Kind::Convex) {
    lowest = b.core->localGetSupportingVertex(-n);
  } else {
    double least = infinite;
    for (const auto & triangle : b.tree->triangles()) {
      for (const btVector3 & corner : triangle) {
        if (n.dot(corner) < least) {
          least = n.dot(corner);
          lowest = corner;
        }
      }
    }
    if (least == infinite) { return; }
    margin = b.margin;
  }
  const double distance = n.dot(lowest) - c;
  const btVector3 on_b = t_b * lowest;
  const btVector3 normal = t_b.getBasis() * -n;  // from b to a
  keep(distance, on_b + normal * distance, on_b, normal, 0.0, margin, best);
}

/// How far a triangle's box may be from the other's for the triangle to matter.
double limit_of(const Gap & best, double enough, double margins)
{
  if (best.distance < enough) { return -1.0; }
  return std::max(best.distance + margins, 0.0);
}

void triangles_gap(
  const CollisionPart & mesh, const btTransform & t_mesh, const CollisionPart & other,
  const btTransform & t_other, double enough, Gap & best)
{
  const btTransform t = t_mesh.inverseTimes(t_other);
  // Bullet's ball meets triangles without their margin.
  const bool ball = other.core && other.core->getShapeType() == SPHERE_SHAPE_PROXYTYPE;
  const double mesh_margin = ball ? 0.0 : mesh.margin;
  const double margins = mesh_margin + other.margin;
  const auto triangle_shape = [](const TriangleTree::Triangle & corners) {
    btTriangleShape shape(corners[0], corners[1], corners[2]);
    shape.setMargin(0.0);
    return shape;
  };
  // Measured in the mesh's frame, and only what is nearer is moved to the world's.
  const HalfBox box = moved(other.box, t);
  Gap local;
  local.distance = best.distance;
  mesh.tree->visit(box, limit_of(local, enough, margins), [&](const auto & corners) {
    const btTriangleShape triangle = triangle_shape(corners);
    if (other.kind == CollisionPart::Kind::Convex) {
      convex_gap(
        triangle, btTransform::getIdentity(), mesh_margin, *other.core, t, other.margin, enough,
        local);
      return limit_of(local, enough, margins);
    }
    btVector3 low;
    btVector3 high;
    triangle.getAabb(t.inverse(), low, high);
    const HalfBox around{(low + high) * 0.5, (high - low) * 0.5};
    other.tree->visit(around, limit_of(local, enough, margins), [&](const auto & others) {
      convex_gap(
        triangle, btTransform::getIdentity(), mesh_margin, triangle_shape(others), t, other.margin,
        enough, local);
      return limit_of(local, enough, margins);
    });
    return limit_of(local, enough, margins);
  });
  if (!(local.distance < best.distance)) { return; }
  best = {
    local.distance, t_mesh * local.point_a, t_mesh * local.point_b,
    t_mesh.getBasis() * local.normal};
}

}  // namespace

std::shared_ptr<const CollisionParts> make_parts(
  std::shared_ptr<BuiltShape> shape, const btTransform & t_body_inertial)
{
  auto out = std::make_shared<CollisionParts>();
  if (!shape->empty) {
    if (shape->root->isCompound()) {
      const auto & compound = static_cast<const btCompoundShape &>(*shape->root);
      for (int i = 0; i < compound.getNumChildShapes(); ++i) {
        out->parts.push_back(
          make_part(*compound.getChildShape(i), t_body_inertial * compound.getChildTransform(i)));
      }
    } else {
      out->parts.push_back(make_part(*shape->root, t_body_inertial));
    }
  }
  out->owner = std::move(shape);
  btVector3 low = btVector3(1, 1, 1) * infinite;
  btVector3 high = -low;
  for (const CollisionPart & part : out->parts) {
    if (part.kind == CollisionPart::Kind::Plane) {
      out->box.half = btVector3(1, 1, 1) * infinite;
      out->ball_radius = infinite;
      return out;
    }
    const HalfBox box = moved(part.box, part.t_body_part);
    low.setMin(box.low());
    high.setMax(box.high());
  }
  if (out->parts.empty()) { return out; }
  out->box = {(low + high) * 0.5, (high - low) * 0.5};
  out->ball_centre = out->box.centre;
  for (const CollisionPart & part : out->parts) {
    const btVector3 centre = part.t_body_part * part.box.centre;
    out->ball_radius =
      std::max(out->ball_radius, (centre - out->ball_centre).length() + part.box.half.length());
  }
  return out;
}

void bring_nearer(
  const CollisionPart & a, const btTransform & t_world_a, const CollisionPart & b,
  const btTransform & t_world_b, double enough, Gap & best)
{
  using Kind = CollisionPart::Kind;
  if (a.kind == Kind::Convex && b.kind == Kind::Convex) {
    convex_gap(a, t_world_a, b, t_world_b, enough, best);
    return;
  }
  if (a.kind == Kind::Plane && b.kind == Kind::Plane) { return; }  // both are of bodies that stand
  const bool swapped = b.kind == Kind::Plane || (a.kind == Kind::Convex);
  Gap gap;
  gap.distance = best.distance;
  const auto & first = swapped ? b : a;
  const auto & second = swapped ? a : b;
  const auto & t_first = swapped ? t_world_b : t_world_a;
  const auto & t_second = swapped ? t_world_a : t_world_b;
  if (first.kind == Kind::Plane) {
    plane_gap(first, t_first, second, t_second, gap);
  } else {
    triangles_gap(first, t_first, second, t_second, enough, gap);
  }
  if (!(gap.distance < best.distance)) { return; }
  if (swapped) { swap_sides(gap); }
  best = gap;
}

}  // namespace ambf_dynamics
