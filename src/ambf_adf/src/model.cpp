// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/model.hpp"

#include <cmath>

#include "ambf_adf/world.hpp"

namespace ambf_adf
{

Eigen::Matrix3d Pose::rotation() const
{
  return (Eigen::AngleAxisd(rpy.z(), Eigen::Vector3d::UnitZ()) *
          Eigen::AngleAxisd(rpy.y(), Eigen::Vector3d::UnitY()) *
          Eigen::AngleAxisd(rpy.x(), Eigen::Vector3d::UnitX()))
    .toRotationMatrix();
}

Eigen::Isometry3d Pose::isometry() const
{
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.linear() = rotation();
  t.translation() = position;
  return t;
}

Pose Pose::from(const Eigen::Isometry3d & t_ab)
{
  const Eigen::Matrix3d r = t_ab.linear();
  Pose pose;
  pose.position = t_ab.translation();
  const double cos_pitch = std::hypot(r(0, 0), r(1, 0));
  pose.rpy.y() = std::atan2(-r(2, 0), cos_pitch);
  if (cos_pitch > 1e-9) {
    pose.rpy.x() = std::atan2(r(2, 1), r(2, 2));
    pose.rpy.z() = std::atan2(r(1, 0), r(0, 0));
  } else {
    // Pitch of a right angle: only yaw -+ roll is defined; roll is taken as 0.
    pose.rpy.z() = std::atan2(-r(0, 1), r(1, 1));
  }
  return pose;
}

bool operator==(const Model & a, const Model & b)
{
  return a.name == b.name && a.ns == b.ns && a.high_resolution_path == b.high_resolution_path &&
         a.low_resolution_path == b.low_resolution_path &&
         a.ignore_inter_collision == b.ignore_inter_collision && a.gravity == b.gravity &&
         a.shaders == b.shaders && a.plugins == b.plugins && a.extensions == b.extensions &&
         a.bodies == b.bodies && a.soft_bodies == b.soft_bodies &&
         a.ghost_objects == b.ghost_objects && a.joints == b.joints && a.sensors == b.sensors &&
         a.actuators == b.actuators && a.vehicles == b.vehicles && a.volumes == b.volumes &&
         a.cameras == b.cameras && a.lights == b.lights;
}

bool operator==(const World & a, const World & b)
{
  return a.ns == b.ns && a.gravity == b.gravity && a.max_steps_per_cycle == b.max_steps_per_cycle &&
         a.solver_iterations == b.solver_iterations && a.environment == b.environment &&
         a.enclosure == b.enclosure && a.cameras == b.cameras && a.lights == b.lights &&
         a.skybox == b.skybox && a.shaders == b.shaders && a.plugins == b.plugins &&
         a.extensions == b.extensions;
}

const char * to_string(JointType type)
{
  switch (type) {
    case JointType::Revolute:
      return "revolute";
    case JointType::Continuous:
      return "continuous";
    case JointType::Prismatic:
      return "prismatic";
    case JointType::Fixed:
      return "fixed";
    case JointType::LinearSpring:
      return "linear spring";
    case JointType::TorsionSpring:
      return "torsion spring";
    case JointType::PointToPoint:
      return "p2p";
    case JointType::ConeTwist:
      return "cone twist";
    case JointType::SixDof:
      return "six dof";
    case JointType::SixDofSpring:
      return "six dof spring";
  }
  return "unknown";
}

}  // namespace ambf_adf
