// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "ambf_teleop/frames.hpp"

namespace ambf_teleop
{

constexpr int max_device_joints = 8;
/// Rows: linear velocity, angular velocity of the tip. Never on the heap.
using DeviceJacobian = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, max_device_joints>;
using DeviceTorques = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_device_joints, 1>;

/// A link of a serial device at its present posture, in the base frame. Joint i moves links i and
/// above.
struct DeviceLink
{
  Eigen::Vector3d joint_position = Eigen::Vector3d::Zero();  ///< a point on the axis [m]
  Eigen::Vector3d joint_axis = Eigen::Vector3d::UnitZ();     ///< unit
  bool prismatic = false;
  double mass = 0.0;                                         ///< [kg]
  Eigen::Vector3d centre_of_mass = Eigen::Vector3d::Zero();  ///< [m]
};

/// Joint efforts that hold the links against `gravity` (base frame, [m/s^2]): the Y * Pi of the
/// asynchronous paper's eq. 6 at rest. At most max_device_joints links; further ones are ignored.
DeviceTorques gravity_torques(
  std::span<const DeviceLink> links, const Eigen::Vector3d & gravity) noexcept;

/// The tip wrench that stands for these joint efforts: (J^T)^+ tau of eq. 6, as the least-squares
/// solution of J^T w = tau. `damping` keeps it bounded near singular postures [m and rad alike].
Wrench wrench_from_torques(
  const DeviceJacobian & jacobian, const DeviceTorques & torques, double damping = 1e-6) noexcept;

/// What a device without gravity compensation of its own adds to every force: a plain function, so
/// that a driver sets it and the loop pays one call. `context` is the driver's.
struct GravityHook
{
  Wrench (*wrench_at_tip)(const Pose & T_base_tip, const void * context) noexcept = nullptr;
  const void * context = nullptr;
};

/// Zero without a function or when the function's answer is not finite.
Wrench gravity_wrench(const GravityHook & hook, const Pose & T_base_tip) noexcept;

}  // namespace ambf_teleop
