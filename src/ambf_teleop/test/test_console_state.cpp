// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/console_state.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

using namespace ambf_teleop;

namespace
{

struct Console
{
  explicit Console(std::vector<ConsolePair> pairs) : state(std::move(pairs)) {}

  /// The newest command of each pair since the last call.
  std::map<std::string, std::string> commands()
  {
    std::map<std::string, std::string> found;
    state.take_events([&](const ConsoleEvent & event) {
      if (event.kind == ConsoleEvent::Kind::Command) { found[event.name] = event.text; }
      if (event.kind >= ConsoleEvent::Kind::Status) { said += event.text + "\n"; }
    });
    return found;
  }
  bool selected(const std::string & name) const
  {
    for (const ConsolePair & pair : state.pairs()) {
      if (pair.name == name) { return pair.selected; }
    }
    return false;
  }

  ConsoleState state;
  std::string said;
};

Console two_hands_three_arms()
{
  return Console(
    {*pair_of("MTMR_PSM1", false), *pair_of("MTMR_PSM3", false), *pair_of("MTML_PSM2", false),
     *pair_of("MTML_MTMR_ECM", true)});
}

}  // namespace

TEST(ConsoleState, PairsAreNamedByHandAndArm)
{
  EXPECT_EQ(pair_of("mtm_left_PSM1", false)->hand, "mtm_left");
  EXPECT_EQ(pair_of("mtm_left_PSM1", false)->arm, "PSM1");
  for (const char * wrong : {"", "PSM1", "_PSM1", "MTMR_"}) { EXPECT_FALSE(pair_of(wrong, false)); }
}

TEST(ConsoleState, ThoseThatFitAreSelectedAtTheStart)
{
  Console console = two_hands_three_arms();
  EXPECT_TRUE(console.selected("MTMR_PSM1"));
  EXPECT_FALSE(console.selected("MTMR_PSM3"));
  EXPECT_TRUE(console.selected("MTML_PSM2"));
  EXPECT_TRUE(console.selected("MTML_MTMR_ECM"));
}

TEST(ConsoleState, APairWorksWhileEnabledAndSomebodyIsThere)
{
  Console console = two_hands_three_arms();
  console.state.enable(true);
  EXPECT_EQ(console.commands()["MTMR_PSM1"], "align_MTM");
  console.state.press(Pedal::OperatorPresent, Press::Pressed);
  auto commands = console.commands();
  EXPECT_EQ(commands["MTMR_PSM1"], "enable");
  EXPECT_EQ(commands["MTML_PSM2"], "enable");
  EXPECT_EQ(commands.count("MTMR_PSM3"), 0u) << "it is not selected, and left alone";
  console.state.press(Pedal::OperatorPresent, Press::Released);
  EXPECT_EQ(console.commands()["MTMR_PSM1"], "align_MTM");
  console.state.enable(false);
  EXPECT_EQ(console.commands()["MTMR_PSM1"], "disable");
}

TEST(ConsoleState, TheCameraPedalGivesTheHandsToTheEndoscope)
{
  Console console = two_hands_three_arms();
  console.state.enable(true);
  console.state.press(Pedal::OperatorPresent, Press::Pressed);
  console.commands();
  console.state.press(Pedal::Camera, Press::Pressed);
  auto commands = console.commands();
  EXPECT_EQ(commands["MTML_MTMR_ECM"], "enable");
  EXPECT_EQ(commands["MTMR_PSM1"], "disable");
  console.state.press(Pedal::Camera, Press::Released);
  commands = console.commands();
  EXPECT_EQ(commands["MTML_MTMR_ECM"], "disable");
  EXPECT_EQ(commands["MTMR_PSM1"], "enable");
}

TEST(ConsoleState, NoArmHasTwoHands)
{
  Console console({*pair_of("left_PSM1", false), *pair_of("right_PSM1", false)});
  console.state.enable(true);
  console.state.press(Pedal::OperatorPresent, Press::Pressed);
  console.commands();
  console.state.select("right_PSM1");
  auto commands = console.commands();
  EXPECT_EQ(commands["left_PSM1"], "disable");
  EXPECT_EQ(commands["right_PSM1"], "enable");
  EXPECT_NE(
    console.said.find("left_PSM1 unselected to free PSM1 for right_PSM1"), std::string::npos);
}

TEST(ConsoleState, AQuickTapOfTheClutchChangesTheArmOfAHand)
{
  Console console = two_hands_three_arms();
  for (const bool third : {true, false, true}) {
    console.state.press(Pedal::Clutch, Press::QuickTap);
    EXPECT_EQ(console.selected("MTMR_PSM3"), third);
    EXPECT_EQ(console.selected("MTMR_PSM1"), !third);
    EXPECT_TRUE(console.selected("MTML_PSM2"));
  }
}

TEST(ConsoleState, APairThatComesLateIsToldWhatToDo)
{
  Console console = two_hands_three_arms();
  console.state.enable(true);
  console.state.press(Pedal::OperatorPresent, Press::Pressed);
  console.commands();
  console.state.pair_came("MTMR_PSM1");
  EXPECT_EQ(console.commands()["MTMR_PSM1"], "enable");
}

TEST(ConsoleState, WrongNamesAndScalesAreTold)
{
  Console console = two_hands_three_arms();
  console.state.select("MTMR_PSM9");
  console.state.set_scale(-1.0);
  console.commands();
  EXPECT_NE(
    console.said.find("found 'MTMR_PSM9', expected one of MTMR_PSM1, MTMR_PSM3"),
    std::string::npos);
  EXPECT_NE(console.said.find("found a scale of -1"), std::string::npos);
}
