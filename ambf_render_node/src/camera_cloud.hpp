// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include <sensor_msgs/msg/point_cloud2.hpp>

#include "ambf_rendering/camera.hpp"

namespace ambf_render
{

/// The cloud that AMBF publishes of a camera: every pixel is a point, rows from the bottom, in one row
/// (height 1), in the camera frame that looks along -x with y to the right and z up. `depth` [m] and `rgb`
/// have their rows from the top; pixels without depth become NaN. The header is left as it is.
void fill_camera_cloud(
  sensor_msgs::msg::PointCloud2 & cloud, const ambf_rendering::Lens & lens, int width, int height,
  std::span<const float> depth, std::span<const std::uint8_t> rgb);

}  // namespace ambf_render
