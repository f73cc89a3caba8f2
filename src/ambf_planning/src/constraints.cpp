// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_planning/constraints.hpp"

#include <cmath>
#include <cstdio>

#include <Eigen/Cholesky>

#include "ambf_arms/pose.hpp"

namespace ambf_planning
{
namespace
{

/// Lengths count as angles at this distance [m].
constexpr double length = 0.1;
/// A projection ends well within the tolerances, so that rounding and the way to the next posture are too.
constexpr double share_of_tolerance = 0.5;

Eigen::Vector3d off_centre(const RemoteCentre & centre, const Eigen::Isometry3d & tip)
{
  const Eigen::Vector3d axis = tip.linear() * centre.axis.normalized();
  const Eigen::Vector3d to_point = centre.point - tip.translation();
  return to_point - axis.dot(to_point) * axis;
}

Eigen::Vector3d off_direction(const TipDirection & wanted, const Eigen::Isometry3d & tip)
{
  const Eigen::Vector3d axis = tip.linear() * wanted.axis.normalized();
  const Eigen::Vector3d direction = wanted.direction.normalized();
  const Eigen::Vector3d cross = axis.cross(direction);
  const double angle = std::atan2(cross.norm(), axis.dot(direction));
  if (cross.norm() > 1e-12) { return angle * cross.normalized(); }
  return angle * axis.unitOrthogonal();
}

Eigen::Vector3d off_orientation(const TipOrientation & wanted, const Eigen::Isometry3d & tip)
{
  return ambf_arms::rotation_vector(
    wanted.orientation.normalized().toRotationMatrix() * tip.linear().transpose());
}

/// What is left of an error beyond a share of its tolerance.
Eigen::Vector3d beyond(const Eigen::Vector3d & error, double tolerance)
{
  const double size = error.norm();
  return size > tolerance ? Eigen::Vector3d(error * (1.0 - tolerance / size))
                          : Eigen::Vector3d(Eigen::Vector3d::Zero());
}

Eigen::VectorXd residual(
  const Constraints & all, const ArmBodies & arm, const JointVector & q, double share)
{
  const Eigen::Isometry3d tip = arm.tip(q);
  Eigen::VectorXd out(
    3 * static_cast<Eigen::Index>(
          all.remote_centres.size() + all.directions.size() + all.orientations.size()));
  Eigen::Index row = 0;
  const auto add = [&](const Eigen::Vector3d & error) {
    out.segment<3>(row) = error;
    row += 3;
  };
  for (const auto & one : all.remote_centres) {
    add(beyond(off_centre(one, tip), share * one.tolerance) / length);
  }
  for (const auto & one : all.directions) {
    add(beyond(off_direction(one, tip), share * one.tolerance));
  }
  for (const auto & one : all.orientations) {
    add(beyond(off_orientation(one, tip), share * one.tolerance));
  }
  return out;
}

std::string sentence(const char * format, double a, double b)
{
  char text[160];
  std::snprintf(text, sizeof text, format, a, b);
  return text;
}

}  // namespace

std::optional<std::string> problem_of(const Constraints & constraints)
{
  const auto good_axis = [](const Eigen::Vector3d & v) { return v.allFinite() && v.norm() > 1e-9; };
  const auto good_tolerance = [](double t) { return std::isfinite(t) && t > 0.0; };
  for (const auto & one : constraints.remote_centres) {
    if (!one.point.allFinite() || !good_axis(one.axis) || !good_tolerance(one.tolerance)) {
      return "remote centre: expected a finite point, an axis that is not zero and a tolerance "
             "above 0 m";
    }
  }
  for (const auto & one : constraints.directions) {
    if (!good_axis(one.axis) || !good_axis(one.direction) || !good_tolerance(one.tolerance)) {
      return "tip direction: expected axes that are not zero and a tolerance above 0 rad";
    }
  }
  for (const auto & one : constraints.orientations) {
    const double norm = one.orientation.norm();
    if (!std::isfinite(norm) || norm < 1e-9 || !good_tolerance(one.tolerance)) {
      return "tip orientation: expected a quaternion that is not zero and a tolerance above 0 rad";
    }
  }
  return {};
}

std::optional<std::string> broken(
  const Constraints & constraints, const ArmBodies & arm, const JointVector & q)
{
  if (constraints.empty()) { return {}; }
  const Eigen::Isometry3d tip = arm.tip(q);
  for (const auto & one : constraints.remote_centres) {
    const double off = off_centre(one, tip).norm();
    if (off > one.tolerance) {
      return sentence(
        "the shaft passes the remote centre at %.3g mm, allowed are %.3g mm", 1e3 * off,
        1e3 * one.tolerance);
    }
  }
  for (const auto & one : constraints.directions) {
    const double off = off_direction(one, tip).norm();
    if (off > one.tolerance) {
      return sentence(
        "the tip's direction is off by %.3g rad, allowed are %.3g rad", off, one.tolerance);
    }
  }
  for (const auto & one : constraints.orientations) {
    const double off = off_orientation(one, tip).norm();
    if (off > one.tolerance) {
      return sentence(
        "the tip's orientation is off by %.3g rad, allowed are %.3g rad", off, one.tolerance);
    }
  }
  return {};
}

bool keeps(const Constraints & constraints, const ArmBodies & arm, const JointVector & q)
{
  return constraints.empty() || residual(constraints, arm, q, 1.0).squaredNorm() == 0.0;
}

bool project(const Constraints & constraints, const ArmBodies & arm, JointVector & q)
{
  ambf_arms::clip(arm.arm().bounds(), q);
  if (constraints.empty()) { return true; }
  constexpr int most = 40;
  constexpr double step = 1e-6;
  for (int i = 0; i < most; ++i) {
    const Eigen::VectorXd r = residual(constraints, arm, q, share_of_tolerance);
    // The residual is beyond half of the tolerance: what little is left of it keeps the whole one.
    if (r.squaredNorm() < 1e-16 || (i > 3 && r.norm() < 1e-4 && keeps(constraints, arm, q))) {
      return true;
    }
    Eigen::MatrixXd jacobian(r.size(), q.size());
    for (Eigen::Index k = 0; k < q.size(); ++k) {
      JointVector low = q;
      JointVector high = q;
      low[k] -= step;
      high[k] += step;
      jacobian.col(k) = (residual(constraints, arm, high, share_of_tolerance) -
                         residual(constraints, arm, low, share_of_tolerance)) /
                        (2.0 * step);
    }
    Eigen::MatrixXd normal = jacobian.transpose() * jacobian;
    normal.diagonal().array() += 1e-6;
    const Eigen::VectorXd change = normal.ldlt().solve(jacobian.transpose() * r);
    const double size = change.norm();
    q -= change * std::min(1.0, 0.5 / std::max(size, 1e-12));
    ambf_arms::clip(arm.arm().bounds(), q);
  }
  return keeps(constraints, arm, q);
}

}  // namespace ambf_planning
