// SPDX-License-Identifier: BSD-3-Clause
// What comes of a launch file in a simulation, without ROS: what is left out is named, what is sound is quiet.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <ament_index_cpp/get_package_share_directory.hpp>

#include "ambf_simulation/simulation.hpp"
#include "ambf_simulation/told_warnings.hpp"

namespace
{

class Launching : public ::testing::Test
{
protected:
  void SetUp() override
  {
    folder_ =
      std::filesystem::temp_directory_path() / ("ambf_launching_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    simulation_ =
      std::make_unique<ambf_simulation::Simulation>(std::move(*ambf_dynamics::make_world({})));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string & name, const std::string & text) const
  {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

  /// All that a person is told; the models are loaded.
  std::string load(
    const std::string & file, const ambf_adf::Choice & models = ambf_adf::Choice::all())
  {
    ambf_adf::LoadOptions options;
    options.models = models;
    auto content = simulation_->read_launch(file, options);
    if (!content) { return ambf_adf::to_string(content.error()); }
    std::string words = ambf_adf::to_string(content->warnings);
    const auto loaded = simulation_->load_launch(std::move(*content));
    if (!loaded) { words += ambf_adf::to_string(loaded.error()); }
    for (const auto & model : simulation_->content().models()) {
      words += ambf_adf::to_string(model.model.warnings);
    }
    return words;
  }

  std::filesystem::path folder_;
  std::unique_ptr<ambf_simulation::Simulation> simulation_;
};

TEST_F(Launching, WhatIsLeftOutIsNamed)
{
  write(
    "world.yaml",
    "max iterations: 10\nlights: []\ncameras: []\nplugins: [{name: sky, filename: libsky.so, path: "
    ".}]\n");
  write(
    "model.yaml",
    "bodies: [BODY a, BODY w]\nBODY a:\n  name: a\n  mass: 1\n  plugins: [{name: pull, filename: "
    "libpull.so, path: .}]\n"
    "BODY w: {name: w, mass: 1}\n"
    "volumes: [VOLUME skull]\n"
    "VOLUME skull: {name: skull, dimensions: {x: 1, y: 1, z: 1}, "
    "images: {path: ., prefix: p, format: png, count: 1}}\n"
    "vehicles: [VEHICLE car]\n"
    "VEHICLE car: {name: car, chassis: BODY a, wheels: [{body: BODY w, radius: 0.1, width: 0.1}]}\n"
    "plugins: [{name: drill, filename: libdrill.so, path: .}]\n");
  const auto launch = write(
    "launch.yaml",
    "world config: world.yaml\nmultibody configs: [model.yaml]\nplugins: [{name: all, filename: "
    "liball.so, path: .}]\n");
  const std::string words = load(launch);
  for (const char * named :
       {"libsky.so", "BODY a/plugins", "libpull.so", "libdrill.so", "liball.so", "VOLUME skull",
        "VEHICLE car"}) {
    EXPECT_NE(words.find(named), std::string::npos) << named << "\n" << words;
  }
  EXPECT_EQ(simulation_->world().bodies().size(), 2u);
}

TEST_F(Launching, KeysThatNobodyActsOnAreToldOnceForAllObjects)
{
  write(
    "world.yaml",
    "max iterations: 10\nlights: []\ncameras: [CAMERA a, CAMERA b]\n"
    "CAMERA a: {name: a, location: {x: 1, y: 0, z: 0}, monitor: 0, controlling devices: [MTMR]}\n"
    "CAMERA b: {name: b, location: {x: 1, y: 0, z: 1}, monitor: 2}\n");
  for (const std::string name : {"one", "two"}) {
    write(
      name + ".yaml",
      "namespace: /ambf/env/" + name +
        "/\nbodies: [BODY a, BODY b, BODY c]\n"
        "BODY a: {name: a, mass: 1, publish joint names: false, publish joint positions: false}\n"
        "BODY b: {name: b, mass: 1, publish joint names: false}\n"
        "BODY c: {name: c, mass: 1, publish children names: true, publish joint names: true}\n");
  }
  const auto launch = write(
    "launch.yaml",
    "world config: world.yaml\nmultibody configs: [one.yaml, two.yaml]\ndefault multibodies: "
    "all\n");
  load(launch);
  const auto lines = ambf_simulation::told_warnings(*simulation_);
  ASSERT_EQ(lines.size(), 2u) << (lines.empty() ? "" : lines.front());
  const std::string all = lines[0] + "\n" + lines[1];
  for (const char * named :
       {"CAMERA b/monitor", "found 2", "publish joint names, publish joint positions",
        "States have", "[and 3 more like this]"}) {
    EXPECT_NE(all.find(named), std::string::npos) << named << "\n" << all;
  }
}

TEST_F(Launching, SoundWorldsAreQuiet)
{
  const std::filesystem::path worlds =
    ament_index_cpp::get_package_share_directory("ambf_description") + "/worlds";
  std::size_t count = 0;
  for (const auto & entry : std::filesystem::directory_iterator(worlds)) {
    if (!entry.is_directory()) { continue; }
    EXPECT_EQ(load((entry.path() / "launch.yaml").string()), "") << entry.path();
    ++count;
  }
  EXPECT_GT(count, 5u);
}

TEST_F(Launching, DevicesStayAwayUnlessAskedFor)
{
  const std::string file = ament_index_cpp::get_package_share_directory("ambf_description") +
                           "/worlds/two_user_puzzle/launch.yaml";
  load(file);
  EXPECT_EQ(simulation_->hands().proxies().size(), 0u);
  const auto alone = simulation_->content().models().size();
  ambf_simulation::DeviceRules rules;
  rules.from_file = ambf_adf::Choice::first(2);
  simulation_->set_devices(rules);
  load(file);
  EXPECT_EQ(simulation_->hands().proxies().size(), 2u);
  EXPECT_EQ(simulation_->content().models().size(), alone + 2);
}

}  // namespace
