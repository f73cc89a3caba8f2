// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "ambf_simulation/step_signal.hpp"

using namespace ambf_simulation;  // NOLINT

TEST(StepSignal, WakesAWaiterAndLosesNoWakeUp)
{
  StepSignal signal;
  std::atomic<int> seen{0};
  constexpr int kRounds = 2000;
  std::thread waiter([&] {
    std::uint32_t last = 0;
    while (last < kRounds) {
      signal.wait(last, 5'000'000'000);
      last = signal.count();
      seen = static_cast<int>(last);
    }
  });
  for (int i = 0; i < kRounds; ++i) { signal.raise(); }
  waiter.join();
  EXPECT_EQ(seen, kRounds);
}
