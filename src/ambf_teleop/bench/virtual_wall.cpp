// SPDX-License-Identifier: BSD-3-Clause
#include "virtual_wall.hpp"

#include <algorithm>
#include <cmath>

#include "ambf_teleop/passivity.hpp"

namespace ambf_teleop::bench
{
namespace
{

struct Motion
{
  double x = 0.0;
  double v = 0.0;
};

/// m x'' = force - b x' over `period` with a constant force.
Motion advance(const DeviceDynamics & device, const Motion & at, double force, double period)
{
  const double decay = std::exp(-device.damping * period / device.mass);
  const double terminal = force / device.damping;
  const double difference = at.v - terminal;
  return {
    at.x + terminal * period + device.mass / device.damping * (1.0 - decay) * difference,
    terminal + decay * difference};
}

}  // namespace

WallResult run_wall(const WallExperiment & e)
{
  const PassivityParameters controller{e.passivity_control, e.max_damping, 0.0};
  PassivityState observer;
  Motion motion{0.0, -e.approach};
  WallResult result;
  const int steps = static_cast<int>(e.duration / e.period);
  double early = 0.0;
  double late = 0.0;
  for (int i = 0; i < steps; ++i) {
    const double wall = motion.x < 0.0 ? -e.stiffness * motion.x : 0.0;
    const double stored = motion.x < 0.0 ? 0.5 * e.stiffness * motion.x * motion.x : 0.0;
    const Eigen::Vector3d held = passive_force(
      controller, observer, Eigen::Vector3d(motion.x, 0.0, 0.0), Eigen::Vector3d(wall, 0.0, 0.0),
      {stored, 0.0}, e.period);
    motion = advance(e.device, motion, held.x() - e.push, e.period);
    result.deepest = std::max(result.deepest, -motion.x);
    if (4 * i >= steps && 4 * i < 2 * steps) {
      early += motion.v * motion.v;
    } else if (4 * i >= 3 * steps) {
      late += motion.v * motion.v;
    }
  }
  const double quarter = 0.25 * steps;
  result.early_speed = std::sqrt(early / quarter);
  result.late_speed = std::sqrt(late / quarter);
  return result;
}

bool is_stable(const WallResult & result)
{
  return result.late_speed < std::max(0.95 * result.early_speed, 1e-9);
}

double largest_stable_stiffness(WallExperiment experiment, double from, double upper)
{
  const auto stable = [&experiment](double stiffness) {
    experiment.stiffness = stiffness;
    return is_stable(run_wall(experiment));
  };
  double low = from;
  double high = from;
  do {
    low = high;
    high *= 1.05;
    if (!stable(low) || low > upper) { return low > upper ? upper : 0.0; }
  } while (stable(high));
  while (high - low > 1e-3 * high) {
    const double middle = 0.5 * (low + high);
    (stable(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace ambf_teleop::bench
