// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "ambf_simulation/toggle_clock.hpp"

using namespace ambf_simulation;  // NOLINT

TEST(ToggleClock, GrantsOnEveryChangeAndNeverOnARepetition)
{
  ToggleClock clock;
  auto answer = clock.take(true, true, 5);
  EXPECT_EQ(answer.throttle, true);
  EXPECT_EQ(answer.steps, 5u);
  EXPECT_EQ(clock.take(true, true, 5).steps, 0u);
  EXPECT_EQ(clock.take(true, false, 3).steps, 3u);
  EXPECT_EQ(clock.take(true, true, 0).steps, ToggleClock::default_skip_steps)
    << "a message that leaves it unset";
  EXPECT_EQ(clock.take(true, false, 3).steps, 3u);
  answer = clock.take(false, true, 3);
  EXPECT_EQ(answer.throttle, false);
  EXPECT_EQ(answer.steps, 0u);
}
