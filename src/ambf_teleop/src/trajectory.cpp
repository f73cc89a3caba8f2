// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/trajectory.hpp"

#include <cmath>

namespace ambf_teleop
{

Eigen::Vector3d trajectory_position(const TestTrajectory & trajectory, double time) noexcept
{
  const double phase = trajectory.angular_rate * time;
  const Eigen::Vector3d wave(std::sin(phase), std::cos(phase), std::sin(phase));
  return trajectory.offset + trajectory.scale * trajectory.amplitude.cwiseProduct(wave);
}

Eigen::Vector3d trajectory_velocity(const TestTrajectory & trajectory, double time) noexcept
{
  const double phase = trajectory.angular_rate * time;
  const Eigen::Vector3d wave(std::cos(phase), -std::sin(phase), std::cos(phase));
  return trajectory.scale * trajectory.angular_rate * trajectory.amplitude.cwiseProduct(wave);
}

}  // namespace ambf_teleop
