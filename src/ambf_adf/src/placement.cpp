// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/placement.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace ambf_adf
{
namespace
{

bool turns(JointType type)
{
  return type == JointType::Revolute || type == JointType::Continuous ||
         type == JointType::TorsionSpring;
}

bool slides(JointType type)
{
  return type == JointType::Prismatic || type == JointType::LinearSpring;
}

}  // namespace

Eigen::Matrix3d rotation_between(const Eigen::Vector3d & from, const Eigen::Vector3d & to)
{
  if (from.norm() == 0.0 || to.norm() == 0.0) { return Eigen::Matrix3d::Identity(); }
  const Eigen::Vector3d a = from.normalized();
  const Eigen::Vector3d b = to.normalized();
  const Eigen::Vector3d axis = a.cross(b);
  const double angle = std::atan2(axis.norm(), a.dot(b));
  if (angle < 1e-9) { return Eigen::Matrix3d::Identity(); }
  // AMBF calls everything beyond 3.14 rad opposite; files rounded to three decimals rely on it.
  if (angle > 3.14) {
    Eigen::Vector3d half_turn = a.cross(Eigen::Vector3d::UnitX());
    if (half_turn.norm() < 1e-3) { half_turn = a.cross(Eigen::Vector3d::UnitY()); }
    // The half turn brings a to -a; the small rest brings -a to b and is about the normal of a and
    // b.
    const Eigen::Matrix3d flip =
      Eigen::AngleAxisd(std::numbers::pi, half_turn.normalized()).toRotationMatrix();
    const Eigen::Vector3d rest = (-a).cross(b);
    const double rest_angle = std::atan2(rest.norm(), (-a).dot(b));
    if (rest_angle < 1e-12) { return flip; }
    return Eigen::AngleAxisd(rest_angle, rest.normalized()).toRotationMatrix() * flip;
  }
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

Eigen::Matrix3d child_rotation_at_zero(const Joint & joint)
{
  return Eigen::AngleAxisd(joint.child_offset, joint.parent_axis).toRotationMatrix() *
         rotation_between(joint.child_axis, joint.parent_axis);
}

Eigen::Isometry3d child_in_parent(
  const Joint & joint, double q, double parent_scale, double child_scale)
{
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.linear() = child_rotation_at_zero(joint);
  if (turns(joint.type)) {
    t.linear() = Eigen::AngleAxisd(q, joint.parent_axis).toRotationMatrix() * t.linear();
  }
  t.translation() =
    parent_scale * joint.parent_pivot - t.linear() * (child_scale * joint.child_pivot);
  if (slides(joint.type)) { t.translation() += q * joint.parent_axis; }
  return t;
}

JointFit fit_joint(
  const Joint & joint, const Eigen::Isometry3d & t_wp, const Eigen::Isometry3d & t_wc,
  double parent_scale, double child_scale)
{
  const Eigen::Isometry3d t_pc = t_wp.inverse() * t_wc;
  const Eigen::Matrix3d off_zero = t_pc.linear() * child_rotation_at_zero(joint).transpose();
  Eigen::Vector3d gap =
    t_pc * (child_scale * joint.child_pivot) - parent_scale * joint.parent_pivot;
  JointFit fit;
  Eigen::Matrix3d rest = off_zero;
  if (turns(joint.type)) {
    // Angle about the axis of the twist part of the rotation (swing-twist decomposition).
    const Eigen::Quaterniond rotation(off_zero);
    fit.q = 2.0 * std::atan2(rotation.vec().dot(joint.parent_axis), rotation.w());
    fit.q = std::remainder(fit.q, 2.0 * std::numbers::pi);
    rest = off_zero * Eigen::AngleAxisd(-fit.q, joint.parent_axis).toRotationMatrix();
  } else if (slides(joint.type)) {
    fit.q = gap.dot(joint.parent_axis);
    gap -= fit.q * joint.parent_axis;
  }
  fit.position_error = gap.norm();
  fit.angle_error =
    joint.type == JointType::PointToPoint ? 0.0 : std::abs(Eigen::AngleAxisd(rest).angle());
  return fit;
}

Joint swap_parent_and_child(const Joint & joint)
{
  Joint swapped = joint;
  std::swap(swapped.parent, swapped.child);
  std::swap(swapped.parent_pivot, swapped.child_pivot);
  swapped.parent_axis = -joint.child_axis;
  swapped.child_axis = -joint.parent_axis;
  // R_PC = Rot(a_p, phi) Rmin(a_c -> a_p); the inverse is Rot(-a_c, phi') Rmin(-a_p -> -a_c) with
  // the phi' that makes up for Rmin of opposite axes not being its own inverse.
  swapped.child_offset = 0.0;
  const Eigen::Matrix3d rest =
    child_rotation_at_zero(joint).transpose() * child_rotation_at_zero(swapped).transpose();
  const Eigen::AngleAxisd turn(rest);
  swapped.child_offset = turn.angle() * (turn.axis().dot(swapped.parent_axis) < 0.0 ? -1.0 : 1.0);
  return swapped;
}

}  // namespace ambf_adf
