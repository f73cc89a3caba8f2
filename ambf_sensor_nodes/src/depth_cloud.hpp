// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include <sensor_msgs/msg/camera_info.hpp>
#include <sensor_msgs/msg/image.hpp>
#include <sensor_msgs/msg/point_cloud2.hpp>

namespace ambf_sensors
{

/// What is wrong about a depth image or its camera info; nothing if they can be turned into a cloud.
std::optional<std::string> problem(
  const sensor_msgs::msg::Image & depth, const sensor_msgs::msg::CameraInfo & info);

/// Is the colour image of the same size and kind as a cloud needs?
bool fits(const sensor_msgs::msg::Image & depth, const sensor_msgs::msg::Image & colour);

/// An organised cloud (as wide and high as the image) in the optical frame of REP 103:
/// x = (u - cx) z / fx, y = (v - cy) z / fy; of an orthographic camera (K is 0, the last row of P 0 0 0 1)
/// x = (u - cx) / fx, y = (v - cy) / fy. Pixels without depth are NaN. `colour` may be null.
void fill(
  sensor_msgs::msg::PointCloud2 & cloud, const sensor_msgs::msg::Image & depth,
  const sensor_msgs::msg::CameraInfo & info, const sensor_msgs::msg::Image * colour);

}  // namespace ambf_sensors
