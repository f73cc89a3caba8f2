// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "ambf_simulation/ownership.hpp"

using namespace ambf_simulation;  // NOLINT

TEST(Ownership, IsGivenInTheOrderOfAsking)
{
  Ownership ownership;
  std::atomic<bool> stop{false};
  std::atomic<int> served{0};
  std::thread greedy([&] {
    while (!stop) { const Ownership::Token token(ownership); }
  });
  for (int i = 0; i < 1000; ++i) {
    const Ownership::Token token(ownership);
    ++served;
  }
  stop = true;
  greedy.join();
  EXPECT_EQ(served, 1000);
}
