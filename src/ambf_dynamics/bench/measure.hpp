// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Clocks, quartiles and memory for the benchmarks.

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <vector>

namespace ambf_dynamics::bench
{

inline double seconds(clockid_t clock)
{
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Processor time of this thread: other work on the machine does not count.
inline double cpu_seconds() { return seconds(CLOCK_THREAD_CPUTIME_ID); }
inline double wall_seconds() { return seconds(CLOCK_MONOTONIC); }

inline double resident_mb()
{
  long size = 0;
  long resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

template <class Step>
double seconds_per_step(const Step & step, int steps)
{
  const double start = cpu_seconds();
  for (int i = 0; i < steps; ++i) { step(); }
  return (cpu_seconds() - start) / steps;
}

struct Quartiles
{
  double low;
  double median;
  double high;
};

inline Quartiles quartiles(std::vector<double> values)
{
  std::sort(values.begin(), values.end());
  const auto at = [&](double q) {
    const double x = q * static_cast<double>(values.size() - 1);
    const auto i = static_cast<std::size_t>(x);
    const double f = x - static_cast<double>(i);
    return i + 1 < values.size() ? values[i] * (1.0 - f) + values[i + 1] * f : values[i];
  };
  return {at(0.25), at(0.5), at(0.75)};
}

struct Pairs
{
  Quartiles first;
  Quartiles second;
  Quartiles ratio;  ///< first / second of each pair
};

/// Seconds per step of two things by turns, so that a drift of the machine's speed falls on both.
template <class First, class Second>
Pairs interleave(const First & first, const Second & second, int pairs, int steps)
{
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> ratio;
  for (int i = 0; i < pairs; ++i) {
    if (i % 2 == 0) {
      a.push_back(seconds_per_step(first, steps));
      b.push_back(seconds_per_step(second, steps));
    } else {
      b.push_back(seconds_per_step(second, steps));
      a.push_back(seconds_per_step(first, steps));
    }
    ratio.push_back(a.back() / b.back());
  }
  return {quartiles(a), quartiles(b), quartiles(ratio)};
}

}  // namespace ambf_dynamics::bench
