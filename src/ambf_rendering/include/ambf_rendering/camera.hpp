// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include <Eigen/Geometry>

#include "ambf_adf/expected.hpp"
#include "ambf_adf/scene_objects.hpp"

namespace ambf_rendering
{

/// How a camera maps space to pixels.
struct Lens
{
  double near_plane = 0.1;                        ///< [m]
  double far_plane = 10.0;                        ///< [m]
  double field_view_angle = 0.7;                  ///< vertical [rad]
  std::optional<double> orthographic_view_width;  ///< [m]; absent: perspective
  /// Tangent that the picture's middle is to the left of straight ahead: nonzero for an eye of a pair
  /// whose pictures meet in front of it.
  double shift = 0.0;
  friend bool operator==(const Lens &, const Lens &) = default;
};

/// Pin-hole parameters in pixels; the centre of the first pixel is (0, 0), as in OpenCV and ROS.
struct Intrinsics
{
  double fx = 0.0, fy = 0.0, cx = 0.0, cy = 0.0;
};

/// The lens of a camera block, or what is impossible about it.
ambf_adf::expected<Lens, std::string> to_lens(const ambf_adf::Camera & camera);

/// Orthographic cameras have no pin-hole parameters: fx, fy are pixels per metre then.
Intrinsics intrinsics(const Lens & lens, int width, int height);

/// OpenGL's projection matrix (row-major, camera looks along -z, depth -1 .. 1).
Eigen::Matrix4d projection(const Lens & lens, double aspect);

/// One eye of a pair: to the side of the camera's middle, looking the same way.
enum class Eye
{
  Left,
  Right
};
Eigen::Isometry3d eye_pose(const Eigen::Isometry3d & t_world_camera, double separation, Eye eye);
/// The eye's lens for people: both pictures coincide for things `focal_length` in front of the pair.
Lens eye_lens(const Lens & lens, const ambf_adf::Stereo & stereo, Eye eye);
/// What is impossible about a pair, or empty.
std::string stereo_problem(const ambf_adf::Camera & camera);

/// R_CO from AMBF's camera frame to the optical frame of REP-103 (z ahead, x right, y down).
Eigen::Matrix3d optical_from_camera();
/// R_CG to the frame that OpenGL draws in (-z ahead, x right, y up).
Eigen::Matrix3d drawing_from_camera();

}  // namespace ambf_rendering
