// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "ambf_devices/rate_hand.hpp"

namespace ambf_devices
{
namespace
{

constexpr double step = 0.01;

RateHandParameters two_modes()
{
  RateHandParameters parameters;
  parameters.modes = {*parse_stick_mode("x=+0 y=-1"), *parse_stick_mode("rz=+0")};
  parameters.buttons.position_clutch = 0;
  parameters.buttons.next_mode = 1;
  parameters.buttons.close_gripper = 2;
  parameters.buttons.open_gripper = 3;
  parameters.buttons.home = 4;
  parameters.buttons.actions = {7, 5};
  parameters.curve = 1.0;
  return parameters;
}

StickInput pushed(std::size_t axis, double deflection)
{
  StickInput input;
  input.axes[axis] = deflection;
  return input;
}

StickInput button(int number)
{
  StickInput input;
  input.buttons = 1u << number;
  return input;
}

TEST(StickMode, ReadsSignsAndNumbers)
{
  const auto mode = parse_stick_mode(" x=+0  rz=-12 ");
  ASSERT_TRUE(mode.has_value()) << mode.error();
  EXPECT_EQ(mode->sources[0].axis, 0);
  EXPECT_EQ(mode->sources[0].sign, 1.0);
  EXPECT_EQ(mode->sources[5].axis, 12);
  EXPECT_EQ(mode->sources[5].sign, -1.0);
  EXPECT_EQ(mode->sources[1].axis, -1);
}

TEST(StickMode, SaysWhatIsWrong)
{
  for (const char * text : {"", "x", "u=+0", "x=0", "x=+", "x=+16", "x=+-1", "x=+1a"}) {
    EXPECT_FALSE(parse_stick_mode(text).has_value()) << text;
  }
  EXPECT_NE(parse_stick_mode("u=+0").error().find("'u=+0'"), std::string::npos);
}

TEST(Deflection, RisesFromTheEdgeOfTheDeadBandToOne)
{
  EXPECT_EQ(shaped(0.1, 0.1, 2.0), 0.0);
  EXPECT_NEAR(shaped(0.1 + 1e-6, 0.1, 1.0), 0.0, 2e-6);
  EXPECT_DOUBLE_EQ(shaped(1.0, 0.1, 3.0), 1.0);
  EXPECT_DOUBLE_EQ(shaped(-7.0, 0.1, 3.0), -1.0);
  EXPECT_EQ(shaped(std::numeric_limits<double>::quiet_NaN(), 0.1, 1.0), 0.0);
}

TEST(RateHand, GoesAtItsSpeedAtFullDeflection)
{
  RateHand hand(two_modes());
  DriverState state;
  for (int i = 0; i < 100; ++i) { state = hand.advance(pushed(0, 1.0), step); }
  EXPECT_NEAR(state.T_base_tip.position.x(), 0.15, 1e-12);
  EXPECT_NEAR(state.twist.linear.x(), 0.15, 1e-12);
  state = hand.advance(pushed(1, 1.0), step);
  EXPECT_LT(state.T_base_tip.position.y(), 0.0);
}

TEST(RateHand, ModeButtonGoesRoundOncePerPress)
{
  RateHand hand(two_modes());
  StickInput input = button(1);
  for (int i = 0; i < 5; ++i) { hand.advance(input, step); }
  EXPECT_EQ(hand.mode(), 1u);
  const DriverState state = hand.advance(pushed(0, 1.0), step);
  EXPECT_EQ(state.T_base_tip.position.x(), 0.0);
  EXPECT_NEAR(state.twist.angular.z(), 1.0, 1e-12);
  hand.advance(input, step);
  EXPECT_EQ(hand.mode(), 0u);
}

TEST(RateHand, ButtonsAreClutchActionsAndGripper)
{
  RateHand hand(two_modes());
  EXPECT_TRUE(hand.advance(button(0), step).position_clutch);
  EXPECT_FALSE(hand.advance({}, step).position_clutch);
  EXPECT_EQ(hand.advance(button(5), step).actions, 2u);
  EXPECT_EQ(hand.advance(button(7), step).actions, 1u);
  for (int i = 0; i < 100; ++i) { hand.advance(button(2), step); }
  EXPECT_EQ(hand.advance({}, step).gripper, 0.0);
  EXPECT_NEAR(hand.advance(button(3), step).gripper, 0.02, 1e-12);
}

TEST(RateHand, ATriggerIsTheGripper)
{
  RateHandParameters parameters = two_modes();
  parameters.gripper_axis = 5;
  RateHand hand(parameters);
  EXPECT_EQ(hand.advance(pushed(5, 0.25), step).gripper, 0.75);
  EXPECT_EQ(hand.advance({}, step).gripper, 1.0);
  parameters.trigger_rest = 1.0;  // as joy_node has it
  parameters.trigger_pulled = -1.0;
  RateHand other(parameters);
  EXPECT_EQ(other.advance(pushed(5, -0.5), step).gripper, 0.25);
}

TEST(RateHand, StaysInItsBoxWithFiniteStatesWhateverTheStickSays)
{
  RateHand hand(two_modes());
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> any(-1e3, 1e3);
  for (int i = 0; i < 20000; ++i) {
    StickInput input;
    for (double & axis : input.axes) {
      axis = i % 5 == 0 ? std::numeric_limits<double>::quiet_NaN() : any(random);
    }
    input.displacement.setConstant(
      i % 7 == 0 ? std::numeric_limits<double>::infinity() : any(random));
    input.buttons = static_cast<std::uint32_t>(random());
    const DriverState & state = hand.advance(input, any(random));
    ASSERT_LE(state.T_base_tip.position.cwiseAbs().maxCoeff(), 0.3);
    ASSERT_NEAR(state.T_base_tip.orientation.norm(), 1.0, 1e-9);
    ASSERT_TRUE(state.gripper >= 0.0 && state.gripper <= 1.0);
    ASSERT_TRUE(state.twist.linear.allFinite());
  }
}

TEST(RateHand, HomeGoesBackToItsStartNoFasterThanItsSpeeds)
{
  RateHand hand(two_modes());
  for (int i = 0; i < 100; ++i) { hand.advance(pushed(0, 1.0), step); }
  hand.advance(button(1), step);  // the mode that turns
  for (int i = 0; i < 100; ++i) { hand.advance(pushed(0, 1.0), step); }
  ambf_teleop::Pose last = hand.advance({}, step).T_base_tip;
  for (int i = 0; i < 200; ++i) {
    const DriverState & state = hand.advance(button(4), step);
    ASSERT_LE((state.T_base_tip.position - last.position).norm(), 0.15 * step + 1e-12);
    ASSERT_LE(state.T_base_tip.orientation.angularDistance(last.orientation), 1.0 * step + 1e-7);
    last = state.T_base_tip;
  }
  EXPECT_EQ(last.position.norm(), 0.0);
  EXPECT_NEAR(last.orientation.w(), 1.0, 1e-12);
}

TEST(RateHand, IsNoFasterThanAHandByTwoSticksOrAMouse)
{
  RateHandParameters parameters = two_modes();
  parameters.modes = {*parse_stick_mode("x=+0 y=+1 z=+2")};
  RateHand hand(parameters);
  StickInput all;
  all.axes.fill(1.0);
  EXPECT_NEAR(hand.advance(all, step).twist.linear.norm(), 0.15, 1e-12);
  StickInput flick;
  flick.displacement = {0, 5.0, 0};
  EXPECT_NEAR(hand.advance(flick, step).twist.linear.y(), fastest_mouse, 1e-9);
}

TEST(RateHand, WhoeverLetsGoOfTheSticksKeepsTheGripper)
{
  RateHandParameters parameters = two_modes();
  parameters.gripper_axis = 5;
  parameters.trigger_rest = 1.0;
  parameters.trigger_pulled = -1.0;
  RateHand hand(parameters);
  EXPECT_EQ(hand.advance(hand.untouched(), step).gripper, 1.0);
  StickInput input = pushed(5, -1.0);
  input.axes[0] = 1.0;
  EXPECT_EQ(hand.advance(input, step).gripper, 0.0);
  hand.let_go(input);
  const DriverState & state = hand.advance(input, step);
  EXPECT_EQ(state.gripper, 0.0);
  EXPECT_EQ(state.twist.linear.norm(), 0.0);
}

}  // namespace
}  // namespace ambf_devices
