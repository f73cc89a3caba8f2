// SPDX-License-Identifier: BSD-3-Clause
// What is drawn for people: words, captions, selection, hands, rays, stereo pairs.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "core/overlays.hpp"
#include "core/quality.hpp"
#include "core/rays.hpp"
#include "scene_fixture.hpp"

namespace
{

using ambf_render::Annotations;
using ambf_render::Caption;
using ambf_render::CaptionBoard;
using ambf_render::Eye;
using ambf_render::OverlayMarks;
using ambf_render::Overlays;
using ambf_render::OverlaySettings;
using ambf_render::Picture;
using Eigen::Vector3d;

class People : public Drawing
{
protected:
  static constexpr int kWidth = 160, kHeight = 120;

  static bool is_orange(const Picture & picture, int u, int v)
  {
    const std::uint8_t * p = &picture.rgb[static_cast<std::size_t>(3 * (picture.width * v + u))];
    return p[0] > 200 && p[1] > 90 && p[1] < 190 && p[2] < 90;
  }
  /// Something orange within two pixels of where a point of the world is drawn.
  static bool orange_at(
    const ambf_render::View & view, const Picture & picture, const Vector3d & place)
  {
    const auto k = ambf_render::intrinsics(view.lens(), view.width(), view.height());
    Eigen::Isometry3d optical = view.pose();
    optical.linear() = optical.linear() * ambf_render::optical_from_camera();
    const Vector3d p = optical.inverse() * place;
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
  static std::vector<std::array<int, 2>> changed(const Picture & a, const Picture & b)
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
  void add_box()
  {
    add(
      {"box"}, body(
                 "box", "shape: BOX\n  geometry: {x: 0.4, y: 0.4, z: 0.4}", "{x: 0, y: 0, z: 0}",
                 "{r: 0.1, g: 0.2, b: 0.8, a: 1}"));
  }
};

TEST_F(People, WordsAreWrittenIntoTheirCornerAndNowhereElse)
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
    bright += written.rgb[static_cast<std::size_t>(3 * (kWidth * v + u))] > 200;
  }
  EXPECT_GT(bright, 80);  // ink
  words.lines = {"real tame"};
  const auto other = changed(written, camera->picture());
  EXPECT_FALSE(other.empty());
  for (const auto & [u, v] : other) {
    ASSERT_TRUE(u >= 8 + 6 * 8 && u < 8 + 7 * 8 + 4) << u << " " << v;  // the seventh letter
  }
}

TEST_F(People, CaptionsStandAtTheLowerEdgeALineForEachSource)
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

TEST(Captions, AreTheNewestOfEachSourceUntilTheirTimeHasRunOut)
{
  using Lines = std::vector<Caption>;
  const auto now = CaptionBoard::Clock::now();
  const auto later = [&](double seconds) {
    return now + std::chrono::milliseconds(std::lround(1e3 * seconds));
  };
  CaptionBoard board;
  board.put("first", {"waits"}, 0.0, now);
  board.put("second", {"has a FAULT", Caption::Level::Error}, 2.0, now);
  board.put("first", {"takes ring 1"}, 0.0, later(1.0));
  const Lines both{{"takes ring 1"}, {"has a FAULT", Caption::Level::Error}};
  EXPECT_EQ(board.lines(later(1.9)), both);
  EXPECT_EQ(board.lines(later(2.1)), Lines{{"takes ring 1"}});
  EXPECT_EQ(board.lines(later(1e5)), Lines{{"takes ring 1"}});
  board.put("first", {""}, 0.0, later(3.0));
  EXPECT_TRUE(board.lines(later(3.0)).empty());
  board.put("first", {"for ever"}, std::numeric_limits<double>::quiet_NaN(), now);
  EXPECT_EQ(board.lines(later(1e6)).size(), 1U);
  for (int i = 0; i < 100; ++i) {
    board.put(std::to_string(i), {std::string(1000, 'x')}, 0.0, now);
  }
  EXPECT_EQ(board.lines(now).size(), CaptionBoard::kSources);
  EXPECT_EQ(board.lines(now).back().text.size(), CaptionBoard::kLength);
}

