// SPDX-License-Identifier: BSD-3-Clause
// Ghosts are seen, but have no surface.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scene_fixture.hpp"

namespace
{

using ambf_rendering::Picture;

bool is_red(const Picture & picture, std::size_t i)
{
  return picture.rgb[3 * i] > 90 && picture.rgb[3 * i] > 2 * picture.rgb[3 * i + 1];
}

std::size_t red_pixels(const Picture & picture)
{
  std::size_t count = 0;
  for (std::size_t i = 0; i < picture.rgb.size() / 3; ++i) {
    if (is_red(picture, i)) { ++count; }
  }
  return count;
}

/// Mean column of the red pixels, from 0 to 1.
double red_column(const Picture & picture)
{
  double sum = 0.0;
  for (std::size_t i = 0; i < picture.rgb.size() / 3; ++i) {
    if (is_red(picture, i)) {
      sum += static_cast<double>(i % static_cast<std::size_t>(picture.width));
    }
  }
  return sum / static_cast<double>(red_pixels(picture)) / picture.width;
}

class Ghosts : public Drawing
{
protected:
  void add_text(const std::string & text, const std::string & name)
  {
    const auto model = ambf_adf::parse_text("namespace: /w/\n" + text, name, TEST_FOLDER);
    ASSERT_TRUE(model) << ambf_adf::to_string(model.error());
    scene_->add(*model);
    scene_->place_ghosts();
  }
  void add_ghost(const std::string & more = "")
  {
    add_text(
      "ghost objects: [G]\nG: {name: g, parent: /w/BODY base, shape: BOX, geometry: {x: 0.3, y: "
      "0.3, z: 0.3}, "
      "collision shape: BOX, collision geometry: {x: 0.3, y: 0.3, z: 0.3}, "
      "location: {position: {x: 0, y: 0, z: 0.1}, orientation: {r: 0, p: 0, y: 0}}, "
      "color rgba: {r: 0.9, g: 0.05, b: 0.05, a: 0.6}" +
        more + "}\n",
      "ghosts");
  }
  std::unique_ptr<ambf_rendering::View> camera() { return view({0, -2, 0.1}, {0, 0, 0.1}); }
};

TEST_F(Ghosts, AreDrawnWhereTheirParentIs)
{
  // Loaded before its parent, from another file: as it comes in launch files.
  add_ghost();
  add(
    {"base"}, body(
                "base", "shape: SPHERE\n  geometry: {radius: 0.02}", "{x: 0, y: 0, z: 0}",
                "{r: 0.1, g: 0.2, b: 0.8, a: 1}"));
  scene_->place_ghosts();
  EXPECT_EQ(scene_->ghost_count(), 1u);
  const Picture before = camera()->picture();
  ASSERT_GT(red_pixels(before), 200u);
  EXPECT_NEAR(red_column(before), 0.5, 0.03);
  scene_->place(*scene_->body("/w/BODY base"), {0.5, 0, 0}, Eigen::Quaterniond::Identity());
  scene_->place_ghosts();
  EXPECT_GT(red_column(camera()->picture()), 0.65);
  scene_->remove("ghosts");
  EXPECT_EQ(scene_->ghost_count(), 0u);
  EXPECT_EQ(red_pixels(camera()->picture()), 0u);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(Ghosts, HaveNoDepthAndNoIdentity)
{
  add_ghost();
  const auto eye = camera();
  std::vector<float> depth(160 * 120);
  std::vector<std::int32_t> identity(160 * 120);
  eye->draw_depth(depth);
  eye->draw_identity(identity);
  EXPECT_TRUE(std::all_of(depth.begin(), depth.end(), [](float d) { return std::isinf(d); }));
  EXPECT_TRUE(std::all_of(identity.begin(), identity.end(), [](std::int32_t i) { return i == 0; }));
  EXPECT_GT(red_pixels(eye->picture()), 200u);
}

TEST_F(Ghosts, AreHiddenWhereTheirFileSaysSo)
{
  add_ghost(", visible: false");
  EXPECT_EQ(red_pixels(camera()->picture()), 0u);
}

}  // namespace
