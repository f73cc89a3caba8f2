// SPDX-License-Identifier: BSD-3-Clause
// What lies over the scene for people: names, the selection, hands.

#include <cmath>

#include "ambf_rendering/overlays.hpp"
#include "pixels.hpp"
#include "scene_fixture.hpp"

namespace
{

using ambf_rendering::OverlayMarks;
using ambf_rendering::Overlays;
using ambf_rendering::OverlaySettings;
using Eigen::Vector3d;

class OverlaidPictures : public Drawing
{
};

TEST_F(OverlaidPictures, CameraImagesHaveNoOverlays)
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

TEST_F(OverlaidPictures, WhatIsSelectedHasABoxAroundItAndAName)
{
  add_box();
  auto camera = view({2, 0.3, 0.5}, {0, 0, 0});
  EXPECT_EQ(camera->identity_at(80, 60), 1);
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

TEST_F(OverlaidPictures, AHandIsAStringFromItsProxyToItsReference)
{
  auto camera = view({2, 0, 0}, {0, 0, 0});
  Overlays overlays(*scene_);
  camera->annotate(&overlays.annotations());
  OverlayMarks marks;
  ambf_rendering::HandMark hand{
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

}  // namespace
