// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "ambf_teleop/frames.hpp"

namespace ambf_teleop
{

enum class OrientationMapping : std::uint8_t
{
  Relative,  ///< the proxy turns as the handle has turned since the clutch was released
  Absolute,  ///< the proxy is aligned with the handle as seen through the camera
};

/// How one device moves one proxy.
struct MappingParameters
{
  double workspace_scale = 1.0;  ///< proxy metres per hand metre (S_IID-WS), > 0
  OrientationMapping orientation = OrientationMapping::Relative;
  /// R of SDE-TO, post-multiplied; Absolute only (Relative starts from it, see start_pair).
  Eigen::Quaterniond proxy_tip = Eigen::Quaterniond::Identity();
  /// Absolute: how fast a misalignment that a clutch left behind is taken out [rad/s].
  double realign_rate = 0.5;
};

/// Finite, scale above 0, rate not below 0: to be asked once, where parameters come in.
bool is_valid(const MappingParameters & mapping) noexcept;

/// What the mapping reads of a device at one tick.
struct DeviceInput
{
  Pose T_user_handle;            ///< IID, see handle_in_user
  bool position_clutch = false;  ///< pressed: the hand moves, the proxy stays
  bool camera_clutch = false;    ///< pressed: the hand moves the camera, the proxy stays
};

/// The frames of one device-proxy pair (dissertation Fig. 3.10, Table 3.3). Several pairs may share
/// a proxy: each has its own reference, so that no one's clutch touches another's.
struct PairFrames
{
  Pose reference;         ///< SDE-REF: T_world_reference, the set-point of the proxy law
  Pose reference_origin;  ///< SDE-REF-O; its position is divided by the scale (Table 3.5 eq. 7)
  Pose handle_clutch;     ///< IID-CL: where the handle was when reference_origin was taken
  Pose handle;            ///< IID of the last update
  Eigen::Quaterniond alignment = Eigen::Quaterniond::Identity();  ///< Absolute: rest of a clutch
  Eigen::Quaterniond R_world_camera = Eigen::Quaterniond::Identity();  ///< in force since then
  MappingParameters mapping;                                           ///< in force since then
  bool anchored = false;
};

/// Frames of a pair whose proxy stands at `T_world_location` (SDE-BO, pre-multiplied) turned by
/// `proxy_tip` (SDE-TO, post-multiplied). The first update anchors the handle wherever it is.
PairFrames start_pair(
  const Pose & T_world_location,
  const Eigen::Quaterniond & proxy_tip = Eigen::Quaterniond::Identity()) noexcept;

/// One tick of the position clutch: Table 3.5 eq. 5 to 11. While a clutch is pressed the reference
/// rests; otherwise it moves by the handle's motion, scaled and seen through the camera. Pressing,
/// releasing, a camera that somebody else turns, and a change of parameters never move it.
/// `dt` [s] since the last update is used by Absolute only.
void update_reference(
  PairFrames & pair, const MappingParameters & mapping, const DeviceInput & input,
  const Eigen::Quaterniond & R_world_camera, double dt) noexcept;

/// The next update takes the handle's pose as a new origin: after a device was away or relocated.
void forget_handle(PairFrames & pair) noexcept;

/// Where the reference is by now, when `reference` belongs to an older handle pose: what the
/// device's loop uses between two proxy states. Same equations as update_reference.
Pose extrapolate_reference(
  const Pose & reference, const Pose & handle_then, const Pose & handle_now,
  const Eigen::Quaterniond & R_world_camera, double workspace_scale) noexcept;

}  // namespace ambf_teleop
