// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_rendering/camera.hpp"

#include <cmath>
#include <numbers>

namespace ambf_rendering
{

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::Vector3d;

ambf_adf::expected<Lens, std::string> to_lens(const ambf_adf::Camera & camera)
{
  const auto wrong = [&](const std::string & what, double found, const std::string & right) {
    return tl::unexpected(
      "camera '" + camera.header.name + "': " + what + ": found " + std::to_string(found) +
      ", expected " + right);
  };
  Lens lens{
    camera.near_plane, camera.far_plane, camera.field_view_angle, camera.orthographic_view_width,
    0.0};
  if (!(lens.near_plane > 0.0) || !std::isfinite(lens.near_plane)) {
    return wrong("clipping plane/near", lens.near_plane, "a distance above 0 m");
  }
  if (!(lens.far_plane > lens.near_plane) || !std::isfinite(lens.far_plane)) {
    return wrong("clipping plane/far", lens.far_plane, "a distance beyond the near plane");
  }
  if (!(lens.field_view_angle > 0.001 && lens.field_view_angle < 3.1)) {
    return wrong("field view angle", lens.field_view_angle, "0.001 to 3.1 rad");
  }
  if (lens.orthographic_view_width && !(*lens.orthographic_view_width > 0.0)) {
    return wrong("orthographic view width", *lens.orthographic_view_width, "a width above 0 m");
  }
  return lens;
}

Intrinsics intrinsics(const Lens & lens, int width, int height)
{
  Intrinsics k;
  k.fy = lens.orthographic_view_width ? width / *lens.orthographic_view_width
                                      : 0.5 * height / std::tan(0.5 * lens.field_view_angle);
  k.fx = k.fy;
  k.cx = 0.5 * (width - 1);
  k.cy = 0.5 * (height - 1);
  return k;
}

Matrix4d projection(const Lens & lens, double aspect)
{
  const double n = lens.near_plane, f = lens.far_plane;
  Matrix4d p = Matrix4d::Zero();
  if (lens.orthographic_view_width) {
    p(0, 0) = 2.0 / *lens.orthographic_view_width;
    p(1, 1) = p(0, 0) * aspect;
    p(2, 2) = -2.0 / (f - n);
    p(2, 3) = -(f + n) / (f - n);
    p(3, 3) = 1.0;
    return p;
  }
  p(1, 1) = 1.0 / std::tan(0.5 * lens.field_view_angle);
  p(0, 0) = p(1, 1) / aspect;
  p(0, 2) = -p(0, 0) * lens.shift;
  p(2, 2) = -(f + n) / (f - n);
  p(2, 3) = -2.0 * f * n / (f - n);
  p(3, 2) = -1.0;
  return p;
}

Isometry3d eye_pose(const Isometry3d & t_world_camera, double separation, Eye eye)
{
  return t_world_camera *
         Eigen::Translation3d(0.0, (eye == Eye::Left ? -0.5 : 0.5) * separation, 0.0);
}

Lens eye_lens(const Lens & lens, const ambf_adf::Stereo & stereo, Eye eye)
{
  Lens own = lens;
  own.shift = (eye == Eye::Left ? -0.5 : 0.5) * stereo.eye_separation / stereo.focal_length;
  return own;
}

std::string stereo_problem(const ambf_adf::Camera & camera)
{
  if (!camera.stereo) { return {}; }
  const auto wrong = [&](const std::string & what, double found) {
    return "camera '" + camera.header.name + "': stereo/" + what + ": found " +
           std::to_string(found) + ", expected a distance above 0 m";
  };
  const auto possible = [](double value) { return value > 0.0 && std::isfinite(value); };
  if (!possible(camera.stereo->eye_separation)) {
    return wrong("eye separation", camera.stereo->eye_separation);
  }
  if (!possible(camera.stereo->focal_length)) {
    return wrong("focal length", camera.stereo->focal_length);
  }
  if (camera.orthographic_view_width) {
    return "camera '" + camera.header.name + "': stereo: an orthographic camera has no eyes";
  }
  return {};
}

Matrix3d optical_from_camera()
{
  Matrix3d r;
  r.col(0) = Vector3d::UnitY();
  r.col(1) = -Vector3d::UnitZ();
  r.col(2) = -Vector3d::UnitX();
  return r;
}

Matrix3d drawing_from_camera()
{
  Matrix3d r;
  r.col(0) = Vector3d::UnitY();
  r.col(1) = Vector3d::UnitZ();
  r.col(2) = Vector3d::UnitX();
  return r;
}

}  // namespace ambf_rendering
