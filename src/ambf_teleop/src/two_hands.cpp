// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/two_hands.hpp"

#include <cmath>

namespace ambf_teleop
{
namespace
{

constexpr double shortest = 0.02;  // of the line between the hands, as the picture shows it [m]

}  // namespace

Pose TwoHandedDrag::update(
  const Pose & T_user_left, const Pose & T_user_right,
  const Eigen::Vector3d & out_of_picture) noexcept
{
  const Eigen::Vector3d line = T_user_right.position - T_user_left.position;
  const Eigen::Vector3d seen = line - line.dot(out_of_picture) * out_of_picture;
  if (seen.norm() >= shortest) {
    if (!started_) { across_ = seen; }
    started_ = true;
    roll_ = std::atan2(across_.cross(seen).dot(out_of_picture), across_.dot(seen));
  }
  return {
    -0.5 * (T_user_left.position + T_user_right.position),
    Eigen::Quaterniond(Eigen::AngleAxisd(-roll_, out_of_picture))};
}

Eigen::Vector3d distance_spring(
  const Eigen::Vector3d & left, const Eigen::Vector3d & right, double rest_length,
  double stiffness) noexcept
{
  const Eigen::Vector3d line = right - left;
  const double length = line.norm();
  if (length < shortest) { return Eigen::Vector3d::Zero(); }
  return stiffness * (rest_length - length) / length * line;
}

}  // namespace ambf_teleop
