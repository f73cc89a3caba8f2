// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ambf_teleop/frames.hpp"

namespace ambf_teleop
{

/// Haptic gains along the axes of the device's base. An axis with zero gains is not felt.
struct FeedbackGains
{
  Eigen::Vector3d linear_stiffness = Eigen::Vector3d::Zero();   ///< K_IID-L [N per proxy metre]
  Eigen::Vector3d linear_damping = Eigen::Vector3d::Zero();     ///< B_IID-L [N s/m]
  Eigen::Vector3d angular_stiffness = Eigen::Vector3d::Zero();  ///< K_IID-A [N m/rad]
  Eigen::Vector3d angular_damping = Eigen::Vector3d::Zero();    ///< beyond eq. 16 [N m s/rad]
};

/// Errors of the previous tick in base axes, for the damping.
struct FeedbackErrors
{
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();
  bool valid = false;
};

/// How the device and its view lie in the world at this tick.
struct FeedbackFrames
{
  DeviceOffsets offsets;
  Pose T_base_tip;
  Eigen::Quaterniond R_world_camera = Eigen::Quaterniond::Identity();
};

/// The wrench at the handle in the axes of the device's base that pulls the hand's reference
/// towards the proxy: dissertation Table 3.5 eq. 12 to 16 with the sign of 14 and 16 turned, and
/// expressed in the base frame before the gains. `dt` is the device loop's own period.
Wrench feedback_wrench(
  const FeedbackGains & gains, FeedbackErrors & errors, const FeedbackFrames & frames,
  const Pose & T_world_proxy, const Pose & T_world_reference, double dt) noexcept;

/// Energy in the virtual spring as the hand's displacement sees it [J]: the hand's metre is
/// `workspace_scale` metres of the error. Linear part; for passive_force.
double stored_energy(
  const FeedbackGains & gains, const FeedbackErrors & errors, double workspace_scale) noexcept;

/// The same for the turn, which has no scale.
double stored_angular_energy(const FeedbackGains & gains, const FeedbackErrors & errors) noexcept;

/// The same wrench at the tip, where the device's motors act: the tip offset's lever arm.
Wrench at_tip(const FeedbackFrames & frames, const Wrench & at_handle_base) noexcept;

}  // namespace ambf_teleop
