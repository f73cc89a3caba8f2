// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/force_limits.hpp"

namespace ambf_teleop
{

Eigen::Vector3d dead_band(const Eigen::Vector3d & v, double width) noexcept
{
  const double length = v.norm();
  if (!(length > width)) { return Eigen::Vector3d::Zero(); }
  return width > 0.0 ? Eigen::Vector3d((1.0 - width / length) * v) : v;
}

Eigen::Vector3d saturated(const Eigen::Vector3d & v, double limit) noexcept
{
  const double length = v.norm();
  return length > limit ? Eigen::Vector3d((limit / length) * v) : v;
}

Eigen::Vector3d slewed(
  const Eigen::Vector3d & wanted, const Eigen::Vector3d & last, double largest_change) noexcept
{
  return last + saturated(wanted - last, largest_change);
}

Wrench limited(
  const ForceLimits & limits, const Wrench & wanted, const Wrench & last, double dt) noexcept
{
  const Wrench finite = is_finite(wanted) ? wanted : Wrench{};
  const double period = dt > 0.0 ? dt : 0.0;
  // Both ends of the slew lie in the ball of the maximum, so does the way between them.
  return {
    slewed(
      saturated(dead_band(finite.force, limits.dead_band), limits.max_force), last.force,
      limits.max_force_rate * period),
    slewed(
      saturated(dead_band(finite.torque, limits.dead_band_torque), limits.max_torque), last.torque,
      limits.max_torque_rate * period)};
}

double freshness(double age, double fade_from, double timeout) noexcept
{
  if (!(age < timeout)) { return 0.0; }
  return age <= fade_from ? 1.0 : (timeout - age) / (timeout - fade_from);
}

}  // namespace ambf_teleop
