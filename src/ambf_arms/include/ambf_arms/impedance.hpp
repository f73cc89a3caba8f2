// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Geometry>

#include "ambf_arms/chain.hpp"
#include "ambf_arms/types.hpp"

namespace ambf_arms
{

/// A spring and a damper in every joint.
struct JointImpedance
{
  JointVector stiffness;   ///< [N m/rad or N/m]
  JointVector damping;     ///< [N m s/rad or N s/m]
  JointVector max_effort;  ///< [N m or N]; infinite: none
};
/// Towards the goal, plus `feed_forward` (gravity, contact), clipped. Refuses other sizes and what is
/// not finite, so that an effort is never NaN.
Result<void> joint_efforts(
  const JointImpedance & law, const JointVector & goal, const JointVector & goal_velocity,
  const JointVector & position, const JointVector & velocity, const JointVector & feed_forward,
  JointVector & effort) noexcept;

/// Gains of one half of each axis, as CRTK's servo_ci has them. A spring has negative gains:
/// force = p (position - reference) + d velocity + bias.
struct HalfPlaneGains
{
  Eigen::Vector3d p = Eigen::Vector3d::Zero();     ///< [N/m] or [N m/rad]
  Eigen::Vector3d d = Eigen::Vector3d::Zero();     ///< [N s/m] or [N m s/rad]
  Eigen::Vector3d bias = Eigen::Vector3d::Zero();  ///< [N] or [N m]
  Eigen::Vector3d deadband =
    Eigen::Vector3d::Zero();  ///< [m] or [rad], measured from the reference
};

/// One-sided springs and dampers about a frame: a wall, a plane, a point, a line.
struct CartesianImpedance
{
  Eigen::Quaterniond force_orientation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d force_position = Eigen::Vector3d::Zero();  ///< reference [m]
  Eigen::Quaterniond torque_orientation = Eigen::Quaterniond::Identity();
  HalfPlaneGains position_positive, position_negative;
  HalfPlaneGains orientation_positive, orientation_negative;
};

/// Wrench at the tip in the axes of the base, for a tip with this velocity (same axes).
Result<Vector6> impedance_wrench(
  const CartesianImpedance & law, const Eigen::Isometry3d & tip, const Vector6 & velocity) noexcept;

/// A spring and a damper towards a pose that moves: what follows a set-point softly.
struct PoseImpedance
{
  Eigen::Vector3d linear_stiffness = Eigen::Vector3d::Zero();   ///< axes of the base [N/m]
  Eigen::Vector3d angular_stiffness = Eigen::Vector3d::Zero();  ///< [N m/rad]
  Eigen::Vector3d linear_damping = Eigen::Vector3d::Zero();     ///< [N s/m]
  Eigen::Vector3d angular_damping = Eigen::Vector3d::Zero();    ///< [N m s/rad]
  double max_force = 10.0;                                      ///< [N]
  double max_torque = 1.0;                                      ///< [N m]
};
Result<Vector6> pose_wrench(
  const PoseImpedance & law, const Eigen::Isometry3d & goal, const Vector6 & goal_velocity,
  const Eigen::Isometry3d & tip, const Vector6 & velocity) noexcept;

/// J^T w: efforts that press with a wrench. Jacobian and wrench in the same axes and about the same
/// point.
void efforts_of_wrench(
  const Jacobian & jacobian, const Vector6 & wrench, JointVector & effort) noexcept;
/// The wrench behind efforts: least squares, damped near singular postures.
Vector6 wrench_of_efforts(
  const Jacobian & jacobian, const JointVector & effort, double damping = 1e-6) noexcept;

}  // namespace ambf_arms
