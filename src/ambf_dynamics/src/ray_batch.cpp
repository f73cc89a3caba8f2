// SPDX-License-Identifier: BSD-3-Clause
#include "ray_batch.hpp"

#include <algorithm>
#include <cmath>

namespace ambf_dynamics
{
namespace
{

// Reciprocal that keeps slab tests free of 0 * infinity.
double reciprocal(double v)
{
  constexpr double largest = 1e200;
  return std::abs(v) > 1.0 / largest ? 1.0 / v : std::copysign(largest, v);
}

btVector3 reciprocal(const btVector3 & v)
{
  return {reciprocal(v.x()), reciprocal(v.y()), reciprocal(v.z())};
}

// Where a line enters and leaves a box, in multiples of its direction.
struct Passage
{
  double enter;
  double leave;
};

Passage through(
  const btVector3 & from, const btVector3 & inverse, const btVector3 & low, const btVector3 & high)
{
  Passage p{-SIMD_INFINITY, SIMD_INFINITY};
  for (int k = 0; k < 3; ++k) {
    const double a = (low[k] - from[k]) * inverse[k];
    const double b = (high[k] - from[k]) * inverse[k];
    p.enter = std::max(p.enter, std::min(a, b));
    p.leave = std::min(p.leave, std::max(a, b));
  }
  return p;
}

// Fraction at which a ray enters a ball at the origin; 2 = never.
double enter_ball(const btVector3 & from, const btVector3 & along, double radius)
{
  const double a = along.length2();
  const double b = from.dot(along);
  const double c = from.length2() - radius * radius;
  const double d = b * b - a * c;
  if (a <= 0.0 || c < 0.0 || d < 0.0) { return 2.0; }
  const double t = (-b - std::sqrt(d)) / a;
  return t >= 0.0 ? t : 2.0;
}

// As enter_ball, for a ball swept along an axis from -half to half. Bullet's own cast misses round
// shapes with a margin by millimetres.
double enter_capsule(
  const btVector3 & from, const btVector3 & along, int axis, double half, double radius)
{
  btVector3 nearest(0, 0, 0);
  nearest[axis] = std::clamp(from[axis], -half, half);
  if ((from - nearest).length2() < radius * radius) { return 2.0; }
  btVector3 end(0, 0, 0);
  end[axis] = half;
  const double t =
    std::min(enter_ball(from - end, along, radius), enter_ball(from + end, along, radius));
  btVector3 from_flat = from;
  btVector3 along_flat = along;
  from_flat[axis] = along_flat[axis] = 0.0;
  const double side = enter_ball(from_flat, along_flat, radius);
  const bool between = side <= 1.0 && std::abs(from[axis] + side * along[axis]) <= half;
  return between ? std::min(t, side) : t;
}

// Nearest hit of Bullet's own ray test.
struct Nearest : btCollisionWorld::RayResultCallback
{
  btScalar addSingleResult(btCollisionWorld::LocalRayResult & result, bool) override
  {
    m_closestHitFraction = result.m_hitFraction;
    m_collisionObject = result.m_collisionObject;
    return m_closestHitFraction;
  }
};

}  // namespace

void RayBatch::resize(std::size_t count) { rays_.resize(count); }

void RayBatch::set(std::size_t i, const btVector3 & from, const btVector3 & to)
{
  rays_[i].from = from;
  rays_[i].along = to - from;
}

void RayBatch::begin()
{
  low_.setValue(SIMD_INFINITY, SIMD_INFINITY, SIMD_INFINITY);
  high_ = -low_;
  for (Ray & ray : rays_) {
    ray.inverse = reciprocal(ray.along);
    ray.fraction = 1.0;
    ray.hit = -1;
    const btVector3 to = ray.from + ray.along;
    low_.setMin(ray.from);
    low_.setMin(to);
    high_.setMax(ray.from);
    high_.setMax(to);
  }
}

void RayBatch::offer(std::size_t i, double fraction, int number)
{
  if (fraction < rays_[i].fraction) {
    rays_[i].fraction = fraction;
    rays_[i].hit = number;
  }
}

void RayBatch::cast_triangle(
  const btVector3 & a, const btVector3 & b, const btVector3 & c, int number)
{
  btVector3 low = a;
  btVector3 high = a;
  for (const btVector3 * v : {&b, &c}) {
    low.setMin(*v);
    high.setMax(*v);
  }
  if (!may_hit(low, high)) { return; }
  const btVector3 ab = b - a;
  const btVector3 ac = c - a;
  for (std::size_t i = 0; i < rays_.size(); ++i) {
    // from + t along = a + u ab + v ac, by Cramer's rule.
    const btVector3 p = rays_[i].along.cross(ac);
    const double determinant = ab.dot(p);
    if (determinant == 0.0) { continue; }
    const btVector3 s = (rays_[i].from - a) / determinant;
    const btVector3 q = s.cross(ab);
    const double u = s.dot(p);
    const double v = rays_[i].along.dot(q);
    const double t = ac.dot(q);
    if (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0) { offer(i, t, number); }
  }
}

void RayBatch::cast(const RayTarget & target, int number)
{
  if (!may_hit(target.low, target.high)) { return; }
  cast_shape(
    *target.object, *target.object->getCollisionShape(), target.object->getWorldTransform(),
    target.low, target.high, number);
}

void RayBatch::cast_shape(
  const btCollisionObject & object, const btCollisionShape & shape,
  const btTransform & t_world_shape, const btVector3 & low, const btVector3 & high, int number)
{
  if (shape.isCompound()) {
    const auto & compound = static_cast<const btCompoundShape &>(shape);
    for (int k = 0; k < compound.getNumChildShapes(); ++k) {
      const btTransform t = t_world_shape * compound.getChildTransform(k);
      btVector3 child_low;
      btVector3 child_high;
      compound.getChildShape(k)->getAabb(t, child_low, child_high);
      if (may_hit(child_low, child_high)) {
        cast_shape(object, *compound.getChildShape(k), t, child_low, child_high, number);
      }
    }
    return;
  }
  const btMatrix3x3 r_shape_world = t_world_shape.getBasis().transpose();
  const int type = shape.getShapeType();
  btVector3 half;
  double radius = 0.0;
  if (type == BOX_SHAPE_PROXYTYPE) {
    half = static_cast<const btBoxShape &>(shape).getHalfExtentsWithMargin();
  } else if (type == SPHERE_SHAPE_PROXYTYPE) {
    radius = static_cast<const btSphereShape &>(shape).getRadius();
  }
  for (std::size_t i = 0; i < rays_.size(); ++i) {
    Ray & ray = rays_[i];
    const Passage box = through(ray.from, ray.inverse, low, high);
    if (box.enter > box.leave || box.leave < 0.0 || box.enter > ray.fraction) { continue; }
    if (type == BOX_SHAPE_PROXYTYPE) {
      const btVector3 from = r_shape_world * (ray.from - t_world_shape.getOrigin());
      const Passage p = through(from, reciprocal(r_shape_world * ray.along), -half, half);
      if (p.enter <= p.leave && p.enter >= 0.0) { offer(i, p.enter, number); }
    } else if (type == SPHERE_SHAPE_PROXYTYPE) {
      offer(i, enter_ball(ray.from - t_world_shape.getOrigin(), ray.along, radius), number);
    } else if (type == CAPSULE_SHAPE_PROXYTYPE) {
      const auto & capsule = static_cast<const btCapsuleShape &>(shape);
      const btVector3 from = r_shape_world * (ray.from - t_world_shape.getOrigin());
      offer(
        i,
        enter_capsule(
          from, r_shape_world * ray.along, capsule.getUpAxis(), capsule.getHalfHeight(),
          capsule.getRadius()),
        number);
    } else {
      cast_by_bullet(ray, object, shape, t_world_shape, number);
    }
  }
}

void RayBatch::cast_by_bullet(
  Ray & ray, const btCollisionObject & object, const btCollisionShape & shape,
  const btTransform & t_world_shape, int number) const
{
  const btTransform from(btMatrix3x3::getIdentity(), ray.from);
  const btTransform to(btMatrix3x3::getIdentity(), ray.from + ray.along);
  const btCollisionObjectWrapper wrap(nullptr, &shape, &object, t_world_shape, -1, -1);
  Nearest nearest;
  nearest.m_closestHitFraction = ray.fraction;
  btCollisionWorld::rayTestSingleInternal(from, to, &wrap, nearest);
  if (nearest.hasHit() && nearest.m_closestHitFraction < ray.fraction) {
    ray.fraction = nearest.m_closestHitFraction;
    ray.hit = number;
  }
}

}  // namespace ambf_dynamics