TEST(Captions, AreBrokenBetweenWordsAndCutWhereTheyAreTooLong)
{
  using Lines = std::vector<std::string>;
  EXPECT_EQ(ambf_render::wrapped("one two three", 8, 3), (Lines{"one two", "three"}));
  EXPECT_EQ(ambf_render::wrapped("abcdefghij", 4, 3), (Lines{"abcd", "efgh", "ij"}));
  EXPECT_EQ(ambf_render::wrapped("a b c d e f g", 5, 2), (Lines{"a b c", "d ..."}));
  EXPECT_EQ(ambf_render::wrapped("one\ntwo\t30\u00b0", 80, 3), (Lines{"one two 30?"}));
  EXPECT_TRUE(ambf_render::wrapped("", 80, 3).empty());
  EXPECT_TRUE(ambf_render::wrapped("text", 0, 3).empty());
}

TEST(Captions, AreLargeOnALargePictureAndNeverMoreThanAThirdOfIt)
{
  const ambf_render::Lens lens{0.05, 20.0, 0.8, {}};
  const auto pose = ambf_adf::looking({2, 0, 0}, {0, 0, 0}, Vector3d::UnitZ());
  Annotations words;
  for (int i = 0; i < 9; ++i) { words.captions.push_back({std::string(500, 'x')}); }
  for (const auto & [width, height, scale] : {std::tuple(320, 240, 1), {1280, 720, 2}}) {
    const auto labels = ambf_render::lay_out(words, pose, lens, width, height);
    ASSERT_GE(labels.size(), 3U);
    for (const auto & label : labels) {
      EXPECT_EQ(label.scale, scale);
      EXPECT_LE(label.left + scale * 8.0 * static_cast<double>(label.text.size()) + 6.0, width - 6);
      EXPECT_GE(label.top, height * 2.0 / 3.0 - 6.0);
      EXPECT_LE(label.top + scale * 17.0, height - 6.0);
    }
  }
}

TEST_F(People, CameraImagesHaveNoOverlays)
{
  add_box();
  auto camera = view({2, 0, 0}, {0, 0, 0});
  const Picture before = camera->picture();
  Overlays overlays(*scene_);
  OverlaySettings all;
  all.frames = all.names = all.rates = true;
  OverlayMarks marks;
  marks.rates = {"rates"};
  marks.captions = {{"what hands do"}};
  marks.selected = "/w/BODY box";
  overlays.draw(all, marks);
  EXPECT_TRUE(changed(before, camera->picture()).empty());
  camera->annotate(&overlays.annotations());
  EXPECT_GT(changed(before, camera->picture()).size(), 100U);
}

TEST(Names, StandWhereTheirBodiesAreNearestFirst)
{
  const ambf_render::Lens lens{0.05, 20.0, 0.8, {}};
  const auto pose = ambf_adf::looking({2, 0, 0}, {0, 0, 0}, Vector3d::UnitZ());
  Annotations words;
  words.names.push_back({{-1, 0, 0}, "behind", Ogre::ColourValue::White});
  words.names.push_back({{0, 0, 0}, "before", Ogre::ColourValue::White});
  words.names.push_back({{5, 0, 0}, "at my back", Ogre::ColourValue::White});
  words.names.push_back({{0, 30, 0}, "outside", Ogre::ColourValue::White});
  const auto labels = ambf_render::lay_out(words, pose, lens, 640, 480);
  ASSERT_EQ(labels.size(), 2U);
  EXPECT_EQ(labels[0].text, "before");
  EXPECT_NEAR(labels[0].left, 320 + 4, 1.0);
  EXPECT_NEAR(labels[0].top, 240 + 3, 1.0);
  EXPECT_EQ(labels[1].text, "behind");  // moved below the nearer one
  EXPECT_NEAR(labels[1].top, labels[0].top + 17, 1.0);
}

