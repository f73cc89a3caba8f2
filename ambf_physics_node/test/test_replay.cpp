// SPDX-License-Identifier: BSD-3-Clause
// A command file gives the same run through ROS, twice, and through the library without ROS.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

#include "ambf_adf/parse.hpp"
#include "ambf_adf/scene.hpp"
#include "ambf_dynamics/world.hpp"
#include "composed_world.hpp"

using namespace ambf_physics_test;  // NOLINT

namespace
{

const std::vector<std::string> kModels = {
  "adf/four_bar.yaml", "adf/psm.yaml", "adf/pendulum.yaml", "adf/falling.yaml", "adf/floor.yaml"};

/// One line of the file: so many steps with these joint commands.
struct Line
{
  std::uint32_t steps = 1;
  std::vector<std::uint32_t> joints;
  std::vector<std::uint8_t> modes;
  std::vector<double> values;
};

std::unique_ptr<ambf_dynamics::World> library_world()
{
  ambf_dynamics::Parameters parameters;
  parameters.report_contacts = false;
  auto world = ambf_dynamics::make_world(parameters);
  ambf_adf::Scene scene;
  for (const auto & file : kModels) {
    auto model = scene.add(*ambf_adf::parse_file(description(file)));
    EXPECT_TRUE((*world)->add_model(*model));
  }
  return std::move(*world);
}

/// Modes and values from a small generator of fixed seed, for one joint of each mechanism: motors that
/// contradict each other around a loop would tear it.
void write_commands(const std::string & file, const ambf_dynamics::World & world, int lines)
{
  std::ofstream out(file);
  out.precision(17);
  std::uint32_t seed = 12345;
  const auto next = [&](std::uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
  };
  for (int i = 0; i < lines; ++i) {
    out << 1 + next(4);
    std::set<std::uint32_t> models;
    for (std::uint32_t j = 0; j < world.joints().size(); ++j) {
      const auto & joint = world.joints()[j];
      if (!joint.commandable || !models.insert(joint.model.id).second || next(3) != 0) { continue; }
      const auto & limits = joint.limits;
      const std::uint32_t mode = 1 + next(3);
      const double part = 0.25 + 0.5 * next(1000) / 1000.0;
      // Gentle, so that 5,000 lines of it leave a world that moves and does not burst.
      double value = (part - 0.5) * (mode == 1 ? 0.02 : 0.1);
      if (mode == 2 && limits) { value = std::clamp(value, limits->low, limits->high); }
      out << ' ' << j << ' ' << mode << ' ' << value;
    }
    out << '\n';
  }
}

std::vector<Line> read_commands(const std::string & file)
{
  std::vector<Line> lines;
  std::ifstream in(file);
  for (std::string text; std::getline(in, text);) {
    std::istringstream words(text);
    Line line;
    words >> line.steps;
    std::uint32_t joint = 0, mode = 0;
    double value = 0.0;
    while (words >> joint >> mode >> value) {
      line.joints.push_back(joint);
      line.modes.push_back(static_cast<std::uint8_t>(mode));
      line.values.push_back(value);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::uint64_t> through_library(const std::vector<Line> & lines)
{
  const auto world = library_world();
  std::vector<std::uint64_t> hashes;
  for (const auto & line : lines) {
    for (std::size_t i = 0; i < line.joints.size(); ++i) {
      world->set_joint_command(
        line.joints[i], static_cast<ambf_dynamics::JointMode>(line.modes[i]), line.values[i]);
    }
    world->step(line.steps);
    hashes.push_back(world->state().hash);
  }
  return hashes;
}

std::vector<std::uint64_t> through_ros(const std::vector<Line> & lines)
{
  ComposedWorld world(kModels, false);
  std::vector<std::uint64_t> hashes;
  for (const auto & line : lines) {
    StepWorld::Request request;
    request.steps = line.steps;
    request.joints = line.joints;
    request.joint_modes = line.modes;
    request.joint_values = line.values;
    const auto reply = world.step(request);
    if (!reply || !reply->ok) {
      ADD_FAILURE() << (reply ? reply->message : "no reply");
      break;
    }
    hashes.push_back(reply->state_hash);
  }
  return hashes;
}

}  // namespace

TEST(Replay, ACommandFileGivesTheSameHashesThroughRosTwiceAndThroughTheLibrary)
{
  const std::string file =
    ::testing::TempDir() + "ambf_replay_" + std::to_string(getpid()) + ".txt";
  write_commands(file, *library_world(), long_tier() ? 5000 : 400);
  const auto lines = read_commands(file);
  const auto library = through_library(lines);
  const auto first = through_ros(lines);
  const auto second = through_ros(lines);
  EXPECT_EQ(first, library);
  EXPECT_EQ(second, library);
  ASSERT_FALSE(library.empty());
  EXPECT_NE(library.front(), library.back()) << "something must have moved";
  std::remove(file.c_str());
}

int main(int argc, char ** argv)
{
  ::testing::InitGoogleTest(&argc, argv);
  ::testing::AddGlobalTestEnvironment(new Ros);
  return RUN_ALL_TESTS();
}
