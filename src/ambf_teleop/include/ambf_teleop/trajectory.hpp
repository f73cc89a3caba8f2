// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ambf_teleop/frames.hpp"

namespace ambf_teleop
{

/// The test motion of dissertation eq. 3.10:
/// P = P_off + S [a sin(w t), b cos(w t), c sin(w t)].
struct TestTrajectory
{
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();            ///< P_off [m]
  Eigen::Vector3d amplitude = Eigen::Vector3d(1.0, 1.0, 2.0);  ///< a_p, b_p, c_p
  double angular_rate = 4.0;                                   ///< t_c [rad/s]
  double scale = 0.1;                                          ///< S [m]
};

Eigen::Vector3d trajectory_position(const TestTrajectory & trajectory, double time) noexcept;
Eigen::Vector3d trajectory_velocity(const TestTrajectory & trajectory, double time) noexcept;

}  // namespace ambf_teleop
