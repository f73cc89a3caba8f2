// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_rendering/annotations.hpp"

#include <algorithm>
#include <utility>

namespace ambf_rendering
{

namespace
{

constexpr double kLine = TextLayer::kLineHeight;
constexpr double kMargin = 6.0;            // of lines and captions from the edges [px]
constexpr double kPadding = 6.0;           // of a label's panel, both sides together [px]
constexpr int kLargePicture = 600;         // pictures from this height on have large captions [px]
constexpr std::size_t kCaptionLines = 3;   // of one caption
constexpr double kCaptionShare = 1.0 / 3;  // of the picture's height

double width_of(const Label & label)
{
  return label.scale * TextLayer::kAdvance * static_cast<double>(label.text.size()) + kPadding;
}

bool overlap(const Label & a, const Label & b)
{
  return a.left < b.left + width_of(b) && b.left < a.left + width_of(a) &&
         a.top < b.top + b.scale * kLine && b.top < a.top + a.scale * kLine;
}

Ogre::ColourValue colour_of(Caption::Level level)
{
  if (level == Caption::Level::Info) { return Ogre::ColourValue::White; }
  return level == Caption::Level::Warning ? Ogre::ColourValue(1.0F, 0.8F, 0.1F)
                                          : Ogre::ColourValue(1.0F, 0.35F, 0.25F);
}

/// From the lower edge up, as many as there is room for.
void add_captions(std::vector<Label> & labels, std::vector<Caption> captions, int width, int height)
{
  const int scale = height >= kLargePicture ? 2 : 1;
  const double line = scale * kLine;
  const double room = (width - 2.0 * kMargin - kPadding) / (scale * TextLayer::kAdvance);
  const auto columns = static_cast<std::size_t>(std::max(0.0, room));
  const auto rows = static_cast<std::size_t>(std::max(1.0, kCaptionShare * height / line));
  std::stable_sort(captions.begin(), captions.end(), [](const Caption & a, const Caption & b) {
    return a.level < b.level;
  });
  std::size_t used = 0;
  for (auto caption = captions.rbegin(); caption != captions.rend() && used < rows; ++caption) {
    auto lines = wrapped(caption->text, columns, std::min(kCaptionLines, rows - used));
    std::reverse(lines.begin(), lines.end());
    for (auto & text : lines) {
      const double top = height - kMargin - line * static_cast<double>(++used);
      labels.push_back({kMargin, top, std::move(text), colour_of(caption->level), scale});
    }
  }
}

}  // namespace

std::vector<Label> lay_out(
  const Annotations & what, const Eigen::Isometry3d & t_world_camera, const Lens & lens, int width,
  int height)
{
  std::vector<Label> labels;
  for (const auto & line : what.lines) {
    labels.push_back(
      {kMargin, kMargin + kLine * static_cast<double>(labels.size()), line,
       Ogre::ColourValue::White});
  }
  add_captions(labels, what.captions, width, height);
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
    Label label{0.0, y + 3.0, name.text, name.colour};
    label.left = std::clamp(x + 4.0, 0.0, std::max(0.0, width - width_of(label)));
    seen.push_back({-eye.z(), std::move(label)});
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

}  // namespace ambf_rendering
