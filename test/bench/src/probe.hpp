// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

namespace probe
{

/// Steady time [us].
inline double now_us()
{
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) * 1e-3;
}

/// Processor time of this process [s].
inline double cpu_s()
{
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval & t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Prints mean, quartiles, 99th percentile and maximum of `samples`, the one line that the driver reads.
inline void report(const std::string & what, std::vector<double> samples)
{
  std::sort(samples.begin(), samples.end());
  const auto at = [&](double share) {
    return samples[static_cast<std::size_t>(share * static_cast<double>(samples.size() - 1))];
  };
  const double mean =
    std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
  std::printf(
    "RESULT %s n=%zu mean=%.3f p25=%.3f p50=%.3f p75=%.3f p99=%.3f max=%.3f\n", what.c_str(),
    samples.size(), mean, at(0.25), at(0.5), at(0.75), at(0.99), samples.back());
  std::fflush(stdout);
}

inline void report_value(const std::string & what, double value)
{
  std::printf("RESULT %s value=%.6f\n", what.c_str(), value);
  std::fflush(stdout);
}

constexpr std::size_t kWarmUp = 300;

}  // namespace probe
