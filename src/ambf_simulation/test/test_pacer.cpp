// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "ambf_simulation/pacer.hpp"

using namespace ambf_simulation;  // NOLINT

TEST(Pacer, HandsOutExactlyTheStepsThatWallTimeAsksFor)
{
  Pacer pacer;
  pacer.start({0.001, 1.0, 50}, 0);
  std::uint64_t taken = 0;
  for (std::int64_t now = 0; now <= 10'000'000'000; now += 1'370'000) { taken += pacer.due(now); }
  EXPECT_EQ(taken, 9999u) << "the last look was at 9.99963 s";
  EXPECT_DOUBLE_EQ(pacer.slip(), 0.0);
}

TEST(Pacer, CountsWhatItCannotCatchUpAsSlip)
{
  Pacer pacer;
  pacer.start({0.001, 1.0, 50}, 0);
  EXPECT_EQ(pacer.due(1'000'000'000), 50u);
  EXPECT_NEAR(pacer.slip(), 0.950, 1e-9);
  EXPECT_EQ(pacer.due(1'001'000'000), 1u) << "after a stall the steps are on the grid again";
}

TEST(Pacer, RunsSlowerAndFasterThanWallTime)
{
  Pacer pacer;
  pacer.start({0.001, 0.5, 50}, 0);
  EXPECT_EQ(pacer.due(100'000'000), 50u);
  pacer.start({0.001, 2.0, 500}, 0);
  EXPECT_EQ(pacer.due(100'000'000), 200u);
}
