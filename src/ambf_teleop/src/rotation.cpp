// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/rotation.hpp"

#include <cmath>
#include <numbers>

namespace ambf_teleop
{

Eigen::Vector3d rotation_vector(const Eigen::Quaterniond & rotation) noexcept
{
  const double sign = rotation.w() < 0.0 ? -1.0 : 1.0;
  const double w = sign * rotation.w();
  const Eigen::Vector3d v = sign * rotation.vec();
  const double s = v.norm();
  // 2 atan2(s, w) / s tends to 2 / w; below 1e-8 the next term, s^2 / 3, is under one rounding.
  const double factor = s < 1e-8 ? 2.0 / w : 2.0 * std::atan2(s, w) / s;
  return factor * v;
}

Eigen::Quaterniond from_rotation_vector(const Eigen::Vector3d & vector) noexcept
{
  const double half = 0.5 * vector.norm();
  const double factor = half < 1e-8 ? 0.5 : 0.5 * std::sin(half) / half;
  const Eigen::Vector3d v = factor * vector;
  return Eigen::Quaterniond(std::cos(half), v.x(), v.y(), v.z()).normalized();
}

Eigen::Quaterniond shortened(const Eigen::Quaterniond & rotation, double angle) noexcept
{
  const Eigen::Vector3d vector = rotation_vector(rotation);
  const double length = vector.norm();
  if (length <= angle) { return Eigen::Quaterniond::Identity(); }
  return from_rotation_vector((1.0 - angle / length) * vector);
}

Eigen::Vector3d rotation_vector_change(
  const Eigen::Vector3d & current, const Eigen::Vector3d & previous) noexcept
{
  const Eigen::Vector3d direct = current - previous;
  const double length = previous.norm();
  if (length < 0.5 * std::numbers::pi) { return direct; }
  const Eigen::Vector3d other_way = current - (1.0 - 2.0 * std::numbers::pi / length) * previous;
  return other_way.squaredNorm() < direct.squaredNorm() ? other_way : direct;
}

double angle_between(const Eigen::Quaterniond & a, const Eigen::Quaterniond & b) noexcept
{
  return rotation_vector(a.conjugate() * b).norm();
}

}  // namespace ambf_teleop
