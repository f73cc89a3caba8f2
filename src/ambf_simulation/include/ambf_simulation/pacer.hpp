// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

namespace ambf_simulation
{

/// Steady time [ns].
std::int64_t steady_now();
/// Sleeps until `deadline`, then spins for at most the last `spin` nanoseconds.
void sleep_until(std::int64_t deadline, std::int64_t spin = 0);

/// Tells how many steps wall time asks for. Step k is due at start + k * step / factor; what cannot
/// be caught up within one cycle is dropped and counted as slip, never hidden.
class Pacer
{
public:
  struct Settings
  {
    double step_size = 0.001;  ///< simulated time of a step [s]
    double factor = 1.0;       ///< simulated seconds per wall second
    std::uint32_t max_steps_per_cycle = 50;
  };

  void start(const Settings & settings, std::int64_t now);

  /// Steps to take now; 0 before the next one is due. Time past the cap is added to the slip.
  std::uint32_t due(std::int64_t now);
  /// When the next step is due.
  std::int64_t next_due() const;

  /// Cycles that began after a later step was due. Any thread may ask.
  std::uint64_t overruns() const { return overruns_.load(std::memory_order_relaxed); }
  /// Wall seconds that were dropped. Any thread may ask.
  double slip() const { return slip_.load(std::memory_order_relaxed); }
  const Settings & settings() const { return settings_; }

private:
  Settings settings_;
  double period_ = 1e6;      ///< wall nanoseconds per step
  std::int64_t origin_ = 0;  ///< when step 0 of this run was due
  std::uint64_t taken_ = 0;  ///< steps handed out since origin
  std::atomic<std::uint64_t> overruns_{0};
  std::atomic<double> slip_{0.0};
};

}  // namespace ambf_simulation
