// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/pacer.hpp"

#include <time.h>

#include <cmath>

namespace ambf_simulation
{

std::int64_t steady_now()
{
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

void sleep_until(std::int64_t deadline, std::int64_t spin)
{
  const std::int64_t wake = deadline - spin;
  if (steady_now() < wake) {
    const timespec t{wake / 1'000'000'000, wake % 1'000'000'000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr);
  }
  if (spin > 0) {
    while (steady_now() < deadline) {
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
  }
}

void Pacer::start(const Settings & settings, std::int64_t now)
{
  settings_ = settings;
  period_ = settings.step_size * 1e9 / settings.factor;
  origin_ = now;
  taken_ = 0;
}

std::int64_t Pacer::next_due() const
{
  return origin_ +
         static_cast<std::int64_t>(std::llround(static_cast<double>(taken_ + 1) * period_));
}

std::uint32_t Pacer::due(std::int64_t now)
{
  const auto wanted =
    static_cast<std::uint64_t>(std::floor(static_cast<double>(now - origin_) / period_));
  if (wanted <= taken_) { return 0; }
  std::uint64_t steps = wanted - taken_;
  if (steps > 1) { overruns_.fetch_add(1, std::memory_order_relaxed); }
  if (steps > settings_.max_steps_per_cycle) {
    const std::uint64_t dropped = steps - settings_.max_steps_per_cycle;
    slip_.store(slip() + static_cast<double>(dropped) * period_ * 1e-9, std::memory_order_relaxed);
    // Moving the origin instead of counting the dropped steps as taken keeps later steps on the grid.
    origin_ += static_cast<std::int64_t>(std::llround(static_cast<double>(dropped) * period_));
    steps = settings_.max_steps_per_cycle;
  }
  taken_ += steps;
  return static_cast<std::uint32_t>(steps);
}

}  // namespace ambf_simulation
