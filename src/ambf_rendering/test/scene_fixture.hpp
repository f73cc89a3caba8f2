// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "ambf_adf/parse.hpp"
#include "ambf_adf/view_pose.hpp"
#include "ambf_rendering/view.hpp"

/// One engine for all tests of a program, on a display of its own.
class Drawing : public ::testing::Test
{
protected:
  static void SetUpTestSuite()
  {
    ambf_rendering::EngineOptions options;
    options.display = ambf_rendering::DisplayChoice::Private;
    auto engine = ambf_rendering::Engine::create(options);
    ASSERT_TRUE(engine) << engine.error();
    engine_ = std::move(*engine);
  }
  static void TearDownTestSuite() { engine_.reset(); }

  void SetUp() override
  {
    ASSERT_TRUE(engine_);
    scene_ = std::make_unique<ambf_rendering::Scene>(
      *engine_, [this](const std::string & text) { warnings_.push_back(text); });
  }
  void TearDown() override { scene_.reset(); }

  /// A body with a visual primitive, e.g. "shape: SPHERE, geometry: {radius: 0.1}".
  static std::string body(
    const std::string & name, const std::string & shape, const std::string & place,
    const std::string & colour = "{r: 0.8, g: 0.2, b: 0.1, a: 1.0}")
  {
    return "BODY " + name + ":\n  name: " + name + "\n  " + shape +
           "\n  mass: 1.0\n  scale: 1.0\n" + "  location: {position: " + place +
           ", orientation: {r: 0, p: 0, y: 0}}\n  color rgba: " + colour + "\n";
  }
  void add(
    const std::vector<std::string> & names, const std::string & blocks,
    const std::string & model = "m")
  {
    std::string list;
    for (const auto & name : names) { list += (list.empty() ? "" : ", ") + ("BODY " + name); }
    const auto parsed = ambf_adf::parse_text(
      "bodies: [" + list +
        "]\njoints: []\nnamespace: /w/\nhigh resolution path: ./\nlow resolution path: ./\n" +
        blocks,
      model, TEST_FOLDER);
    ASSERT_TRUE(parsed) << ambf_adf::to_string(parsed.error());
    auto copy = *parsed;
    copy.name = model;
    scene_->add(copy);
  }
  void add_box()
  {
    add(
      {"box"}, body(
                 "box", "shape: BOX\n  geometry: {x: 0.4, y: 0.4, z: 0.4}", "{x: 0, y: 0, z: 0}",
                 "{r: 0.1, g: 0.2, b: 0.8, a: 1}"));
  }
  /// A camera at `from` that looks at `at`.
  std::unique_ptr<ambf_rendering::View> view(
    const Eigen::Vector3d & from, const Eigen::Vector3d & at, int width = 160, int height = 120,
    unsigned samples = 0)
  {
    ambf_rendering::Lens lens{0.05, 20.0, 0.8, {}};
    auto made = std::make_unique<ambf_rendering::View>(*scene_, lens, width, height, samples);
    made->place(ambf_adf::looking(from, at, Eigen::Vector3d::UnitZ()));
    return made;
  }

  static inline std::unique_ptr<ambf_rendering::Engine> engine_;
  std::unique_ptr<ambf_rendering::Scene> scene_;
  std::vector<std::string> warnings_;
};
