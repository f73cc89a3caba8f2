// SPDX-License-Identifier: BSD-3-Clause
// The engine's life: displays, and starting again and again.

#include <gtest/gtest.h>

#include <cstdlib>

#include "ambf_rendering/view.hpp"

namespace
{

using ambf_rendering::DisplayChoice;
using ambf_rendering::Engine;
using ambf_rendering::EngineOptions;

TEST(Engine, WithoutADisplaySaysSo)
{
  unsetenv("DISPLAY");
  EngineOptions options;
  options.display = DisplayChoice::Existing;
  const auto engine = Engine::create(options);
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error(), "no display: DISPLAY is not set");
  setenv("DISPLAY", ":7654", 1);
  const auto other = Engine::create(options);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error(), "the display ':7654' does not answer");
  unsetenv("DISPLAY");
}

TEST(Engine, WithoutXvfbSaysWhatToInstall)
{
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  const auto engine = Engine::create({});
  setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(engine);
  EXPECT_NE(engine.error().find("xvfb"), std::string::npos);
}

TEST(Engine, StartsDrawsAndEndsTwentyTimesInOneProcess)
{
  const int rounds = std::getenv("AMBF_TEST_LONG") != nullptr ? 100 : 20;
  auto display = ambf_rendering::Display::open(DisplayChoice::Private);
  ASSERT_TRUE(display) << display.error();
  for (int i = 0; i < rounds; ++i) {
    EngineOptions options;
    options.display = DisplayChoice::Existing;
    auto engine = Engine::create(options);
    ASSERT_TRUE(engine) << i << ": " << engine.error();
    ambf_rendering::Scene scene(**engine, [](const std::string &) {});
    ambf_rendering::View view(scene, {}, 32, 24, 0);
    const auto picture = view.picture();
    ASSERT_GT(picture.rgb[0], 0) << i;  // the backdrop is nowhere black
  }
}

// The last one: an engine that was lost is the last of its process.
TEST(Engine, WhoseServerEndsKnowsItAndLeavesTheProcessAlive)
{
  auto display = ambf_rendering::Display::open(DisplayChoice::Private);
  ASSERT_TRUE(display) << display.error();
  EngineOptions options;
  options.display = DisplayChoice::Existing;
  auto engine = Engine::create(options);
  ASSERT_TRUE(engine) << engine.error();
  {
    auto scene = std::make_unique<ambf_rendering::Scene>(**engine, [](const std::string &) {});
    ambf_rendering::View view(*scene, {}, 32, 24, 0);
    view.picture();
    EXPECT_FALSE((*engine)->lost());
    {
      const auto ended = std::move(*display);
    }
    EXPECT_TRUE((*engine)->lost());
    static ambf_rendering::Scene * left_behind = scene.release();
    ASSERT_NE(left_behind, nullptr);
  }
  engine->reset();
  const auto next = Engine::create(options);
  ASSERT_FALSE(next);
  EXPECT_NE(
    next.error().find("the X server that this process drew with is gone"), std::string::npos)
    << next.error();
}

}  // namespace
