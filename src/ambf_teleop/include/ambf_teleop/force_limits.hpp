// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ambf_teleop/frames.hpp"

namespace ambf_teleop
{

/// What a device may be asked to give, whatever the law says.
struct ForceLimits
{
  double dead_band = 0.0;          ///< [N] below it no force
  double dead_band_torque = 0.0;   ///< [N m]
  double max_force = 10.0;         ///< [N] (printed "Nm" in the dissertation's Fig. 3.8)
  double max_torque = 0.5;         ///< [N m]
  double max_force_rate = 1000.0;  ///< [N/s]
  double max_torque_rate = 50.0;   ///< [N m/s]
};

/// Nothing below `width`, |v| - width above it, direction kept: no step at the edge.
Eigen::Vector3d dead_band(const Eigen::Vector3d & v, double width) noexcept;

/// Length at most `limit`, direction kept.
Eigen::Vector3d saturated(const Eigen::Vector3d & v, double limit) noexcept;

/// From `last` towards `wanted`, at most `largest_change` far.
Eigen::Vector3d slewed(
  const Eigen::Vector3d & wanted, const Eigen::Vector3d & last, double largest_change) noexcept;

/// Dead band, saturation, slew limit, in this order. A wrench that is not finite counts as zero.
/// The result never exceeds the maxima, provided that `last` did not.
Wrench limited(
  const ForceLimits & limits, const Wrench & wanted, const Wrench & last, double dt) noexcept;

/// Factor for a force whose proxy state is `age` seconds old: 1 up to `fade_from`, linear to 0 at
/// `timeout`, 0 from there on and for an age that is not a number.
double freshness(double age, double fade_from, double timeout) noexcept;

}  // namespace ambf_teleop
