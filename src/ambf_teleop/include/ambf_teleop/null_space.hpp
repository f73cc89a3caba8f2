// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

namespace ambf_teleop
{

/// Wrist joints 4 to 7 of a dVRK master [rad].
using WristAngles = Eigen::Vector4d;

struct NullSpaceGains
{
  double stiffness = 0.0;   ///< K_p [N m/rad]
  double damping = 0.0;     ///< K_d [N m s/rad]
  double max_torque = 0.2;  ///< [N m]
};

/// Angle between the tip's roll axis and the plane fixed to the wrist platform [rad]: dissertation
/// eq. 7.1, evaluated with its matrices.
double platform_error_from_matrices(const WristAngles & joints) noexcept;

/// The same in closed form: asin(sin(joint 6)).
double platform_error(const WristAngles & joints) noexcept;

/// Torque on joint 4 that turns the platform so that the wrist keeps away from its singularity; to
/// be added to the Cartesian controller's. Zero if an input is not finite.
double platform_torque(
  const NullSpaceGains & gains, const WristAngles & joints, double platform_velocity) noexcept;

}  // namespace ambf_teleop
