// SPDX-License-Identifier: BSD-3-Clause
// Pictures: golden images, what must show in them, and what happens with bad input.

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "scene_fixture.hpp"

namespace
{

using ambf_rendering::Picture;
using Eigen::Vector3d;

/// Share of the pixels that differ by more than `by` in some channel.
double difference(const Picture & a, const Picture & b, int by = 24)
{
  if (a.width != b.width || a.height != b.height) { return 1.0; }
  std::size_t different = 0;
  const std::size_t pixels = a.rgb.size() / 3;
  for (std::size_t i = 0; i < pixels; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      if (std::abs(int{a.rgb[3 * i + c]} - int{b.rgb[3 * i + c]}) > by) {
        ++different;
        break;
      }
    }
  }
  return static_cast<double>(different) / static_cast<double>(pixels);
}

/// Drivers round differently at edges: this share of pixels may differ.
constexpr double kTolerance = 0.005;

class Golden : public Drawing
{
protected:
  void still_life(
    const std::string & ball_place, const std::string & ball_colour, const std::string & post)
  {
    add(
      {"floor", "ball", "post", "crate"},
      body(
        "floor", "shape: BOX\n  geometry: {x: 3, y: 3, z: 0.1}", "{x: 0, y: 0, z: -0.05}",
        "{r: 0.7, g: 0.7, b: 0.72, a: 1}") +
        body("ball", "shape: SPHERE\n  geometry: {radius: 0.2}", ball_place, ball_colour) +
        body("post", post, "{x: 0.1, y: -0.5, z: 0.3}", "{r: 0.2, g: 0.6, b: 0.3, a: 1}") +
        body(
          "crate", "mesh: crate.obj", "{x: -0.4, y: 0.5, z: 0.15}",
          "{r: 0.2, g: 0.3, b: 0.8, a: 1}"));
  }
  Picture taken(const Vector3d & from = {1.6, -1.2, 1.2})
  {
    const auto camera = view(from, {0, 0, 0.15}, 200, 150, 4);
    camera->show_grid(true);
    return camera->picture();
  }
  static std::string golden() { return std::string(TEST_FOLDER) + "/golden/still_life.png"; }

  const std::string place_ = "{x: 0, y: 0, z: 0.2}", colour_ = "{r: 0.8, g: 0.2, b: 0.1, a: 1}",
                    post_ = "shape: CYLINDER\n  geometry: {radius: 0.1, height: 0.6, axis: z}";
};

TEST_F(Golden, StillLifeLooksAsItDid)
{
  still_life(place_, colour_, post_);
  const Picture now = taken();
  if (std::getenv("AMBF_WRITE_GOLDEN") != nullptr) {
    ASSERT_TRUE(ambf_rendering::write_png(now, golden()));
  }
  const auto before = ambf_rendering::read_image(golden());
  ASSERT_TRUE(before) << before.error();
  EXPECT_LT(difference(now, *before), kTolerance);
}

TEST_F(Golden, AnotherCameraIsNoticed)
{
  still_life(place_, colour_, post_);
  EXPECT_GT(
    difference(taken({1.6, -1.2, 1.25}), *ambf_rendering::read_image(golden())), 2 * kTolerance);
}

TEST_F(Golden, AMovedBodyIsNoticed)
{
  still_life("{x: 0, y: 0.05, z: 0.2}", colour_, post_);
  EXPECT_GT(difference(taken(), *ambf_rendering::read_image(golden())), 2 * kTolerance);
}

TEST_F(Golden, AnotherColourIsNoticed)
{
  still_life(place_, "{r: 0.8, g: 0.4, b: 0.1, a: 1}", post_);
  EXPECT_GT(difference(taken(), *ambf_rendering::read_image(golden())), 2 * kTolerance);
}

TEST_F(Golden, AnotherMeshIsNoticed)
{
  still_life(place_, colour_, "shape: BOX\n  geometry: {x: 0.2, y: 0.2, z: 0.6}");
  EXPECT_GT(difference(taken(), *ambf_rendering::read_image(golden())), 2 * kTolerance);
}

class Pictures : public Drawing
{
};

/// A ball over a floor with a lamp straight above.
class Shadows : public Drawing
{
protected:
  void add_ball()
  {
    add(
      {"floor", "ball"},
      body(
        "floor", "shape: BOX\n  geometry: {x: 3, y: 3, z: 0.1}", "{x: 0, y: 0, z: -0.05}",
        "{r: 0.7, g: 0.7, b: 0.7, a: 1}") +
        body("ball", "shape: SPHERE\n  geometry: {radius: 0.1}", "{x: 0, y: 0, z: 0.5}"));
    ambf_rendering::Lamp above;
    above.position = {0, 0, 3};
    above.direction = {0, 0, -1};
    above.shadow_quality = 3;
    scene_->set_lamps({above});
    scene_->show_surroundings(true, false);
  }
  void expect_shadow();
};

TEST_F(Shadows, OneLiesUnderABall)
{
  add_ball();
  expect_shadow();
}