TEST_F(People, WhatIsSelectedHasABoxAroundItAndAName)
{
  add_box();
  auto camera = view({2, 0.3, 0.5}, {0, 0, 0});
  EXPECT_EQ(camera->identity_at(kWidth / 2, kHeight / 2), 1);
  EXPECT_EQ(camera->identity_at(2, 2), 0);
  EXPECT_EQ(camera->identity_at(-1, 500), 0);
  scene_->place(*scene_->body("/w/BODY box"), {0, 0.1, 0}, Eigen::Quaterniond::Identity());
  Overlays overlays(*scene_);
  camera->annotate(&overlays.annotations());
  OverlayMarks marks;
  overlays.draw({}, marks);
  EXPECT_FALSE(orange_at(*camera, camera->picture(), {0.2, 0.3, 0.2}));
  marks.selected = "/w/BODY box";
  overlays.draw({}, marks);
  const Picture picture = camera->picture();
  for (const double y : {-0.1, 0.3}) { EXPECT_TRUE(orange_at(*camera, picture, {0.2, y, 0.2})); }
  ASSERT_EQ(overlays.annotations().names.size(), 1U);
  EXPECT_EQ(overlays.annotations().names[0].text, "/w/BODY box");
  const auto focus = scene_->focus("/w/BODY box");
  ASSERT_TRUE(focus);
  EXPECT_TRUE(focus->centre.isApprox(Vector3d(0, 0.1, 0), 1e-6));
  EXPECT_NEAR(focus->radius, 0.2 * std::sqrt(3.0), 0.01);  // the engine pads bounds by a hundredth
  marks.selected = "nobody";
  overlays.draw({}, marks);  // gone in the meantime
  EXPECT_TRUE(overlays.annotations().names.empty());
}

TEST_F(People, AHandIsAStringFromItsProxyToItsReference)
{
  auto camera = view({2, 0, 0}, {0, 0, 0});
  Overlays overlays(*scene_);
  camera->annotate(&overlays.annotations());
  OverlayMarks marks;
  ambf_render::HandMark hand{
    "left hand", Eigen::Isometry3d::Identity(), Eigen::Isometry3d::Identity(), {0, 0, 3}};
  hand.proxy.translation() << 0, -0.4, -0.3;
  hand.reference.translation() << 0, 0.4, -0.3;
  marks.hands = {hand};
  OverlaySettings settings;
  overlays.draw(settings, marks);
  EXPECT_TRUE(overlays.annotations().names.empty());
  settings.hands = true;
  overlays.draw(settings, marks);
  const Picture picture = camera->picture();
  for (const double y : {-0.1, 0.1, 0.2, 0.3}) {
    EXPECT_TRUE(orange_at(*camera, picture, {0, y, -0.3})) << y;
  }
  EXPECT_FALSE(orange_at(*camera, picture, {0, 0.5, -0.3}));
  ASSERT_EQ(overlays.annotations().names.size(), 1U);
  EXPECT_EQ(overlays.annotations().names[0].text, "left hand");
}

TEST(Rays, OfAFanAreInTheOrderOfTheSimulator)
{
  ambf_adf::Sensor sensor;
  sensor.range = 2.0;
  sensor.location.position = {0, 0, 1};
  ambf_adf::RayFan fan;
  fan.resolution = 3;
  fan.horizontal_angle = M_PI;
  fan.vertical_angle = 0.2;
  fan.start_offset = 0.5;
  sensor.rays = fan;
  ambf_adf::MeshCache meshes;
  const auto rays = ambf_render::rays_of(sensor, "carrier", meshes);
  ASSERT_EQ(rays.size(), 9U);
  EXPECT_TRUE(rays[4].start.isApprox(Vector3d(0.5, 0, 1)));  // the middle one
  EXPECT_TRUE(rays[4].end.isApprox(Vector3d(2.5, 0, 1)));
  EXPECT_TRUE(rays[1].end.isApprox(Vector3d(0, -2.5, 1)));  // yaw is the slow index
  EXPECT_TRUE(ambf_render::ray_end(rays[4], 0.75).isApprox(Vector3d(1.0, 0, 1)));
  sensor.type = ambf_adf::SensorType::Contact;
  EXPECT_TRUE(ambf_render::rays_of(sensor, "carrier", meshes).empty());
}

class Stereo : public Drawing
{
protected:
  /// Column of the middle of the only body.
  double column(const Eigen::Isometry3d & pose, const ambf_render::Lens & lens)
  {
    ambf_render::View eye(*scene_, lens, 640, 480, 0);
    eye.place(pose);
    std::vector<std::int32_t> ids(640 * 480);
    eye.draw_identity(ids);
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < 640 * 480; ++i) {
      if (ids[static_cast<std::size_t>(i)] == 1) {
        sum += i % 640;
        ++count;
      }
    }
    EXPECT_GT(count, 20);
    return sum / count;
  }
};

