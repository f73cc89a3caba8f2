// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "bullet.hpp"

namespace ambf_dynamics
{

/// Something that rays can hit, with its exact box. Boxes of the broadphase are those of the last
/// collision pass and depend on history; these are a function of the poses.
struct RayTarget
{
  const btCollisionObject * object = nullptr;
  btVector3 low;
  btVector3 high;
};

/// Rays that are cast together: every target is visited once and tried with all rays. Keeps the
/// nearest hit of each ray. A ray that starts inside a convex shape does not hit it.
class RayBatch
{
public:
  void resize(std::size_t count);
  std::size_t size() const { return rays_.size(); }
  void set(std::size_t i, const btVector3 & from, const btVector3 & to);
  /// Call after `set` and before `cast`: forgets hits and finds the bounds of all rays.
  void begin();
  void cast(const RayTarget & target, int number);
  /// A single triangle, seen from both sides.
  void cast_triangle(const btVector3 & a, const btVector3 & b, const btVector3 & c, int number);

  bool may_hit(const btVector3 & low, const btVector3 & high) const
  {
    return TestAabbAgainstAabb2(low_, high_, low, high);
  }
  const btVector3 & from(std::size_t i) const { return rays_[i].from; }
  btVector3 to(std::size_t i) const { return rays_[i].from + rays_[i].along; }
  btVector3 along(std::size_t i) const { return rays_[i].along; }
  /// 0..1 along the ray; 1 where nothing was hit.
  double fraction(std::size_t i) const { return rays_[i].fraction; }
  /// Number of the target; -1 = nothing.
  int hit(std::size_t i) const { return rays_[i].hit; }

private:
  struct Ray
  {
    btVector3 from;
    btVector3 along;
    btVector3 inverse;  // 1 / along, per component
    double fraction;
    int hit;
  };
  void offer(std::size_t i, double fraction, int number);
  void cast_shape(
    const btCollisionObject & object, const btCollisionShape & shape,
    const btTransform & t_world_shape, const btVector3 & low, const btVector3 & high, int number);
  void cast_by_bullet(
    Ray & ray, const btCollisionObject & object, const btCollisionShape & shape,
    const btTransform & t_world_shape, int number) const;

  std::vector<Ray> rays_;
  btVector3 low_;
  btVector3 high_;
};

}  // namespace ambf_dynamics
