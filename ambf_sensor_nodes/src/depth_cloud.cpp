// SPDX-License-Identifier: BSD-3-Clause
#include "depth_cloud.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace ambf_sensors
{

using sensor_msgs::msg::CameraInfo;
using sensor_msgs::msg::Image;
using sensor_msgs::msg::PointCloud2;
using sensor_msgs::msg::PointField;

namespace
{

void add_field(PointCloud2 & cloud, const char * name, std::uint32_t offset)
{
  PointField field;
  field.name = name;
  field.offset = offset;
  field.datatype = PointField::FLOAT32;
  field.count = 1;
  cloud.fields.push_back(field);
}

/// How a pixel becomes a direction. A pin-hole is in K; an orthographic camera has none, and a P that gives
/// (u, v, 1) at any depth, with fx, fy in pixels per metre.
struct Lens
{
  double fx, fy, cx, cy;
  bool orthographic;
};

Lens lens_of(const CameraInfo & info)
{
  const auto & p = info.p;
  if (info.k[0] == 0.0 && p[8] == 0.0 && p[9] == 0.0 && p[10] == 0.0 && p[11] == 1.0) {
    return {p[0], p[5], p[3], p[7], true};
  }
  return {info.k[0], info.k[4], info.k[2], info.k[5], false};
}

}  // namespace

std::optional<std::string> problem(const Image & depth, const CameraInfo & info)
{
  if (depth.encoding != "32FC1") {
    return "depth image: found encoding '" + depth.encoding + "', expected 32FC1";
  }
  if (depth.is_bigendian != 0) { return "depth image: expected little-endian values"; }
  if (depth.step < 4 * depth.width || depth.data.size() < std::size_t{depth.step} * depth.height) {
    return "depth image: found " + std::to_string(depth.data.size()) + " bytes, expected " +
           std::to_string(std::size_t{4} * depth.width * depth.height);
  }
  if (info.width != depth.width || info.height != depth.height) {
    return "camera info is of " + std::to_string(info.width) + " x " + std::to_string(info.height) +
           ", the image of " + std::to_string(depth.width) + " x " + std::to_string(depth.height);
  }
  if (const Lens lens = lens_of(info); !(lens.fx > 0.0) || !(lens.fy > 0.0)) {
    return "camera info: found focal lengths " + std::to_string(lens.fx) + ", " +
           std::to_string(lens.fy) + ", expected more than 0 pixels";
  }
  return {};
}

bool fits(const Image & depth, const Image & colour)
{
  return colour.encoding == "rgb8" && colour.width == depth.width &&
         colour.height == depth.height && colour.step >= 3 * colour.width &&
         colour.data.size() >= std::size_t{colour.step} * colour.height;
}

void fill(PointCloud2 & cloud, const Image & depth, const CameraInfo & info, const Image * colour)
{
  cloud.header = depth.header;
  cloud.width = depth.width;
  cloud.height = depth.height;
  cloud.fields.clear();
  add_field(cloud, "x", 0);
  add_field(cloud, "y", 4);
  add_field(cloud, "z", 8);
  if (colour != nullptr) { add_field(cloud, "rgb", 12); }
  cloud.is_bigendian = false;
  cloud.is_dense = false;
  cloud.point_step = colour != nullptr ? 16 : 12;
  cloud.row_step = cloud.point_step * cloud.width;
  cloud.data.resize(std::size_t{cloud.row_step} * cloud.height);
  const Lens lens = lens_of(info);
  const auto fx = static_cast<float>(lens.fx), cx = static_cast<float>(lens.cx);
  const auto fy = static_cast<float>(lens.fy), cy = static_cast<float>(lens.cy);
  constexpr float nothing = std::numeric_limits<float>::quiet_NaN();
  for (std::uint32_t v = 0; v < cloud.height; ++v) {
    const std::uint8_t * row = depth.data.data() + std::size_t{v} * depth.step;
    std::uint8_t * out = cloud.data.data() + std::size_t{v} * cloud.row_step;
    for (std::uint32_t u = 0; u < cloud.width; ++u, out += cloud.point_step) {
      float z = 0.0F;
      std::memcpy(&z, row + std::size_t{4} * u, 4);
      if (!std::isfinite(z)) { z = nothing; }
      const float spread = !lens.orthographic || std::isnan(z) ? z : 1.0F;
      const float point[3] = {
        (static_cast<float>(u) - cx) * spread / fx, (static_cast<float>(v) - cy) * spread / fy, z};
      std::memcpy(out, point, 12);
      if (colour != nullptr) {
        const std::uint8_t * rgb =
          colour->data.data() + std::size_t{v} * colour->step + std::size_t{3} * u;
        const std::uint32_t packed = static_cast<std::uint32_t>(rgb[0]) << 16 |
                                     static_cast<std::uint32_t>(rgb[1]) << 8 | rgb[2];
        std::memcpy(out + 12, &packed, 4);
      }
    }
  }
}

}  // namespace ambf_sensors
