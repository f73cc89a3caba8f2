// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "ambf_simulation/world_runner.hpp"

using namespace ambf_simulation;  // NOLINT

TEST(WorldRunner, ALongCycleTellsItsReadersInBetween)
{
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  RunnerSettings settings;
  // A million steps a second are too many even for an empty world: every cycle is as long as it may be.
  settings.pace = {0.001, 1000.0, 100'000};
  WorldRunner runner(simulation, settings);
  runner.start(Mode::Realtime);
  // The first cycles are short: what is behind has to grow. Later the smallest stretch counts, as this
  // thread may miss some.
  std::uint64_t last = 0, smallest = 100'000;
  for (int seen = 0; seen < 100;) {
    if (!simulation.shared_state().take()) { continue; }
    const std::uint64_t step = simulation.shared_state().front().state.step;
    if (seen >= 50) { smallest = std::min(smallest, step - last); }
    last = step;
    ++seen;
    const Ownership::Token token(simulation.ownership());  // is to be had within the cycle
  }
  runner.stop();
  EXPECT_GT(smallest, 0u);
  EXPECT_LT(smallest, 50'000u);
}

TEST(WorldRunner, TheMostStepsOfACycleCanBeSetAndWhatIsBeyondIsSlip)
{
  Simulation simulation(std::move(*ambf_dynamics::make_world()));
  RunnerSettings settings;
  settings.pace = {0.001, 1.0, 1'000'000};
  WorldRunner runner(simulation, settings);
  EXPECT_EQ(runner.max_steps_per_cycle(), 1'000'000u);
  // Physics cannot step while somebody else owns the world: what is due meanwhile is made up for, or is slip.
  const auto stall = [&] {
    const auto step = [&] {
      const Ownership::Token token(simulation.ownership());
      return simulation.world().state().step;
    };
    for (const std::uint64_t before = step(); step() == before;) {}  // it runs
    const Ownership::Token token(simulation.ownership());
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  };
  const auto wait_for_figures = [&] {
    // Two windows of measuring: the second began after the stall.
    for (int i = 0; i < 2; ++i) {
      const double before = runner.figures().steps_per_second;
      while (runner.figures().steps_per_second == before) { std::this_thread::yield(); }
    }
  };
  runner.start(Mode::Realtime);
  stall();
  wait_for_figures();
  EXPECT_EQ(runner.figures().slip, 0.0);
  runner.set_max_steps_per_cycle(3);
  EXPECT_EQ(runner.max_steps_per_cycle(), 3u);
  stall();
  stall();  // the first may have found the old number
  wait_for_figures();
  runner.stop();
  EXPECT_GT(runner.figures().slip, 0.15);
}
