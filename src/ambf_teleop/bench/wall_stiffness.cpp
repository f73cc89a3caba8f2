// SPDX-License-Identifier: BSD-3-Clause
// Prints the largest stiffness of a virtual wall that stays stable, against the device's rate, with
// and without the passivity controller, beside K = 2 b / T, as CSV.
//
//   wall_stiffness [mass kg] [damping N s/m]

#include <cstdio>
#include <cstdlib>

#include "virtual_wall.hpp"

int main(int argc, char ** argv)
{
  using ambf_teleop::bench::WallExperiment;
  WallExperiment experiment;
  if (argc > 1) { experiment.device.mass = std::atof(argv[1]); }
  if (argc > 2) { experiment.device.damping = std::atof(argv[2]); }
  const ambf_teleop::DeviceDynamics device = experiment.device;
  if (!(device.mass > 0.0) || !(device.damping > 0.0)) {
    std::fprintf(stderr, "usage: wall_stiffness [mass kg > 0] [damping N s/m > 0]\n");
    return 2;
  }
  std::printf(
    "rate_hz,mass_kg,damping_nspm,passive_2b_over_t,exact_limit,measured_plain,"
    "pc_max_damping_nspm,predicted_with_pc,measured_with_pc\n");
  for (const double rate : {4000.0, 2000.0, 1000.0, 500.0, 250.0}) {
    experiment.period = 1.0 / rate;
    // A tenth of the mass over the period: well inside what a sampled damper bears.
    experiment.max_damping = 0.1 * device.mass * rate;
    const double theory = ambf_teleop::passive_stiffness(device.damping, 0.0, experiment.period);
    const double upper = 4.0 * device.mass * rate * rate;
    experiment.passivity_control = false;
    const double plain = largest_stable_stiffness(experiment, 0.25 * theory, upper);
    experiment.passivity_control = true;
    const double controlled = largest_stable_stiffness(experiment, 0.25 * theory, upper);
    std::printf(
      "%g,%g,%g,%.1f,%.1f,%.1f,%g,%.1f,%.1f\n", rate, device.mass, device.damping, theory,
      stable_wall_stiffness(device, experiment.period), plain, experiment.max_damping,
      ambf_teleop::stiffness_with_passivity_control(
        device.damping, experiment.max_damping, experiment.period),
      controlled);
  }
  return 0;
}
