// SPDX-License-Identifier: BSD-3-Clause
#include "geometry.hpp"

#include <algorithm>
#include <cmath>

#include "ambf_adf/mesh.hpp"
#include "ambf_adf/placement.hpp"

namespace ambf_convert
{

using ambf_adf::JointType;

ambf_adf::Pose pose_of(const Isometry3d & t)
{
  const Matrix3d r = t.linear();
  ambf_adf::Pose pose;
  pose.position = t.translation();
  const double cos_pitch = std::hypot(r(0, 0), r(1, 0));
  const double yaw = cos_pitch > 1e-12 ? std::atan2(r(1, 0), r(0, 0)) : 0.0;
  const double c = std::cos(yaw), s = std::sin(yaw);
  // Roll from what the yaw leaves: whatever error the yaw has near a right angle, the roll makes up for it.
  pose.rpy = {
    std::atan2(s * r(0, 2) - c * r(1, 2), c * r(1, 1) - s * r(0, 1)),
    std::atan2(-r(2, 0), cos_pitch), yaw};
  return pose;
}

Isometry3d isometry(const Vector3d & position, const Matrix3d & rotation)
{
  Isometry3d t = Isometry3d::Identity();
  t.linear() = rotation;
  t.translation() = position;
  return t;
}

Principal principal_axes(const Matrix3d & tensor, const Isometry3d & t_link_center)
{
  if (tensor(0, 1) == 0.0 && tensor(0, 2) == 0.0 && tensor(1, 2) == 0.0) {
    return {tensor.diagonal(), t_link_center};
  }
  const auto own = ambf_adf::principal(tensor);
  return {own.moments, t_link_center * isometry(Vector3d::Zero(), own.rotation)};
}

std::string impossible_moments(const Vector3d & moments)
{
  const double largest = moments.maxCoeff();
  if (moments.minCoeff() < -1e-9 * std::abs(largest)) { return "a negative principal moment"; }
  if (moments.sum() - 2.0 * largest < -1e-6 * largest) {
    return "a principal moment larger than the sum of the other two";
  }
  return {};
}

bool turns(JointType type)
{
  return type == JointType::Revolute || type == JointType::Continuous ||
         type == JointType::TorsionSpring;
}

bool slides(JointType type)
{
  return type == JointType::Prismatic || type == JointType::LinearSpring;
}

namespace
{

/// Angle of a rotation about a unit axis that it has.
double angle_about(const Matrix3d & rotation, const Vector3d & axis)
{
  const Eigen::Quaterniond q(rotation);
  return 2.0 * std::atan2(q.vec().dot(axis), q.w());
}

}  // namespace

void place_joint(
  ambf_adf::Joint & joint, const Isometry3d & t_parent_joint, const Isometry3d & t_child_joint,
  const Vector3d & axis)
{
  joint.parent_pivot = t_parent_joint.translation();
  joint.child_pivot = t_child_joint.translation();
  joint.parent_axis = (t_parent_joint.linear() * axis).normalized();
  joint.child_axis = (t_child_joint.linear() * axis).normalized();
  joint.child_offset = 0.0;
  joint.joint_offset = 0.0;
  const Matrix3d r_parent_child = t_parent_joint.linear() * t_child_joint.linear().transpose();
  const Matrix3d rest = r_parent_child * ambf_adf::child_rotation_at_zero(joint).transpose();
  joint.child_offset = angle_about(rest, joint.parent_axis);
  if (!turns(joint.type) && !slides(joint.type) && joint.type != JointType::Fixed) {
    const Matrix3d upright = ambf_adf::rotation_between(Vector3d::UnitZ(), joint.parent_axis);
    joint.joint_offset =
      angle_about(upright.transpose() * t_parent_joint.linear(), Vector3d::UnitZ());
  }
}

Isometry3d frame_at_parent(const ambf_adf::Joint & joint, double parent_scale)
{
  return isometry(
    parent_scale * joint.parent_pivot,
    ambf_adf::rotation_between(Vector3d::UnitZ(), joint.parent_axis) *
      Eigen::AngleAxisd(joint.joint_offset, Vector3d::UnitZ()).toRotationMatrix());
}

Isometry3d frame_at_child(const ambf_adf::Joint & joint, double child_scale)
{
  return isometry(
    child_scale * joint.child_pivot,
    ambf_adf::child_rotation_at_zero(joint).transpose() * frame_at_parent(joint, 1.0).linear());
}

Isometry3d turn_to(ambf_adf::Axis axis)
{
  // As the shapes themselves are turned: (x, y, z) becomes (y, z, x) or (z, x, y).
  Matrix3d r = Matrix3d::Identity();
  if (axis == ambf_adf::Axis::X) { r << 0, 0, 1, 1, 0, 0, 0, 1, 0; }
  if (axis == ambf_adf::Axis::Y) { r << 0, 1, 0, 0, 0, 1, 1, 0, 0; }
  return isometry(Vector3d::Zero(), r);
}

}  // namespace ambf_convert
