// SPDX-License-Identifier: BSD-3-Clause
// Words on pictures: their places, their sizes, nothing beside them.

#include <algorithm>
#include <string>
#include <tuple>

#include "ambf_rendering/annotations.hpp"
#include "pixels.hpp"
#include "scene_fixture.hpp"

namespace
{

using ambf_rendering::Annotations;
using ambf_rendering::Caption;
using Eigen::Vector3d;

class AnnotatedPictures : public Drawing
{
};

TEST_F(AnnotatedPictures, WordsAreWrittenIntoTheirCornerAndNowhereElse)
{
  auto camera = view({2, 0, 0}, {0, 0, 0});
  Annotations words;
  camera->annotate(&words);
  const Picture empty = camera->picture();
  words.lines = {"real time"};
  const Picture written = camera->picture();
  const auto places = changed(empty, written);
  EXPECT_GT(places.size(), 500U);
  for (const auto & [u, v] : places) {
    ASSERT_TRUE(u >= 6 && u < 6 + 8 * 9 + 6 && v >= 6 && v < 6 + 17) << u << " " << v;
  }
  int bright = 0;
  for (const auto & [u, v] : places) {
    bright += written.rgb[static_cast<std::size_t>(3 * (160 * v + u))] > 200;
  }
  EXPECT_GT(bright, 80);  // ink
  words.lines = {"real tame"};
  const auto other = changed(written, camera->picture());
  EXPECT_FALSE(other.empty());
  for (const auto & [u, v] : other) {
    ASSERT_TRUE(u >= 8 + 6 * 8 && u < 8 + 7 * 8 + 4) << u << " " << v;  // the seventh letter
  }
}

TEST_F(AnnotatedPictures, CaptionsStandAtTheLowerEdgeALineForEachSource)
{
  auto camera = view({2, 0, 0}, {0, 0, 0}, 320, 240);
  Annotations words;
  camera->annotate(&words);
  const Picture empty = camera->picture();
  words.captions = {{"the arm has a FAULT", Caption::Level::Error}, {"PSM2 waits"}};
  const Picture written = camera->picture();
  // What is wrong is the lower line, whoever spoke first.
  int upper = 0, lower = 0;
  for (const auto & [u, v] : changed(empty, written)) {
    ASSERT_TRUE(u >= 6 && v >= 240 - 6 - 2 * 17 && v < 240 - 6) << u << " " << v;
    (v < 240 - 6 - 17 ? upper : lower) = std::max(v < 240 - 6 - 17 ? upper : lower, u);
  }
  EXPECT_EQ(upper, 6 + 8 * 10 + 6 - 1);
  EXPECT_EQ(lower, 6 + 8 * 19 + 6 - 1);
  int red_above = 0, red_below = 0;
  for (int v = 200; v < 234; ++v) {
    for (int u = 6; u < 170; ++u) {
      const std::uint8_t * p = &written.rgb[static_cast<std::size_t>(3 * (320 * v + u))];
      (v < 217 ? red_above : red_below) += p[0] > 200 && p[1] < 130 && p[2] < 110;
    }
  }
  EXPECT_EQ(red_above, 0);
  EXPECT_GT(red_below, 80);
}

TEST(CaptionLabels, AreLargeOnALargePictureAndNeverMoreThanAThirdOfIt)
{
  const ambf_rendering::Lens lens{0.05, 20.0, 0.8, {}};
  const auto pose = ambf_adf::looking({2, 0, 0}, {0, 0, 0}, Vector3d::UnitZ());
  Annotations words;
  for (int i = 0; i < 9; ++i) { words.captions.push_back({std::string(500, 'x')}); }
  for (const auto & [width, height, scale] : {std::tuple(320, 240, 1), {1280, 720, 2}}) {
    const auto labels = ambf_rendering::lay_out(words, pose, lens, width, height);
    ASSERT_GE(labels.size(), 3U);
    for (const auto & label : labels) {
      EXPECT_EQ(label.scale, scale);
      EXPECT_LE(label.left + scale * 8.0 * static_cast<double>(label.text.size()) + 6.0, width - 6);
      EXPECT_GE(label.top, height * 2.0 / 3.0 - 6.0);
      EXPECT_LE(label.top + scale * 17.0, height - 6.0);
    }
  }
}

TEST(NameLabels, StandWhereTheirBodiesAreNearestFirst)
{
  const ambf_rendering::Lens lens{0.05, 20.0, 0.8, {}};
  const auto pose = ambf_adf::looking({2, 0, 0}, {0, 0, 0}, Vector3d::UnitZ());
  Annotations words;
  words.names.push_back({{-1, 0, 0}, "behind", Ogre::ColourValue::White});
  words.names.push_back({{0, 0, 0}, "before", Ogre::ColourValue::White});
  words.names.push_back({{5, 0, 0}, "at my back", Ogre::ColourValue::White});
  words.names.push_back({{0, 30, 0}, "outside", Ogre::ColourValue::White});
  const auto labels = ambf_rendering::lay_out(words, pose, lens, 640, 480);
  ASSERT_EQ(labels.size(), 2U);
  EXPECT_EQ(labels[0].text, "before");
  EXPECT_NEAR(labels[0].left, 320 + 4, 1.0);
  EXPECT_NEAR(labels[0].top, 240 + 3, 1.0);
  EXPECT_EQ(labels[1].text, "behind");  // moved below the nearer one
  EXPECT_NEAR(labels[1].top, labels[0].top + 17, 1.0);
}

}  // namespace
