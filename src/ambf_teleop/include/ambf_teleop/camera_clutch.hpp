// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "ambf_teleop/frames.hpp"
#include "ambf_teleop/position_clutch.hpp"

namespace ambf_teleop
{

/// About which axes a turn of the handle turns the camera.
enum class CameraTurn : std::uint8_t
{
  UserAxes,  ///< as the hand turns in the view, however the handle is held
  TipAxes,   ///< as printed (Table 3.5 eq. 2); the same where the handle is aligned at the press
};

struct CameraParameters
{
  double scale = 1.0;  ///< camera metres per hand metre (S_CAM); negative drags the world instead
  CameraTurn turn = CameraTurn::UserAxes;
};

/// The frames of one device-proxy-camera triple (dissertation Fig. 3.12).
struct CameraFrames
{
  Pose camera;  ///< CAM-CL: T_world_camera; what to command while `moving`
  Eigen::Quaterniond camera_pre_clutch = Eigen::Quaterniond::Identity();  ///< CAM-PRE-CL
  Eigen::Quaterniond handle_pre_clutch = Eigen::Quaterniond::Identity();  ///< IID-PRE-CL
  Eigen::Vector3d handle_position = Eigen::Vector3d::Zero();              ///< at the last update
  bool moving = false;
  bool started = false;  ///< false: the next update only looks, as after a device was away
};

/// One tick of the camera clutch: Table 3.5 eq. 1 to 4. `T_world_camera` is the camera as the world
/// shows it. `owned`: see claim_camera. Returns whether frames.camera is a command; the camera
/// starts to move from where it is and the released camera stays where it is.
bool update_camera(
  CameraFrames & frames, const CameraParameters & parameters, const DeviceInput & input,
  const Pose & T_world_camera, bool owned) noexcept;

constexpr std::uint32_t nobody = 0xffffffffu;

/// Who moves a camera: the first who asks, until it lets go.
struct CameraOwner
{
  std::uint32_t device = nobody;
};

/// Takes, keeps or gives back a camera as `pressed` says; true while `device` owns it.
bool claim_camera(CameraOwner & owner, std::uint32_t device, bool pressed) noexcept;

}  // namespace ambf_teleop
