// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "ambf_node_support/world_description.hpp"

namespace ambf_node_support
{
namespace
{

TEST(WorldDescription, OfTheWorldsCamerasNeedsNoFileOfTheSimulatorsHost)
{
  ambf_msgs::msg::WorldManifest world;
  world.world = "file:///nowhere/launch.yaml";
  world.world_adf =
    "namespace: /ambf/env/\ncameras: [eye]\n"
    "eye: {name: eye, location: {x: 1, y: 0, z: 0}, look at: {x: 0, y: 0, z: 0}, up: {x: 0, y: 0, "
    "z: 1},"
    " clipping plane: {near: 0.1, far: 10.0}, field view angle: 0.4}\n";
  world.cameras.resize(1);
  world.cameras[0].identifier = "/ambf/env/eye";
  const auto description = DescriptionReader().read(world);
  EXPECT_TRUE(description.warnings.empty()) << description.warnings.front();
  ASSERT_EQ(description.cameras.size(), 1u);
  EXPECT_DOUBLE_EQ(description.cameras[0].field_view_angle, 0.4);
}

TEST(WorldDescription, AModelThatCannotBeReadIsAWarningAndTheOthersAreThere)
{
  ambf_msgs::msg::WorldManifest world;
  world.models.resize(2);
  world.models[0].name = "broken";
  world.models[0].adf = "bodies: [B]\nB: {mass: heavy}\n";
  world.models[1].name = "whole";
  world.models[1].adf =
    "namespace: /w/\nbodies: [B]\nB: {name: b, mass: 1, inertia: {ix: 1, iy: 1, iz: 1}}\n";
  const auto description = DescriptionReader().read(world);
  ASSERT_EQ(description.warnings.size(), 1u);
  EXPECT_NE(description.warnings[0].find("model 'broken' is not drawn"), std::string::npos)
    << description.warnings[0];
  ASSERT_EQ(description.models.size(), 1u);
  EXPECT_EQ(description.models[0].name, "whole");
}

TEST(WorldDescription, AModelWhoseTextIsTheSameIsNotParsedAgain)
{
  const std::string text =
    "namespace: /w/\nbodies: [B]\nB: {name: b, mass: 1, inertia: {ix: 1, iy: 1, iz: 1}}\n";
  ambf_msgs::msg::WorldManifest world;
  world.models.resize(2);
  world.models[0].name = "first";
  world.models[1].name = "second";
  world.models[0].adf = world.models[1].adf = text;
  DescriptionReader reader;
  const auto before = reader.read(world);
  EXPECT_EQ(reader.parsed(), 2u);
  std::swap(world.models[0], world.models[1]);
  world.models.resize(3);
  world.models[2].name = "third";
  world.models[2].adf = text;
  const auto after = reader.read(world);
  EXPECT_EQ(reader.parsed(), 3u);
  ASSERT_EQ(after.models.size(), 3u);
  EXPECT_EQ(after.models[0].name, "second");
  EXPECT_EQ(after.models[1], before.models[0]);
  world.models[0].resource_base = "/elsewhere";
  world.models.resize(1);
  reader.read(world);
  EXPECT_EQ(reader.parsed(), 4u) << "its files may be others now";
}

}  // namespace
}  // namespace ambf_node_support
