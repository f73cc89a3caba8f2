// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <limits>

#include "ambf_devices/gain_check.hpp"

namespace ambf_devices
{
namespace
{

const HandDynamics hand{{0.1, 0.5}, {1e-4, 0.001}};

CycleParameters with_stiffness(double stiffness, bool passivity)
{
  CycleParameters parameters;
  parameters.gains.linear_stiffness.setConstant(stiffness);
  parameters.passivity.enabled = passivity;
  return parameters;
}

TEST(GainCheck, BelowTwoBOverTGainsAreTakenAsTheyAre)
{
  // 2 * 0.5 N s/m * 1 kHz = 1000 N/m.
  const auto verdict = check_gains(with_stiffness(999.0, false), hand, 1000.0);
  ASSERT_TRUE(verdict.has_value()) << verdict.error();
  EXPECT_TRUE(verdict->warning.empty());
}

TEST(GainCheck, AboveItTheyAreRefusedWithTheBoundUnlessTheControllerIsOn)
{
  const auto refused = check_gains(with_stiffness(1001.0, false), hand, 1000.0);
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().find("1000 N/m"), std::string::npos) << refused.error();
  EXPECT_NE(refused.error().find("along x"), std::string::npos) << refused.error();

  const auto damped = check_gains(with_stiffness(1001.0, true), hand, 1000.0);
  ASSERT_TRUE(damped.has_value()) << damped.error();
  EXPECT_NE(damped->warning.find("damps it"), std::string::npos);
}

TEST(GainCheck, TheControllerHasABoundToo)
{
  // 2 * (0.5 + 5) * 1 kHz = 11 000 N/m.
  EXPECT_TRUE(check_gains(with_stiffness(10900.0, true), hand, 1000.0).has_value());
  const auto refused = check_gains(with_stiffness(11100.0, true), hand, 1000.0);
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().find("1.1e+04"), std::string::npos) << refused.error();
}

TEST(GainCheck, TheControllersDampingIsHeldBelowATenthOfMassOverPeriod)
{
  const auto verdict = check_gains(with_stiffness(0.0, true), hand, 250.0);
  ASSERT_TRUE(verdict.has_value());
  EXPECT_DOUBLE_EQ(verdict->max_damping, 0.1 * 0.1 * 250.0);
}

TEST(GainCheck, TheHandFeelsTheGainTimesTheScale)
{
  CycleParameters parameters = with_stiffness(300.0, false);
  EXPECT_TRUE(check_gains(parameters, hand, 1000.0).has_value());
  parameters.workspace_scale = 5.0;
  EXPECT_FALSE(check_gains(parameters, hand, 1000.0).has_value());
}

TEST(GainCheck, TurnsHaveTheirBoundsToo)
{
  CycleParameters parameters = with_stiffness(0.0, false);
  parameters.gains.angular_stiffness.z() = 1.9;  // below 2 * 0.001 N m s/rad * 1 kHz
  EXPECT_TRUE(check_gains(parameters, hand, 1000.0).has_value());
  parameters.gains.angular_stiffness.z() = 2.1;
  const auto refused = check_gains(parameters, hand, 1000.0);
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().find("angular stiffness along z"), std::string::npos)
    << refused.error();
  EXPECT_NE(refused.error().find("2 N m/rad"), std::string::npos) << refused.error();

  parameters.passivity.enabled = true;
  const auto damped = check_gains(parameters, hand, 1000.0);
  ASSERT_TRUE(damped.has_value()) << damped.error();
  EXPECT_FALSE(damped->warning.empty());
  EXPECT_DOUBLE_EQ(damped->max_angular_damping, 0.1 * 1e-4 * 1000.0);
  parameters.gains.angular_stiffness.z() = 1e4;
  EXPECT_FALSE(check_gains(parameters, hand, 1000.0).has_value());
}

TEST(GainCheck, ADamperThatWouldShakeTheHandIsRefusedEvenWithoutASpring)
{
  for (const bool passivity : {false, true}) {
    CycleParameters parameters = with_stiffness(0.0, passivity);
    parameters.gains.linear_damping.y() = passivity ? 9.9 : 0.49;  // 0.1 m / T, or b
    EXPECT_TRUE(check_gains(parameters, hand, 1000.0).has_value());
    parameters.gains.linear_damping.y() = passivity ? 10.1 : 0.51;
    const auto refused = check_gains(parameters, hand, 1000.0);
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().find("linear damping along y"), std::string::npos) << refused.error();
    parameters.gains.linear_damping.setZero();
    parameters.gains.angular_damping.x() = 1.0;
    EXPECT_FALSE(check_gains(parameters, hand, 1000.0).has_value());
  }
}

TEST(GainCheck, AGuidanceIsRefusedBeyondWhatTheGainsThemselvesAreRefusedFor)
{
  for (const bool passivity : {false, true}) {
    const CycleParameters parameters = with_stiffness(0.0, passivity);
    const GainBounds bounds = gain_bounds(parameters, hand, 1000.0);
    const auto fits = [&](double stiffness, double damping) {
      GuidanceCommand command;
      command.guidance.linear_stiffness = stiffness;
      command.guidance.linear_damping = damping;
      return check_guidance(command, bounds);
    };
    CycleParameters same = parameters;
    for (const double share : {0.99, 1.01}) {
      same.gains.linear_stiffness.setConstant(share * bounds.linear_stiffness);
      EXPECT_EQ(check_gains(same, hand, 1000.0).has_value(), share < 1.0);
      EXPECT_EQ(fits(share * bounds.linear_stiffness, 0.0).has_value(), share < 1.0);
      EXPECT_EQ(fits(0.0, share * bounds.linear_damping).has_value(), share < 1.0);
    }
    EXPECT_NE(fits(1e9, 0.0).error().find("linear_stiffness: found 1e+09 N/m"), std::string::npos);
  }
  GuidanceCommand late;
  late.time_limit = -1.0;
  EXPECT_FALSE(check_guidance(late, {}).has_value());
}

TEST(GainCheck, NegativeOrNotFiniteGainsAreRefused)
{
  CycleParameters parameters = with_stiffness(-1.0, true);
  EXPECT_FALSE(check_gains(parameters, hand, 1000.0).has_value());
  parameters = with_stiffness(1.0, true);
  parameters.gains.angular_damping.y() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(check_gains(parameters, hand, 1000.0).has_value());
}

}  // namespace
}  // namespace ambf_devices
