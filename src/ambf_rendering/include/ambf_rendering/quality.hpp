// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace ambf_rendering
{

/// How much drawing may cost.
enum class Quality
{
  Auto,  ///< windows and camera images low, saved pictures and videos high
  Low,
  High
};

/// Samples per pixel (0: one) and sizes [px].
struct Detail
{
  int samples = 0;  ///< of windows and camera images
  int window_width = 0, window_height = 0;
  int picture_samples = 0;
  int picture_width = 0,
      picture_height = 0;  ///< of saved pictures and videos; 0: as the camera's images
  friend bool operator==(const Detail &, const Detail &) = default;
};

/// `in_software`: a processor draws, which pays for every sample and every pixel.
constexpr Detail detail_of(Quality quality, bool in_software)
{
  const bool cheap = quality != Quality::High;
  Detail detail;
  detail.samples = cheap && in_software ? 0 : 4;
  detail.window_width = !cheap ? 1280 : in_software ? 640 : 960;
  detail.window_height = cheap && in_software ? 480 : 720;
  const bool plain = quality == Quality::Low;
  detail.picture_samples = plain && in_software ? 0 : 4;
  detail.picture_width = plain ? 0 : 1280;
  detail.picture_height = plain ? 0 : 720;
  return detail;
}

}  // namespace ambf_rendering
