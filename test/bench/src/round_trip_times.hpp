// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace ambf_bench
{

/// Collects so many times, after a start that does not count, and prints their quantiles once.
class RoundTripTimes
{
public:
  RoundTripTimes(std::string name, int count)
  : name_(std::move(name)), count_(static_cast<std::size_t>(count))
  {
    times_.reserve(count_);
  }

  void add(double seconds)
  {
    constexpr int start = 200;
    if (++seen_ <= start || times_.size() == count_) { return; }
    times_.push_back(seconds);
    if (times_.size() == count_) { print(); }
  }

private:
  void print()
  {
    std::sort(times_.begin(), times_.end());
    const auto at = [this](double part) {
      return 1e6 * times_[static_cast<std::size_t>(part * static_cast<double>(times_.size() - 1))];
    };
    std::printf(
      "RESULT %s p25=%.1f p50=%.1f p75=%.1f p99=%.1f\n", name_.c_str(), at(0.25), at(0.5), at(0.75),
      at(0.99));
    std::fflush(stdout);
  }

  std::string name_;
  std::size_t count_;
  int seen_ = 0;
  std::vector<double> times_;
};

}  // namespace ambf_bench
