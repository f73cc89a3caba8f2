// SPDX-License-Identifier: BSD-3-Clause
#include "camera_cloud.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace ambf_render
{

void fill_camera_cloud(
  sensor_msgs::msg::PointCloud2 & cloud, const ambf_rendering::Lens & lens, int width, int height,
  std::span<const float> depth, std::span<const std::uint8_t> rgb)
{
  using sensor_msgs::msg::PointField;
  constexpr std::uint32_t size = 16;
  cloud.fields.resize(4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    auto & field = cloud.fields[i];
    field.name = std::array{"x", "y", "z", "rgb"}[i];
    field.offset = 4 * i;
    field.datatype = PointField::FLOAT32;
    field.count = 1;
  }
  cloud.width = static_cast<std::uint32_t>(width) * static_cast<std::uint32_t>(height);
  cloud.height = 1;
  cloud.point_step = size;
  cloud.row_step = size * cloud.width;
  cloud.is_bigendian = false;
  cloud.is_dense = false;
  cloud.data.resize(cloud.row_step);
  const ambf_rendering::Intrinsics k = ambf_rendering::intrinsics(lens, width, height);
  const bool orthographic = lens.orthographic_view_width.has_value();
  std::uint8_t * out = cloud.data.data();
  for (int v = height - 1; v >= 0; --v) {
    for (int u = 0; u < width; ++u, out += size) {
      const auto pixel =
        static_cast<std::size_t>(v) * static_cast<std::size_t>(width) + static_cast<std::size_t>(u);
      const double ahead = std::isfinite(depth[pixel]) ? static_cast<double>(depth[pixel])
                                                       : std::numeric_limits<double>::quiet_NaN();
      // An orthographic camera's rays are parallel; NaN stays NaN.
      const double spread = orthographic ? 1.0 + 0.0 * ahead : ahead;
      const float point[3] = {
        static_cast<float>(-ahead), static_cast<float>((u - k.cx) * spread / k.fx),
        static_cast<float>((k.cy - v) * spread / k.fy)};
      std::memcpy(out, point, sizeof(point));
      const std::uint8_t * colour = rgb.data() + 3 * pixel;
      const std::uint32_t packed = static_cast<std::uint32_t>(colour[0]) << 16 |
                                   static_cast<std::uint32_t>(colour[1]) << 8 | colour[2];
      std::memcpy(out + 12, &packed, sizeof(packed));
    }
  }
}

}  // namespace ambf_render
