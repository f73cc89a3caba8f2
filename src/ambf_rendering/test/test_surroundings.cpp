// SPDX-License-Identifier: BSD-3-Clause
// The grid is for people, in worlds without a floor.

#include <memory>
#include <string>

#include "ambf_rendering/annotations.hpp"
#include "scene_fixture.hpp"

namespace
{

class Grid : public Drawing
{
protected:
  /// Pixels that the grid changes.
  std::size_t lines(bool for_people, bool asked)
  {
    const auto eye = view({0, -2, 1.0}, {0, 0, 0});
    if (for_people) { eye->annotate(&words_); }
    eye->show_grid(asked);
    const auto drawn = [&](bool grid) {
      scene_->show_surroundings(true, grid);
      return eye->picture().rgb;
    };
    const auto with = drawn(true), without = drawn(false);
    std::size_t count = 0;
    for (std::size_t i = 0; i < with.size(); ++i) {
      if (with[i] != without[i]) { ++count; }
    }
    return count;
  }
  void add_fixed(double width, double z)
  {
    const std::string size = std::to_string(width);
    const auto model = ambf_adf::parse_text(
      "namespace: /w/\nbodies: [B]\nB: {name: b, mass: 0, shape: BOX, geometry: {x: " + size +
        ", y: " + size + ", z: 0.02}, location: {position: {x: 0, y: 0, z: " + std::to_string(z) +
        "}}}\n",
      "fixed", TEST_FOLDER);
    ASSERT_TRUE(model) << ambf_adf::to_string(model.error());
    scene_->add(*model);
  }
  ambf_rendering::Annotations words_;
};

TEST_F(Grid, IsForPeopleAndInCameraImagesOnlyIfAskedFor)
{
  EXPECT_GT(lines(true, false), 500u);
  EXPECT_EQ(lines(false, false), 0u);
  EXPECT_GT(lines(false, true), 500u);
}

TEST_F(Grid, IsOffWhereTheWorldHasAFloor)
{
  add_fixed(1.0, 0.3);  // a table is none
  EXPECT_FALSE(scene_->has_floor());
  EXPECT_GT(lines(true, false), 300u);
  scene_->remove("fixed");
  add_fixed(4.0, -0.8);
  EXPECT_TRUE(scene_->has_floor());
  EXPECT_EQ(lines(true, true), 0u);
  scene_->remove("fixed");
  EXPECT_GT(lines(true, false), 500u);
}

}  // namespace