TEST_F(Stereo, DisparityIsFocalLengthTimesBaselineOverDepth)
{
  add({"ball"}, body("ball", "shape: SPHERE\n  geometry: {radius: 0.05}", "{x: 0, y: 0, z: 0}"));
  const ambf_render::Lens lens{0.05, 20.0, 0.8, {}};
  const auto middle = ambf_adf::looking({2, 0, 0}, {0, 0, 0}, Vector3d::UnitZ());
  const double baseline = 0.2;
  const double left = column(ambf_render::eye_pose(middle, baseline, Eye::Left), lens);
  const double right = column(ambf_render::eye_pose(middle, baseline, Eye::Right), lens);
  const double expected = ambf_render::intrinsics(lens, 640, 480).fx * baseline / 2.0;
  EXPECT_NEAR(left - right, expected, 0.5);
  EXPECT_GT(expected, 20.0);
}

TEST_F(Stereo, PicturesForPeopleMeetAtTheFocalLength)
{
  add({"ball"}, body("ball", "shape: SPHERE\n  geometry: {radius: 0.05}", "{x: 0, y: 0, z: 0}"));
  const ambf_render::Lens lens{0.05, 20.0, 0.8, {}};
  const auto middle = ambf_adf::looking({2, 0, 0}, {0, 0, 0}, Vector3d::UnitZ());
  ambf_adf::Stereo stereo;
  stereo.eye_separation = 0.2;
  const auto disparity = [&] {
    double columns[2];
    for (const Eye eye : {Eye::Left, Eye::Right}) {
      columns[eye == Eye::Right] = column(
        ambf_render::eye_pose(middle, stereo.eye_separation, eye),
        ambf_render::eye_lens(lens, stereo, eye));
    }
    return columns[0] - columns[1];
  };
  stereo.focal_length = 2.0;
  EXPECT_NEAR(disparity(), 0.0, 0.5);
  stereo.focal_length = 1.0;
  EXPECT_LT(disparity(), -20.0);  // beyond the plane where they meet: crossed the other way
}

TEST(StereoPair, WithImpossibleNumbersIsRefused)
{
  ambf_adf::Camera camera;
  camera.header.name = "eyes";
  EXPECT_EQ(ambf_render::stereo_problem(camera), "");
  camera.stereo.emplace();
  EXPECT_EQ(ambf_render::stereo_problem(camera), "");
  camera.stereo->eye_separation = -0.1;
  EXPECT_NE(
    ambf_render::stereo_problem(camera).find("'eyes': stereo/eye separation: found -0.1"),
    std::string::npos);
  camera.stereo->eye_separation = 0.1;
  camera.stereo->focal_length = 0.0;
  EXPECT_NE(ambf_render::stereo_problem(camera).find("focal length"), std::string::npos);
}

TEST(Quality, IsHighForSavedPicturesOnlyWhereNothingElseIsAsked)
{
  using ambf_render::detail_of;
  using ambf_render::Quality;
  for (const bool in_software : {false, true}) {
    const auto low = detail_of(Quality::Low, in_software);
    const auto high = detail_of(Quality::High, in_software);
    auto usual = detail_of(Quality::Auto, in_software);
    EXPECT_EQ(high.samples, 4);
    EXPECT_EQ(std::pair(high.window_width, high.window_height), std::pair(1280, 720));
    EXPECT_EQ(low.picture_width, 0);
    EXPECT_EQ(std::pair(usual.picture_width, usual.picture_height), std::pair(1280, 720));
    EXPECT_EQ(usual.picture_samples, 4);
    usual.picture_samples = low.picture_samples;
    usual.picture_width = usual.picture_height = 0;
    EXPECT_EQ(usual, low);
  }
  EXPECT_EQ(detail_of(Quality::Low, true).samples, 0);
}

TEST_F(People, WhatDoesNotMoveNeedsNoNewShadows)
{
  add_box();
  const auto handle = *scene_->body("/w/BODY box");
  scene_->place(handle, {0, 0, 1}, Eigen::Quaterniond::Identity());
  const auto version = scene_->version();
  scene_->place(handle, {0, 0, 1}, Eigen::Quaterniond::Identity());
  scene_->set_lamps({});
  EXPECT_EQ(scene_->version(), version);
  scene_->place(handle, {0, 0, 1.1}, Eigen::Quaterniond::Identity());
  EXPECT_NE(scene_->version(), version);
}

}  // namespace
