// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bullet.hpp"

namespace ambf_dynamics
{

/// What is between two convex shapes without their margins.
struct CoreDistance
{
  enum class Kind
  {
    Apart,    ///< the distance is within 0.1 micrometre, or below `enough` where that was asked for
    Far,      ///< farther than the limit
    Overlap,  ///< nothing is between them
  };
  Kind kind = Kind::Far;
  double distance = 0.0;
  btVector3 on_a{0, 0, 0};
  btVector3 on_b{0, 0, 0};
};

/// Gilbert, Johnson and Keerthi's algorithm with a bound from below, so that it ends when distance and bound
/// meet, or as soon as one of them answers the question. Bullet's own ends where it makes no progress, which
/// in four of a thousand random placements of a cone and a box is up to 1.3 mm too far out.
CoreDistance core_distance(
  const btConvexShape & a, const btTransform & t_a, const btConvexShape & b,
  const btTransform & t_b, double limit, double enough);

}  // namespace ambf_dynamics
