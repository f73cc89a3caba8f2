// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "bullet.hpp"

namespace ambf_dynamics
{

/// The same angle within -pi and pi.
inline double wrap_angle(double angle) { return std::remainder(angle, 2.0 * SIMD_PI); }

/// Rotation vector of the shortest turn from a to b, world axes.
inline btVector3 turn(const btMatrix3x3 & a, const btMatrix3x3 & b)
{
  btQuaternion q;
  (b * a.transpose()).getRotation(q);
  const btVector3 v(q.x(), q.y(), q.z());
  const double sine = v.length();
  if (sine < 1e-12) { return btVector3(0, 0, 0); }
  return v * (wrap_angle(2.0 * std::atan2(sine, q.w())) / sine);
}

}  // namespace ambf_dynamics
