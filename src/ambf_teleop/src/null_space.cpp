// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/null_space.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

namespace ambf_teleop
{
namespace
{

Eigen::Matrix3d about(const Eigen::Vector3d & axis, double angle) noexcept
{
  return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}

}  // namespace

double platform_error_from_matrices(const WristAngles & joints) noexcept
{
  constexpr double quarter = 0.5 * std::numbers::pi;
  const Eigen::Vector3d x = Eigen::Vector3d::UnitX();
  const Eigen::Vector3d y = Eigen::Vector3d::UnitY();
  const Eigen::Vector3d z = Eigen::Vector3d::UnitZ();
  const Eigen::Matrix3d R_platform = about(z, joints[0]);
  const Eigen::Matrix3d R_tip = R_platform * about(y, -quarter) * about(z, joints[1]) *
                                about(y, quarter) * about(z, joints[2]) * about(x, quarter) *
                                about(z, joints[3]);
  const double cosine = (R_tip * z).dot(R_platform * x);
  return quarter - std::acos(std::clamp(cosine, -1.0, 1.0));
}

double platform_error(const WristAngles & joints) noexcept
{
  return std::asin(std::sin(joints[2]));
}

double platform_torque(
  const NullSpaceGains & gains, const WristAngles & joints, double platform_velocity) noexcept
{
  const double torque =
    gains.stiffness * platform_error(joints) - gains.damping * platform_velocity;
  return std::isfinite(torque) ? std::clamp(torque, -gains.max_torque, gains.max_torque) : 0.0;
}

}  // namespace ambf_teleop
