// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_arms/pose.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/SVD>

namespace ambf_arms
{

const char * to_string(Refusal refusal) noexcept
{
  switch (refusal) {
    case Refusal::WrongSize:
      return "not one value for each joint";
    case Refusal::NotFinite:
      return "a value that is not finite";
    case Refusal::ZeroQuaternion:
      return "a quaternion of length 0 is no orientation";
    case Refusal::NotARotation:
      return "a matrix that is no rotation";
    case Refusal::InsideCannula:
      return "too close to the remote centre: the goal lies inside the cannula";
    case Refusal::BadLimits:
      return "limits must be finite and positive, and low must not be above high";
    case Refusal::BadRatio:
      return "a ratio must be above 0 and at most 1";
    case Refusal::NoSolution:
      return "nothing that could be solved";
  }
  return "refused";
}

Result<Eigen::Isometry3d> make_pose(
  const Eigen::Vector3d & position, const Eigen::Quaterniond & orientation) noexcept
{
  if (!position.allFinite() || !orientation.coeffs().allFinite()) {
    return tl::unexpected(Refusal::NotFinite);
  }
  const double length = orientation.norm();
  // Below this the direction is made of rounding.
  if (!(length > 1e-6) || !std::isfinite(length)) {
    return tl::unexpected(Refusal::ZeroQuaternion);
  }
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = Eigen::Quaterniond(orientation.coeffs() / length).toRotationMatrix();
  pose.translation() = position;
  return pose;
}

Result<Eigen::Isometry3d> make_pose(const Eigen::Matrix4d & matrix) noexcept
{
  if (!matrix.allFinite()) { return tl::unexpected(Refusal::NotFinite); }
  const Eigen::Matrix3d rotation = matrix.topLeftCorner<3, 3>();
  const Eigen::Matrix3d gram = rotation.transpose() * rotation - Eigen::Matrix3d::Identity();
  const Eigen::RowVector4d last = matrix.row(3) - Eigen::RowVector4d(0.0, 0.0, 0.0, 1.0);
  if (
    gram.cwiseAbs().maxCoeff() > 2e-3 || rotation.determinant() < 0.0 ||
    last.cwiseAbs().maxCoeff() > 1e-6) {
    return tl::unexpected(Refusal::NotARotation);
  }
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(rotation, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = svd.matrixU() * svd.matrixV().transpose();
  pose.translation() = matrix.topRightCorner<3, 1>();
  return pose;
}

bool is_finite(const Eigen::Isometry3d & pose) noexcept { return pose.matrix().allFinite(); }

Eigen::Vector3d rotation_vector(const Eigen::Matrix3d & rotation) noexcept
{
  // The sine part is exact for small angles, where the trace is not.
  const Eigen::Vector3d axis_sine =
    0.5 * Eigen::Vector3d(
            rotation(2, 1) - rotation(1, 2), rotation(0, 2) - rotation(2, 0),
            rotation(1, 0) - rotation(0, 1));
  const double sine = axis_sine.norm();
  const double cosine = 0.5 * (rotation.trace() - 1.0);
  if (cosine > 0.0) {
    const double angle = std::atan2(sine, cosine);
    return sine < 1e-300 ? Eigen::Vector3d(axis_sine) : Eigen::Vector3d(axis_sine * (angle / sine));
  }
  const Eigen::AngleAxisd turn(rotation);
  return turn.angle() * turn.axis();
}

double angle_between(const Eigen::Matrix3d & a, const Eigen::Matrix3d & b) noexcept
{
  return rotation_vector(a.transpose() * b).norm();
}

double nearest_turn(double angle, double near, double low, double high) noexcept
{
  constexpr double turn = 2.0 * std::numbers::pi;
  const double best = angle + turn * std::nearbyint((near - angle) / turn);
  // Rounding must not push a value at the limit a full turn away.
  constexpr double slack = 1e-9;
  if (best >= low - slack && best <= high + slack) { return best; }
  const double other = best > high ? best - turn * std::ceil((best - high) / turn - slack)
                                   : best + turn * std::ceil((low - best) / turn - slack);
  return other >= low - slack && other <= high + slack ? other : best;
}

}  // namespace ambf_arms
