// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/guidance.hpp"

#include <algorithm>
#include <cmath>

#include "ambf_teleop/rotation.hpp"

namespace ambf_teleop
{
namespace
{

using Eigen::Vector3d;

bool has_spring(GuidanceMode mode) noexcept
{
  return mode != GuidanceMode::None && mode != GuidanceMode::Wrench;
}

/// From where the spring rests to the hand.
Vector3d linear_error(const Guidance & g, const Pose & T_handle) noexcept
{
  const Vector3d away = T_handle.position - g.pose.position;
  const Vector3d along = away.dot(g.direction) * g.direction;
  switch (g.mode) {
    case GuidanceMode::SetPoint:
      return away;
    case GuidanceMode::Line:
      return away - along;
    case GuidanceMode::Plane:
      return along;
    case GuidanceMode::Wall:
      return away.dot(g.direction) < 0.0 ? along : Vector3d::Zero();
    case GuidanceMode::None:
    case GuidanceMode::Wrench:
      break;
  }
  return Vector3d::Zero();
}

Vector3d angular_error(const Guidance & g, const Pose & T_handle) noexcept
{
  return rotation_vector(T_handle.orientation * g.pose.orientation.conjugate());
}

}  // namespace

bool is_valid(const Guidance & g) noexcept
{
  constexpr double unit_tolerance = 1e-3;
  const auto unit = [](double length) { return std::abs(length - 1.0) < unit_tolerance; };
  const auto gain = [](double value) { return std::isfinite(value) && value >= 0.0; };
  return is_finite(g.wrench) && is_finite(g.pose) && unit(g.pose.orientation.norm()) &&
         g.direction.allFinite() && unit(g.direction.norm()) && gain(g.linear_stiffness) &&
         gain(g.linear_damping) && gain(g.angular_stiffness) && gain(g.angular_damping);
}

Wrench guidance_wrench(
  const Guidance & g, const Pose & T_handle, const Pose & T_handle_before, double dt) noexcept
{
  if (g.mode == GuidanceMode::Wrench) { return g.wrench; }
  if (!has_spring(g.mode)) { return {}; }
  const Vector3d linear = linear_error(g, T_handle);
  const Vector3d angular = angular_error(g, T_handle);
  Wrench wrench{-g.linear_stiffness * linear, -g.angular_stiffness * angular};
  if (dt > 0.0) {
    wrench.force -= (g.linear_damping / dt) * (linear - linear_error(g, T_handle_before));
    wrench.torque -=
      (g.angular_damping / dt) * rotation_vector_change(angular, angular_error(g, T_handle_before));
  }
  if (g.mode == GuidanceMode::Wall) {
    const bool behind = !linear.isZero(0.0);
    wrench.force = behind ? Vector3d(std::max(0.0, wrench.force.dot(g.direction)) * g.direction)
                          : Vector3d::Zero();
  }
  return wrench;
}

double guidance_energy(const Guidance & g, const Pose & T_handle) noexcept
{
  return 0.5 * g.linear_stiffness * linear_error(g, T_handle).squaredNorm();
}

double guidance_angular_energy(const Guidance & g, const Pose & T_handle) noexcept
{
  if (!has_spring(g.mode)) { return 0.0; }
  return 0.5 * g.angular_stiffness * angular_error(g, T_handle).squaredNorm();
}

Guidance moved(const Pose & T_a_b, const Guidance & in_b) noexcept
{
  const Eigen::Quaterniond & R = T_a_b.orientation;
  Guidance in_a = in_b;
  in_a.wrench = {R * in_b.wrench.force, R * in_b.wrench.torque};
  in_a.pose = T_a_b * in_b.pose;
  in_a.direction = R * in_b.direction;
  return in_a;
}

}  // namespace ambf_teleop
