// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ambf_dynamics
{

/// Velocity of a stream of position commands, so that controllers can feed it forward. A rate counts
/// only when two intervals in a row agree: a single jump is a step and not a motion.
struct CommandRate
{
  static constexpr std::uint64_t longest_interval = 50;  // steps; slower streams are set-points
  static constexpr double slack = 0.05;                  // rates this close always agree [unit/s]

  double value = 0.0;   // last command
  double before = 0.0;  // the one of an earlier step
  double raw = 0.0;     // rate of the last interval
  double raw_before = 0.0;
  std::uint64_t step = 0;      // of `value`
  std::uint64_t interval = 0;  // steps between `before` and `value`; 0: no earlier command
  bool any = false;

  /// A command for the step with number `now`. `limit`: rates above are steps.
  void take(double command, std::uint64_t now, double step_size, double limit)
  {
    if (!any) {
      *this = CommandRate{};
      any = true;
      step = now;
      value = before = command;
      return;
    }
    if (now != step) {
      before = value;
      raw_before = interval > 0 ? raw : 0.0;
      interval = now - step;
      step = now;
    }
    value = command;
    if (interval > 0) {
      const double r = (value - before) / (static_cast<double>(interval) * step_size);
      raw = interval <= longest_interval && std::abs(r) <= limit ? r : 0.0;
    }
  }

  /// Rate at step `now`; 0 once the stream has paused longer than its interval.
  double rate(std::uint64_t now) const
  {
    if (!any || interval == 0 || now >= step + interval) { return 0.0; }
    const double larger = std::max(std::abs(raw), std::abs(raw_before));
    return std::abs(raw - raw_before) <= slack + 0.5 * larger ? raw : 0.0;
  }
};

}  // namespace ambf_dynamics