TEST_F(Shadows, OneIsThereHoweverFarTheSceneGoesOnBesideTheLamp)
{
  add_ball();
  // The scene's middle is now outside the lamp's cone.
  add(
    {"other"}, body("other", "shape: SPHERE\n  geometry: {radius: 0.1}", "{x: 10, y: 0, z: 0.5}"),
    "far");
  expect_shadow();
}

void Shadows::expect_shadow()
{
  auto camera = view({0, -2, 0.3}, {0, 0, 0});
  const Picture picture = camera->picture();
  const auto k = ambf_rendering::intrinsics(camera->lens(), 160, 120);
  Eigen::Isometry3d optical = camera->pose();
  optical.linear() = optical.linear() * ambf_rendering::optical_from_camera();
  const auto brightness = [&](const Vector3d & place) {
    const Vector3d p = optical.inverse() * place;
    const auto u = static_cast<std::size_t>(std::lround(k.fx * p.x() / p.z() + k.cx));
    const auto v = static_cast<std::size_t>(std::lround(k.fy * p.y() / p.z() + k.cy));
    return int{picture.rgb[3 * (160 * v + u) + 1]};
  };
  EXPECT_LT(brightness({0, 0, 0}), 0.75 * brightness({0.4, 0, 0}));
}

TEST_F(Pictures, ModelsAppearAndDisappear)
{
  auto camera = view({2, 0, 0}, {0, 0, 0});
  const Picture empty = camera->picture();
  add(
    {"ball"}, body("ball", "shape: SPHERE\n  geometry: {radius: 0.3}", "{x: 0, y: 0, z: 0}"),
    "one");
  EXPECT_GT(difference(camera->picture(), empty), 0.05);
  scene_->remove("one");
  EXPECT_LT(difference(camera->picture(), empty), 0.001);
  EXPECT_FALSE(scene_->body("/w/BODY ball"));
}

std::size_t meshes()
{
  std::size_t count = 0;
  auto all = Ogre::MeshManager::getSingleton().getResourceIterator();
  while (all.hasMoreElements()) {
    all.getNext();
    ++count;
  }
  return count;
}

TEST_F(Pictures, ManyCopiesOfABodyShareItsMesh)
{
  add({"c0"}, body("c0", "mesh: crate.obj", "{x: 0, y: 0, z: 0}"), "m0");
  const auto one = meshes();
  for (int i = 1; i < 50; ++i) {
    const std::string name = "c" + std::to_string(i);
    add(
      {name}, body(name, "mesh: crate.obj", "{x: " + std::to_string(i) + ", y: 0, z: 0}"),
      "m" + std::to_string(i));
  }
  EXPECT_EQ(meshes(), one);
  EXPECT_EQ(scene_->body_count(), 50U);
}

TEST_F(Pictures, AMeshThatWasRewrittenIsReadAnewAndTheOldOneForgotten)
{
  const auto folder =
    std::filesystem::temp_directory_path() / ("ambf_render_mesh_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const auto loaded_pixels = [&](const std::string & size) {
    std::ofstream(folder / "sheet.obj")
      << "v 0 0 0\nv 0 " << size << " 0\nv 0 0 " << size << "\nf 1 2 3\n";
    const auto model = ambf_adf::parse_text(
      "bodies: [BODY x]\njoints: []\nBODY x:\n  name: x\n  mesh: sheet.obj\n  mass: 1.0\n", "sheet",
      folder.string());
    scene_->add(*model);
    auto camera = view({2, 0, 0}, {0, 0, 0});
    std::vector<std::int32_t> ids(160 * 120);
    camera->draw_identity(ids);
    return ids.size() - static_cast<std::size_t>(std::count(ids.begin(), ids.end(), 0));
  };
  const auto before = meshes();
  const auto large = loaded_pixels("0.6");
  EXPECT_EQ(scene_->triangle_count(), 1U);
  scene_->remove("sheet");
  EXPECT_EQ(meshes(), before);
  EXPECT_EQ(scene_->triangle_count(), 0U);
  const auto small =
    loaded_pixels("0.30");  // of another length, whatever the clock of the file system
  EXPECT_GT(small, 50U);
  EXPECT_NEAR(static_cast<double>(large) / static_cast<double>(small), 4.0, 0.8);
  std::filesystem::remove_all(folder);
}

class BadInput : public Drawing
{
};

TEST_F(BadInput, AMissingMeshIsAVisibleCrossAndOneWarning)
{
  add(
    {"a", "b"}, body("a", "mesh: none.obj", "{x: 0, y: 0, z: 0}") +
                  body("b", "mesh: none.obj", "{x: 0, y: 0.3, z: 0}"));
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_NE(warnings_[0].find("none.obj"), std::string::npos) << warnings_[0];
  EXPECT_NE(warnings_[0].find("magenta cross"), std::string::npos) << warnings_[0];
  auto camera = view({1, 0, 0}, {0, 0, 0});
  std::vector<std::int32_t> ids(160 * 120);
  camera->draw_identity(ids);
  EXPECT_GT(std::count(ids.begin(), ids.end(), 1), 20);
}

