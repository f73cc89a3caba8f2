// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "ambf_adf/body.hpp"

namespace ambf_adf
{

enum class JointType
{
  Revolute,       ///< `revolute`, `hinge`
  Continuous,     ///< `continuous`: a revolute joint by another name; limits hold if given
  Prismatic,      ///< `prismatic`, `slider`
  Fixed,          ///< `fixed`
  LinearSpring,   ///< `spring`, `linear spring`: slides along the axis, everything else locked
  TorsionSpring,  ///< `torsion spring`, `torsional spring`, `angular spring`: turns about the axis
  PointToPoint,   ///< `p2p`
  ConeTwist,      ///< `cone twist`
  SixDof,         ///< `six dof`
  SixDofSpring,   ///< `six dof spring`
};

/// Range of a one-axis joint [rad or m], low <= high.
struct JointLimits
{
  double low = 0.0;
  double high = 0.0;
  friend bool operator==(const JointLimits &, const JointLimits &) = default;
};

/// Swing about the joint frame's x and y and twist about its z [rad].
struct ConeTwistLimits
{
  Eigen::Vector3d swing_swing_twist = Eigen::Vector3d::Constant(0.7);
  friend bool operator==(const ConeTwistLimits &, const ConeTwistLimits &) = default;
};

/// One value per axis of the joint frame (z along the joint axis).
struct LinearAngular
{
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();
  friend bool operator==(const LinearAngular &, const LinearAngular &) = default;
};

/// Parameters of six-dof joints in the joint frame at the parent. As in Bullet, low == high locks
/// an axis and low > high frees it. Angles follow the sense of the file: positive = child turns
/// positively in the parent's joint frame (Bullet's 6-DOF constraints measure the other way round).
struct SixDofParameters
{
  LinearAngular low{
    Eigen::Vector3d::Constant(-1.2), Eigen::Vector3d::Constant(-1.2)};  ///< [m],[rad]
  LinearAngular high{
    Eigen::Vector3d::Constant(1.2), Eigen::Vector3d::Constant(1.2)};  ///< [m],[rad]
  /// Springs exist for SixDofSpring only. [N/m], [N m/rad]
  LinearAngular stiffness{Eigen::Vector3d::Ones(), Eigen::Vector3d::Ones()};
  /// As the file gives it to Bullet's 6DofSpring2 [N s/m], [N m s/rad].
  LinearAngular damping{Eigen::Vector3d::Constant(0.7), Eigen::Vector3d::Constant(0.7)};
  LinearAngular equilibrium;  ///< [m], [rad]
  friend bool operator==(const SixDofParameters &, const SixDofParameters &) = default;
};

/// q = multiplier * (q of the other joint) + offset (extension of ours: `mimic`). It is kept and written; no
/// dynamics acts on it.
struct Mimic
{
  std::string joint;  ///< identifier as written
  double multiplier = 1.0;
  double offset = 0.0;  ///< [rad or m]
  friend bool operator==(const Mimic &, const Mimic &) = default;
};

/// A joint between bodies P (parent) and C (child). With unit axes a_p, a_c and pivots P_p, P_c in
/// the body frames (pivots times the body's `scale`), child offset phi and joint value q
/// (spec 5.3):
///   revolute   R_PC = Rot(a_p, q + phi) Rmin(a_c -> a_p),  p_PC = P_p - R_PC P_c
///   prismatic  R_PC = Rot(a_p, phi) Rmin(a_c -> a_p),      p_PC = P_p + q a_p - R_PC P_c
/// See placement.hpp for Rmin with its conventions for parallel and opposite axes.
struct Joint
{
  ObjectHeader header;  ///< passive: not in AMBF's client list of joints, still a constraint
  JointType type = JointType::Revolute;
  /// Identifier as written; after `Scene::add` the qualified identifier of the body.
  std::string parent;
  std::string child;
  Eigen::Vector3d parent_pivot =
    Eigen::Vector3d::Zero();                              ///< in P's body frame, before `scale` [m]
  Eigen::Vector3d child_pivot = Eigen::Vector3d::Zero();  ///< in C's body frame, before `scale` [m]
  Eigen::Vector3d parent_axis = Eigen::Vector3d::UnitZ();  ///< in P's body frame, unit
  Eigen::Vector3d child_axis = Eigen::Vector3d::UnitZ();   ///< in C's body frame, unit
  double child_offset = 0.0;  ///< phi, `offset` or `child offset` [rad]
  /// Rotation of the joint frame about the axis [rad]; cancels for one-axis joints.
  double joint_offset = 0.0;
  std::optional<JointLimits> limits;          ///< one-axis joints; absent: free
  std::optional<ConeTwistLimits> cone_twist;  ///< exists exactly for ConeTwist
  std::optional<SixDofParameters> six_dof;    ///< exists exactly for SixDof and SixDofSpring
  std::optional<Pid> controller;              ///< absent: Pid's defaults
  /// Effort when the file gives `controller`, Velocity otherwise, unless `controller output type`
  /// says.
  ControlOutput controller_output = ControlOutput::Velocity;
  /// Strength of the velocity motor, as an impulse per 1 ms step [N m s] or [N s]: the largest
  /// effort is this / 0.001 s.
  double max_motor_impulse = 0.1;
  /// Largest effort of any controller of the joint [N m or N] (extension of ours: `max effort`);
  /// absent: no limit.
  std::optional<double> max_effort;
  /// One-axis joints and cone twist: viscous damping [N m s/rad or N s/m].
  double damping = 0.0;
  double stiffness = 0.0;  ///< LinearSpring [N/m], TorsionSpring [N m/rad]
  /// Rest position of one-axis springs [rad or m]; absent: middle of the limits, or 0 without
  /// limits.
  std::optional<double> equilibrium;
  std::optional<Mimic> mimic;  ///< one-axis joints
  bool enable_motor = true;
  /// Without a command the joint stays where it is (extension of ours: `hold position`).
  bool hold_position = false;
  bool enable_feedback = false;        ///< AMBF reports efforts only then; we always can
  std::optional<double> erp;           ///< Bullet constraint parameter [-]; absent: 0.1 in AMBF
  std::optional<double> cfm;           ///< Bullet constraint parameter; absent: 0.1 in AMBF
  bool ignore_inter_collision = true;  ///< parent and child do not collide
  bool detached = false;               ///< hint of the Blender add-on
  bool redundant = false;              ///< hint of the Blender add-on: closes a loop

  friend bool operator==(const Joint &, const Joint &) = default;
};

/// The name that ADF files use, e.g. "torsion spring".
const char * to_string(JointType type);

}  // namespace ambf_adf
