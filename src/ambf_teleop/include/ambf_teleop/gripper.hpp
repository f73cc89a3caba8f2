// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Geometry>

namespace ambf_teleop
{

/// A joint that the gripper moves: `closed` and `open` are its limits [rad or m]. AMBF's models
/// give left and right fingers opposite axes, so that closed is the lower and open the upper
/// limit of each.
struct GripperJoint
{
  double closed = 0.0;
  double open = 0.0;
};

/// Measured opening of a device's gripper as 0 (closed) .. 1 (open), clamped; nothing if the value
/// is not finite or the two ends coincide.
std::optional<double> normalised_gripper(double measured, const GripperJoint & range) noexcept;

/// Targets of all joints for one scalar opening, clamped to 0..1 (dissertation section 3.7.3).
/// `targets` must be as long as `joints`; an opening that is not a number leaves them untouched.
void gripper_targets(
  double opening, std::span<const GripperJoint> joints, std::span<double> targets) noexcept;

struct JointEdge
{
  std::uint32_t parent = 0;  ///< body index
  std::uint32_t child = 0;   ///< body index
};

/// Indices into `joints` of all joints below `root`, ascending; loops are walked once. For load
/// time: allocates.
std::vector<std::uint32_t> joints_below(std::uint32_t root, std::span<const JointEdge> joints);

struct JointPdGains
{
  double stiffness = 0.0;       ///< K_J [N m/rad]
  double damping = 0.0;         ///< D_J [N m s/rad]
  double parent_damping = 0.0;  ///< D_C [N m per rad of the parent's turn within a step]
};

/// Torque on the child in world axes; the parent gets its opposite. Dissertation eq. 3.9 with b and
/// c corrected: the parent's turn within a step is R_n * R_(n-1)^T.
Eigen::Vector3d joint_torque_on_child(
  const JointPdGains & gains, const Eigen::Vector3d & axis_parent,
  const Eigen::Quaterniond & R_world_parent, const Eigen::Quaterniond & R_world_parent_before,
  double position_error, double velocity_error) noexcept;

}  // namespace ambf_teleop
