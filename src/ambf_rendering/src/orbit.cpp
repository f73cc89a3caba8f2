// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_rendering/orbit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ambf_rendering
{

using Eigen::AngleAxisd;
using Eigen::Vector3d;

void pan(Orbit & orbit, double dx, double dy)
{
  orbit.pose.translation() +=
    orbit.distance * (-dx * orbit.pose.linear().col(1) + dy * orbit.pose.linear().col(2));
}

void turn(Orbit & orbit, double dx, double dy)
{
  constexpr double limit = 0.05;  // [rad] from straight up and down
  const Vector3d target = orbit.target();
  const double up = std::acos(std::clamp(orbit.pose.linear()(2, 0), -1.0, 1.0));
  const double tilt = std::clamp(up - dy, limit, std::numbers::pi - limit) - up;
  const Eigen::Matrix3d turned = AngleAxisd(-dx, Vector3d::UnitZ()).toRotationMatrix() *
                                 orbit.pose.linear() *
                                 AngleAxisd(tilt, Vector3d::UnitY()).toRotationMatrix();
  orbit.pose.linear() = Eigen::Quaterniond(turned).normalized().toRotationMatrix();
  orbit.pose.translation() = target + orbit.distance * orbit.pose.linear().col(0);
}

void zoom(Orbit & orbit, double amount)
{
  const Vector3d target = orbit.target();
  orbit.distance = std::max(orbit.distance * std::exp(-amount), 0.02);
  orbit.pose.translation() = target + orbit.distance * orbit.pose.linear().col(0);
}

void frame(Orbit & orbit, const Vector3d & centre, double radius, double field_view_angle)
{
  orbit.distance = radius / std::sin(0.5 * std::clamp(field_view_angle, 0.1, 2.5));
  orbit.pose.translation() = centre + orbit.distance * orbit.pose.linear().col(0);
}

}  // namespace ambf_rendering
