// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/position_clutch.hpp"

#include <cmath>

#include "ambf_teleop/rotation.hpp"

namespace ambf_teleop
{
namespace
{

/// Orientation of an aligned proxy (Table 3.5 eq. 11, seen through the camera).
Eigen::Quaterniond aligned(
  const MappingParameters & mapping, const Eigen::Quaterniond & R_user_handle,
  const Eigen::Quaterniond & R_world_camera) noexcept
{
  return R_world_camera * R_user_handle * mapping.proxy_tip;
}

/// Table 3.5 eq. 5 to 8: from here on the reference moves as the handle moves away from `handle`.
void anchor(
  PairFrames & pair, const MappingParameters & mapping, const Pose & handle,
  const Eigen::Quaterniond & R_world_camera) noexcept
{
  pair.handle_clutch = handle;
  pair.reference_origin.position = pair.reference.position / mapping.workspace_scale;
  pair.reference_origin.orientation = pair.reference.orientation;
  pair.alignment =
    aligned(mapping, handle.orientation, R_world_camera).conjugate() * pair.reference.orientation;
  pair.R_world_camera = R_world_camera;
  pair.mapping = mapping;
  pair.anchored = true;
}

bool same(const MappingParameters & a, const MappingParameters & b) noexcept
{
  return a.workspace_scale == b.workspace_scale && a.orientation == b.orientation &&
         a.proxy_tip.coeffs() == b.proxy_tip.coeffs();
}

/// The handle's turn since R_then, in user axes.
Eigen::Quaterniond turn(
  const Eigen::Quaterniond & R_now, const Eigen::Quaterniond & R_then) noexcept
{
  return R_now * R_then.conjugate();
}

}  // namespace

bool is_valid(const MappingParameters & mapping) noexcept
{
  return std::isfinite(mapping.workspace_scale) && mapping.workspace_scale > 0.0 &&
         std::isfinite(mapping.realign_rate) && mapping.realign_rate >= 0.0 &&
         std::abs(mapping.proxy_tip.norm() - 1.0) < 1e-6;
}

PairFrames start_pair(const Pose & T_world_location, const Eigen::Quaterniond & proxy_tip) noexcept
{
  PairFrames pair;
  pair.reference = T_world_location * Pose{Eigen::Vector3d::Zero(), proxy_tip};
  return pair;
}

void update_reference(
  PairFrames & pair, const MappingParameters & mapping, const DeviceInput & input,
  const Eigen::Quaterniond & R_world_camera, double dt) noexcept
{
  const Pose & handle = input.T_user_handle;
  const bool held = input.position_clutch || input.camera_clutch;
  if (held || !pair.anchored) {
    // As long as the clutch is pressed, so that what counts is where it was released.
    anchor(pair, mapping, handle, R_world_camera);
    pair.handle = handle;
    return;
  }
  if (R_world_camera.coeffs() != pair.R_world_camera.coeffs() || !same(mapping, pair.mapping)) {
    // The view or the mapping changed under a moving hand: what it did so far stays as it was.
    anchor(pair, mapping, pair.handle, R_world_camera);
  }

  // Table 3.5 eq. 9.
  pair.reference.position =
    mapping.workspace_scale * (pair.reference_origin.position +
                               R_world_camera * (handle.position - pair.handle_clutch.position));

  if (mapping.orientation == OrientationMapping::Relative) {
    // Table 3.5 eq. 10, pre-multiplied: as printed it holds only for a handle that was aligned with
    // the proxy when the clutch was released.
    pair.reference.orientation =
      (R_world_camera * turn(handle.orientation, pair.handle_clutch.orientation) *
       R_world_camera.conjugate() * pair.reference_origin.orientation)
        .normalized();
  } else {
    pair.alignment = shortened(pair.alignment, mapping.realign_rate * dt);
    pair.reference.orientation =
      (aligned(mapping, handle.orientation, R_world_camera) * pair.alignment).normalized();
  }
  pair.handle = handle;
}

void forget_handle(PairFrames & pair) noexcept { pair.anchored = false; }

Pose extrapolate_reference(
  const Pose & reference, const Pose & handle_then, const Pose & handle_now,
  const Eigen::Quaterniond & R_world_camera, double workspace_scale) noexcept
{
  const Eigen::Quaterniond turned = R_world_camera *
                                    turn(handle_now.orientation, handle_then.orientation) *
                                    R_world_camera.conjugate();
  return {
    reference.position +
      workspace_scale * (R_world_camera * (handle_now.position - handle_then.position)),
    (turned * reference.orientation).normalized()};
}

}  // namespace ambf_teleop
