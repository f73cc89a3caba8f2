// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "ambf_simulation/sole_stepper.hpp"

using namespace ambf_simulation;  // NOLINT

TEST(SoleStepper, HasTheWorldUntilItIsSilentForTheLease)
{
  SoleStepper sole;
  EXPECT_TRUE(sole.may("a", 0, 10));
  sole.claim("a", 0);
  EXPECT_TRUE(sole.may("a", 5, 10));
  EXPECT_FALSE(sole.may("b", 5, 10));
  EXPECT_TRUE(sole.may("b", 10, 10));
  // Steps that take long are no silence.
  sole.begin();
  EXPECT_FALSE(sole.may("b", 1000, 10));
  sole.end(1000);
  EXPECT_FALSE(sole.may("b", 1009, 10));
  EXPECT_TRUE(sole.may("b", 1010, 10));
  sole.release();
  EXPECT_TRUE(sole.may("b", 1001, 10));
}
