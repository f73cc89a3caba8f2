// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/camera_clutch.hpp"

namespace ambf_teleop
{

bool update_camera(
  CameraFrames & frames, const CameraParameters & parameters, const DeviceInput & input,
  const Pose & T_world_camera, bool owned) noexcept
{
  const Pose & handle = input.T_user_handle;
  frames.moving = frames.started && owned && input.camera_clutch;
  if (!frames.moving) {
    frames.camera = T_world_camera;
    frames.camera_pre_clutch = T_world_camera.orientation;  // Table 3.5 eq. 3
    frames.handle_pre_clutch = handle.orientation;          // Table 3.5 eq. 4
  } else {
    // Table 3.5 eq. 1 with S_CAM times the displacement; the division by dt is an erratum. The own
    // copy goes on: the world's camera follows a step later and would swallow motion.
    const Eigen::Vector3d moved = handle.position - frames.handle_position;
    frames.camera.position += parameters.scale * (frames.camera.orientation * moved);
    // Table 3.5 eq. 2; the increment either in the user's axes or, as printed, in the tip's.
    const Eigen::Quaterniond before = frames.handle_pre_clutch.conjugate();
    const Eigen::Quaterniond turned = parameters.turn == CameraTurn::UserAxes
                                        ? handle.orientation * before
                                        : before * handle.orientation;
    frames.camera.orientation = (frames.camera_pre_clutch * turned).normalized();
  }
  frames.handle_position = handle.position;
  frames.started = true;
  return frames.moving;
}

bool claim_camera(CameraOwner & owner, std::uint32_t device, bool pressed) noexcept
{
  if (pressed && owner.device == nobody) {
    owner.device = device;
  } else if (!pressed && owner.device == device) {
    owner.device = nobody;
  }
  return pressed && owner.device == device;
}

}  // namespace ambf_teleop