TEST_F(BadInput, AMissingMeshWithCollisionShapeIsDrawnAsThat)
{
  add(
    {"a"}, body(
             "a", "mesh: none.obj\n  collision shape: SPHERE\n  collision geometry: {radius: 0.2}",
             "{x: 0, y: 0, z: 0}"));
  auto camera = view({2, 0, 0}, {0, 0, 0});
  std::vector<std::int32_t> ids(160 * 120);
  camera->draw_identity(ids);
  const double radius = ambf_rendering::intrinsics(camera->lens(), 160, 120).fx * 0.2 / 2.0;
  EXPECT_NEAR(
    static_cast<double>(std::count(ids.begin(), ids.end(), 1)), 3.14 * radius * radius, 30.0);
}

TEST_F(BadInput, ABrokenMeshAndABrokenTextureAreDrawnAndSaid)
{
  const auto folder =
    std::filesystem::temp_directory_path() / ("ambf_render_bad_input_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "broken.obj") << "v 0 0\nf 1 2 77\n";
  std::ofstream(folder / "t.mtl") << "newmtl skin\nKd 1 1 1\nmap_Kd broken.png\n";
  std::ofstream(folder / "broken.png") << "no picture";
  std::ofstream(folder / "textured.obj") << "mtllib t.mtl\nv 0 0 0\nv 0 0.3 0\nv 0 0 0.3\nvt 0 "
                                            "0\nvt 1 0\nvt 0 1\nusemtl skin\nf 1/1 2/2 3/3\n";
  for (const std::string name : {"broken", "textured"}) {
    const auto model = ambf_adf::parse_text(
      "bodies: [BODY x]\njoints: []\nBODY x:\n  name: x\n  mesh: " + name + ".obj\n  mass: 1.0\n",
      name, folder.string());
    ASSERT_TRUE(model);
    scene_->add(*model);
  }
  const auto said = [&](const std::string & what) {
    return std::any_of(warnings_.begin(), warnings_.end(), [&](const std::string & text) {
      return text.find(what) != std::string::npos;
    });
  };
  EXPECT_TRUE(said("broken.obj"));
  EXPECT_TRUE(said("broken.png"));
  EXPECT_EQ(warnings_.size(), 2U);
  const Picture picture = view({1, 0.1, 0.1}, {0, 0.1, 0.1})->picture();
  std::size_t magenta = 0;
  for (std::size_t i = 0; i < picture.rgb.size(); i += 3) {
    magenta += picture.rgb[i] > 100 && picture.rgb[i + 1] < 60 && picture.rgb[i + 2] > 100;
  }
  EXPECT_GT(magenta, 500U);  // the triangle with the broken texture, and the cross
  std::filesystem::remove_all(folder);
}

TEST_F(BadInput, ABrokenTextureShowsWhateverColourTheDescriptionGives)
{
  const auto folder =
    std::filesystem::temp_directory_path() / ("ambf_render_colour_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "t.mtl") << "newmtl skin\nKd 1 1 1\nmap_Kd nowhere.png\n";
  std::ofstream(folder / "sheet.obj") << "mtllib t.mtl\nv 0 0 0\nv 0 0.3 0\nv 0 0 0.3\nvt 0 0\nvt "
                                         "1 0\nvt 0 1\nusemtl skin\nf 1/1 2/2 3/3\n";
  const std::string green = "  color rgba: {r: 0.1, g: 0.9, b: 0.1, a: 1.0}\n";
  const std::string rigid =
    "bodies: [BODY x]\njoints: []\nBODY x:\n  name: x\n  mesh: sheet.obj\n  mass: 1.0\n";
  const std::string soft =
    "bodies: []\njoints: []\nsoft bodies: [SOFTBODY x]\nSOFTBODY x:\n  name: x\n  mesh: sheet.obj\n"
    "  mass: 1.0\n";
  for (const std::string & text : {rigid, soft}) {
    const auto model = ambf_adf::parse_text(text + green, "m", folder.string());
    ASSERT_TRUE(model) << ambf_adf::to_string(model.error());
    scene_->add(*model);
    const Picture picture = view({1, 0.1, 0.1}, {0, 0.1, 0.1})->picture();
    std::size_t magenta = 0;
    for (std::size_t i = 0; i < picture.rgb.size(); i += 3) {
      magenta += picture.rgb[i] > 100 && picture.rgb[i + 1] < 60 && picture.rgb[i + 2] > 100;
    }
    EXPECT_GT(magenta, 500U) << text;
    scene_->remove(model->name);
  }
  EXPECT_EQ(warnings_.size(), 1U);
  std::filesystem::remove_all(folder);
}

TEST_F(BadInput, ASecondEngineInTheProcessIsRefused)
{
  const auto second = ambf_rendering::Engine::create({});
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().find("once per process"), std::string::npos);
}

TEST_F(Shadows, WhatDoesNotMoveNeedsNoNewShadows)
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
