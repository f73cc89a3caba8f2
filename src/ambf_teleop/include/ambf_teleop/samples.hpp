// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "ambf_teleop/frames.hpp"

namespace ambf_teleop
{

/// What a device tells the physics: the set-point, never a force.
struct DeviceSample
{
  Pose T_base_tip;
  Twist twist;
  double gripper = 0.5;
  bool position_clutch = false;
  bool camera_clutch = false;
  bool relocated = false;  ///< the hand is elsewhere than the last sample said: anchor anew
  std::uint32_t actions = 0;
  std::uint64_t sequence = 0;  ///< from 1
  double time = 0.0;           ///< of the reading, steady clock since the loop's start [s]
  bool guided = false;         ///< the hand feels somebody's guidance in this tick
};

/// What the physics tells a device.
struct ProxySample
{
  Pose T_world_proxy;
  Pose T_world_reference;
  Eigen::Quaterniond R_world_camera = Eigen::Quaterniond::Identity();  ///< the active camera
  std::uint64_t device_sequence = 0;  ///< DeviceSample that the reference was made of; 0: unknown
  std::uint32_t clutch_actions = 0;   ///< bits of DeviceSample::actions that are clutches just now
  /// Asked for in the world beside the device's own stiffness, where it has any.
  double haptic_linear_change = 0.0;   ///< [N per proxy metre]
  double haptic_angular_change = 0.0;  ///< [N m/rad]
};

}  // namespace ambf_teleop
