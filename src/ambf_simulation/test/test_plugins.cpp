// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ambf_simulation/told_warnings.hpp"
#include "two_links.hpp"

namespace ambf_simulation
{
namespace
{

/// The small model with plugins in a line of its own.
LoadRequest with_plugins(const std::string & plugins)
{
  LoadRequest request = two_links();
  request.text += "plugins: [" + plugins + "]\n";
  return request;
}

std::string counting(const std::string & name = "counting")
{
  return "{name: " + name + ", filename: " COUNTING_PLUGIN ", path: ''}";
}

void step(Simulation & simulation, int count)
{
  for (int i = 0; i < count; ++i) { simulation.step(0, 0, WatchdogAction::Release, false); }
}

struct PluginsTest : ::testing::Test
{
  Simulation simulation{std::move(*ambf_dynamics::make_world())};
};

TEST_F(PluginsTest, ActInEveryStepAndAreInTheHash)
{
  Simulation without(std::move(*ambf_dynamics::make_world()));
  ASSERT_TRUE(load(without, two_links()));
  ASSERT_TRUE(load(simulation, with_plugins(counting())));
  EXPECT_EQ(without.hash(), without.world().state().hash) << "no plugin, no other hash";
  EXPECT_NE(simulation.hash(), simulation.world().state().hash);
  step(simulation, 10);
  step(without, 10);
  EXPECT_EQ(simulation.world().joint_command(0), ambf_dynamics::JointMode::Effort);
  EXPECT_NE(simulation.world().state().hash, without.world().state().hash);
  simulation.share_state();
  ASSERT_TRUE(simulation.shared_state().take());
  EXPECT_EQ(simulation.shared_state().front().state.hash, simulation.hash());
}

TEST_F(PluginsTest, GoOnWhereTheyWereSavedAndBeginAnewAfterAReset)
{
  ASSERT_TRUE(load(simulation, with_plugins(counting())));
  const auto start = simulation.hash();
  step(simulation, 10);
  const auto saved = simulation.save();
  const auto run = [&] {
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 10; ++i) {
      step(simulation, 1);
      hashes.push_back(simulation.hash());
    }
    return hashes;
  };
  const auto first = run();
  EXPECT_EQ(*simulation.restore(saved, 0, 0), "");
  EXPECT_EQ(run(), first);
  simulation.reset(true, true, false);
  EXPECT_EQ(simulation.hash(), start);
  // A world whose plugin was not saved says so and begins anew.
  Simulation other(std::move(*ambf_dynamics::make_world()));
  ASSERT_TRUE(load(other, with_plugins(counting("another"))));
  const auto left_out = other.restore(saved, 0, 0);
  ASSERT_TRUE(left_out);
  EXPECT_NE(left_out->find("plugins"), std::string::npos) << *left_out;
}

TEST_F(PluginsTest, KeepTheirStateWhileOtherModelsComeAndGo)
{
  ASSERT_TRUE(load(simulation, with_plugins(counting())));
  step(simulation, 5);
  auto other = two_links("other");
  other.name = "other";
  ASSERT_TRUE(load(simulation, other));
  ASSERT_TRUE(simulation.remove("other"));
  EXPECT_EQ(simulation.plugins().size(), 1u);
  Simulation alone(std::move(*ambf_dynamics::make_world()));
  ASSERT_TRUE(load(alone, with_plugins(counting())));
  step(alone, 5);
  EXPECT_EQ(simulation.plugins().save(), alone.plugins().save());
  ASSERT_TRUE(simulation.remove("two"));
  EXPECT_EQ(simulation.plugins().size(), 0u);
}

TEST_F(PluginsTest, OneThatIsNotThereOrIsMadeForOthersIsNamedAtLoad)
{
  ASSERT_TRUE(load(
    simulation, with_plugins("{name: drill, filename: libnowhere.so, path: ./build}, "
                             "{name: other, filename: libc.so.6, path: ''}")));
  std::string words;
  for (const auto & line : told_warnings(simulation)) { words += line + "\n"; }
  for (const char * named : {"'drill' (libnowhere.so)", "'other' (libc.so.6)", "AMBF_SIMULATION"}) {
    EXPECT_NE(words.find(named), std::string::npos) << named << "\n" << words;
  }
  step(simulation, 1);
}

TEST_F(PluginsTest, OneThatFailsRestsAndTheOthersGoOn)
{
  ASSERT_TRUE(load(simulation, with_plugins(counting("breaks") + ", " + counting())));
  step(simulation, 3);
  const auto troubles = simulation.plugins().troubles();
  ASSERT_EQ(troubles.size(), 1u);
  EXPECT_NE(troubles.front().find("'breaks' of 'two' rests"), std::string::npos)
    << troubles.front();
  EXPECT_NE(troubles.front().find("it broke"), std::string::npos) << troubles.front();
  EXPECT_EQ(simulation.world().state().step, 3u);
  EXPECT_EQ(simulation.world().joint_command(0), ambf_dynamics::JointMode::Effort);
}

TEST(PluginsOfOptions, ActInEveryWorldAndWaitForWhatTheyNeed)
{
  SimulationOptions options;
  options.plugins = {COUNTING_PLUGIN};
  Simulation simulation(std::move(*ambf_dynamics::make_world()), std::move(options));
  ASSERT_EQ(simulation.plugins().troubles().size(), 1u) << "an empty world has no joint";
  ASSERT_TRUE(load(simulation, two_links()));
  EXPECT_TRUE(simulation.plugins().troubles().empty());
  step(simulation, 1);
  EXPECT_EQ(simulation.world().joint_command(0), ambf_dynamics::JointMode::Effort);
}

}  // namespace
}  // namespace ambf_simulation
