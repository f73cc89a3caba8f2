// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "ambf_rendering/view.hpp"

using ambf_rendering::Picture;

inline bool is_orange(const Picture & picture, int u, int v)
{
  const std::uint8_t * p = &picture.rgb[static_cast<std::size_t>(3 * (picture.width * v + u))];
  return p[0] > 200 && p[1] > 90 && p[1] < 190 && p[2] < 90;
}

/// Something orange within two pixels of where a point of the world is drawn.
inline bool orange_at(
  const ambf_rendering::View & view, const Picture & picture, const Eigen::Vector3d & place)
{
  const auto k = ambf_rendering::intrinsics(view.lens(), view.width(), view.height());
  Eigen::Isometry3d optical = view.pose();
  optical.linear() = optical.linear() * ambf_rendering::optical_from_camera();
  const Eigen::Vector3d p = optical.inverse() * place;
  const int u = static_cast<int>(std::lround(k.fx * p.x() / p.z() + k.cx));
  const int v = static_cast<int>(std::lround(k.fy * p.y() / p.z() + k.cy));
  for (int dv = -2; dv <= 2; ++dv) {
    for (int du = -2; du <= 2; ++du) {
      const bool inside =
        u + du >= 0 && v + dv >= 0 && u + du < view.width() && v + dv < view.height();
      if (inside && is_orange(picture, u + du, v + dv)) { return true; }
    }
  }
  return false;
}

/// The pixels in which two pictures differ, as column and row.
inline std::vector<std::array<int, 2>> changed(const Picture & a, const Picture & b)
{
  std::vector<std::array<int, 2>> places;
  for (int v = 0; v < a.height; ++v) {
    for (int u = 0; u < a.width; ++u) {
      const auto at = static_cast<std::size_t>(3 * (a.width * v + u));
      if (!std::equal(&a.rgb[at], &a.rgb[at] + 3, &b.rgb[at])) { places.push_back({u, v}); }
    }
  }
  return places;
}
