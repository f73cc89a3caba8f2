// SPDX-License-Identifier: BSD-3-Clause
// blow MODEL: loads a model, takes 1000 steps and prints how far its first body has gone along x.

#include <cstdio>

#include "ambf_simulation/simulation.hpp"
#include "ambf_simulation/told_warnings.hpp"

int main(int argc, char ** argv)
{
  ambf_simulation::Simulation simulation(std::move(*ambf_dynamics::make_world()));
  ambf_simulation::LoadRequest request;
  request.file = argc > 1 ? argv[1] : "ball.yaml";
  const auto loaded = simulation.read(request).and_then(
    [&](ambf_adf::Model && model) { return simulation.load(request, std::move(model)); });
  if (!loaded) {
    std::fputs(ambf_adf::to_string(loaded.error()).c_str(), stderr);
    return 1;
  }
  for (const auto & line : told_warnings(simulation)) {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
  const double before = simulation.world().state().bodies[0];
  for (int i = 0; i < 1000; ++i) {
    simulation.step(0, 0, ambf_simulation::WatchdogAction::Release, false);
  }
  std::printf("%.3f m\n", simulation.world().state().bodies[0] - before);
}
