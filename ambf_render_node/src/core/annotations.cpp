// SPDX-License-Identifier: BSD-3-Clause
#include "annotations.hpp"

#include <algorithm>
#include <cmath>

namespace ambf_render
{

namespace
{

constexpr double kLine = TextLayer::kLineHeight;

double width_of(const std::string & text)
{
  return TextLayer::kAdvance * static_cast<double>(text.size()) + 6.0;
}

bool overlap(const Label & a, const Label & b)
{
  return a.left < b.left + width_of(b.text) && b.left < a.left + width_of(a.text) &&
         std::abs(a.top - b.top) < kLine;
}

}  // namespace

std::vector<Label> lay_out(
  const Annotations & what, const Eigen::Isometry3d & t_world_camera, const Lens & lens, int width,
  int height)
{
  std::vector<Label> labels;
  for (const auto & line : what.lines) {
    labels.push_back(
      {6.0, 6.0 + kLine * static_cast<double>(labels.size()), line, Ogre::ColourValue::White});
  }
  const Eigen::Matrix4d to_picture = projection(lens, static_cast<double>(width) / height);
  const Eigen::Isometry3d to_eye = t_world_camera.inverse();
  struct Seen
  {
    double distance;
    Label label;
  };
  std::vector<Seen> seen;
  for (const auto & name : what.names) {
    const Eigen::Vector3d eye = drawing_from_camera().transpose() * (to_eye * name.place);
    if (-eye.z() < lens.near_plane || -eye.z() > lens.far_plane) { continue; }
    const Eigen::Vector4d clip = to_picture * eye.homogeneous();
    const double x = 0.5 * (1.0 + clip.x() / clip.w()) * width,
                 y = 0.5 * (1.0 - clip.y() / clip.w()) * height;
    if (x < 0.0 || y < 0.0 || x >= width || y >= height) { continue; }
    const double left = std::clamp(x + 4.0, 0.0, std::max(0.0, width - width_of(name.text)));
    seen.push_back({-eye.z(), {left, y + 3.0, name.text, name.colour}});
  }
  std::stable_sort(seen.begin(), seen.end(), [](const Seen & a, const Seen & b) {
    return a.distance < b.distance;
  });
  for (auto & candidate : seen) {
    for (int attempt = 0; attempt < 3; ++attempt) {
      const bool free = std::none_of(labels.begin(), labels.end(), [&](const Label & other) {
        return overlap(candidate.label, other);
      });
      if (free) {
        labels.push_back(candidate.label);
        break;
      }
      candidate.label.top += kLine;
    }
  }
  return labels;
}

}  // namespace ambf_render
