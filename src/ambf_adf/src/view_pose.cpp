// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/view_pose.hpp"

#include <cmath>

namespace ambf_adf
{

using Eigen::Isometry3d;
using Eigen::Vector3d;

Isometry3d looking(const Vector3d & from, const Vector3d & at, const Vector3d & up)
{
  Vector3d back = from - at;
  if (back.norm() < 1e-9) { back = Vector3d::UnitX(); }
  back.normalize();
  Vector3d right = up.cross(back);
  if (right.norm() < 1e-6) {
    const Vector3d other_up = std::abs(back.z()) < 0.9 ? Vector3d::UnitZ() : Vector3d::UnitX();
    right = other_up.cross(back);
  }
  right.normalize();
  Isometry3d t = Isometry3d::Identity();
  t.linear().col(0) = back;
  t.linear().col(1) = right;
  t.linear().col(2) = back.cross(right);
  t.translation() = from;
  return t;
}

Isometry3d camera_pose(const Camera & camera)
{
  return looking(camera.location, camera.look_at, camera.up);
}

Isometry3d light_pose(const Light & light)
{
  Isometry3d t = Isometry3d::Identity();
  t.translation() = light.location;
  const Vector3d direction = light.direction.norm() > 1e-9 ? light.direction : -Vector3d::UnitZ();
  t.linear() = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), direction).toRotationMatrix();
  return t;
}

}  // namespace ambf_adf
