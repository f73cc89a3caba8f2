// SPDX-License-Identifier: BSD-3-Clause
// The operating state as the dVRK's software keeps it.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "ambf_arms/operating_state.hpp"

namespace ambf_arms::test
{
namespace
{

using Kind = ArmEvent::Kind;

const std::vector<std::string> all_commands{"enable", "disable", "pause",
                                            "resume", "home",    "unhome"};

OperatingState in(OperatingMode mode)
{
  OperatingState state("PSM1");
  if (mode != OperatingMode::Disabled) { state.command("enable"); }
  if (mode == OperatingMode::Paused) { state.command("pause"); }
  if (mode == OperatingMode::Fault) { state.fault("tracking error"); }
  EXPECT_EQ(state.mode(), mode);
  return state;
}

TEST(OperatingState, AcceptsWhatTheTableSaysAndAnswersEveryAcceptedCommand)
{
  const std::map<OperatingMode, std::set<std::string>> table{
    {OperatingMode::Disabled, {"enable", "disable", "unhome"}},
    {OperatingMode::Enabled, {"enable", "disable", "pause", "home", "unhome"}},
    {OperatingMode::Paused, {"disable", "pause", "resume", "unhome"}},
    {OperatingMode::Fault, {"enable", "disable", "unhome"}}};
  for (const auto & [mode, accepted] : table) {
    for (const std::string & command : all_commands) {
      OperatingState state = in(mode);
      const ArmEvents events = state.command(command);
      const bool wanted = accepted.contains(command);
      EXPECT_EQ(events.has(Kind::StateChanged), wanted) << to_string(mode) << " " << command;
      EXPECT_EQ(events.has(Kind::Warning), !wanted) << to_string(mode) << " " << command;
      EXPECT_FALSE(events.has(Kind::Error)) << "an error disables the console's teleoperation";
      if (!wanted) {
        EXPECT_EQ(state.mode(), mode);
        EXPECT_NE(
          events[0].text.find("\"" + command + "\" is not supported in state"), std::string::npos);
      }
    }
  }
}

TEST(OperatingState, EnableAndHomeBackToBack)
{
  OperatingState state("PSM1");
  EXPECT_TRUE(state.command("enable").has(ArmAction::PowerOn));
  EXPECT_EQ(state.mode(), OperatingMode::Enabled);
  EXPECT_FALSE(state.ready());
  const ArmEvents home = state.command("home");
  EXPECT_TRUE(home.has(ArmAction::StartHoming));
  EXPECT_TRUE(state.is_busy());
  EXPECT_STREQ(state.desired(), "HOMED");
  EXPECT_TRUE(state.homing_done().has(Kind::StateChanged));
  EXPECT_TRUE(state.is_homed());
  EXPECT_FALSE(state.is_busy());
  EXPECT_TRUE(state.ready());
  // Again: nothing to do, answered all the same.
  const ArmEvents again = state.command("home");
  EXPECT_FALSE(again.has(ArmAction::StartHoming));
  EXPECT_TRUE(again.has(Kind::StateChanged));
  EXPECT_TRUE(state.command("enable").has(Kind::StateChanged));
  EXPECT_TRUE(state.ready());
}

TEST(OperatingState, HomedSurvivesDisableButNotTheNextEnable)
{
  OperatingState state;
  state.command("enable");
  state.command("home");
  state.homing_done();
  EXPECT_TRUE(state.command("disable").has(ArmAction::PowerOff));
  EXPECT_TRUE(state.is_homed());
  EXPECT_FALSE(state.ready());
  state.command("enable");
  EXPECT_FALSE(state.is_homed());
}

TEST(OperatingState, PauseReturnsToWhatItInterrupted)
{
  OperatingState state;
  state.command("enable");
  state.command("home");
  EXPECT_TRUE(state.command("pause").has(ArmAction::Hold));
  EXPECT_EQ(state.homing_done().size(), 0u);  // it was stopped
  EXPECT_STREQ(state.desired(), "PAUSED");
  EXPECT_TRUE(state.command("pause").has(Kind::StateChanged));
  EXPECT_TRUE(state.command("resume").has(ArmAction::StartHoming));
  EXPECT_STREQ(state.desired(), "HOMED");
  state.homing_done();
  state.moving(true);
  state.command("pause");
  EXPECT_FALSE(state.is_busy());
  EXPECT_TRUE(state.command("resume").has(ArmAction::Continue));
  EXPECT_TRUE(state.ready());
}

TEST(OperatingState, EveryMoveGivesBusyAndNotBusy)
{
  OperatingState state;
  EXPECT_EQ(state.moving(true).size(), 0u);  // not ready
  state.command("enable");
  state.command("home");
  state.homing_done();
  EXPECT_EQ(state.moving(true).size(), 1u);
  EXPECT_TRUE(state.is_busy());
  // A second goal while it moves has its own beginning.
  EXPECT_EQ(state.moving(true).size(), 1u);
  EXPECT_EQ(state.moving(false).size(), 1u);
  EXPECT_FALSE(state.is_busy());
  EXPECT_EQ(state.moving(false).size(), 0u);
}

TEST(OperatingState, FaultTellsAnErrorAndIsLeftByEnable)
{
  OperatingState state("PSM1");
  state.command("enable");
  state.command("home");
  const ArmEvents events = state.homing_failed("yaw is 4 degrees off after 2 s");
  EXPECT_EQ(events[0].kind, Kind::Error);
  EXPECT_EQ(events[0].text, "PSM1: yaw is 4 degrees off after 2 s");
  EXPECT_EQ(state.mode(), OperatingMode::Fault);
  EXPECT_FALSE(state.is_homed());
  EXPECT_FALSE(state.is_busy());
  state.command("enable");
  EXPECT_EQ(state.mode(), OperatingMode::Enabled);
}

TEST(OperatingState, ToolsAndHandsMakeItBusy)
{
  OperatingState state;
  state.command("enable");
  EXPECT_EQ(state.engaging(true).size(), 0u);
  state.command("home");
  state.homing_done();
  EXPECT_EQ(state.engaging(true).size(), 1u);
  EXPECT_TRUE(state.is_busy());
  EXPECT_FALSE(state.ready());
  EXPECT_EQ(state.engaging(false).size(), 1u);
  EXPECT_EQ(state.manual(true).size(), 1u);
  EXPECT_TRUE(state.is_busy());
  state.manual(false);
  EXPECT_TRUE(state.ready());
}

TEST(OperatingState, UnknownAndUntimelyCommandsAreWarnedOfSparingly)
{
  OperatingState state("PSM1");
  const ArmEvents odd = state.command(std::string(1000, 'x'));
  ASSERT_EQ(odd.size(), 1u);
  EXPECT_EQ(odd[0].kind, Kind::Warning);
  EXPECT_LT(odd[0].text.size(), 250u);
  EXPECT_EQ(state.not_ready("servo_jp", 10.0)[0].text, "PSM1: servo_jp, arm not ready (1 error)");
  EXPECT_EQ(state.not_ready("servo_jp", 11.0).size(), 0u);
  EXPECT_EQ(state.not_ready("servo_jp", 11.5).size(), 0u);
  EXPECT_EQ(state.not_ready("servo_jp", 12.1)[0].text, "PSM1: servo_jp, arm not ready (3 errors)");
}

TEST(OperatingState, UnhomeTakesTheHomeAway)
{
  OperatingState state;
  state.command("enable");
  state.command("home");
  state.homing_done();
  EXPECT_TRUE(state.command("unhome").has(ArmAction::Unhome));
  EXPECT_FALSE(state.is_homed());
  EXPECT_FALSE(state.ready());
  EXPECT_EQ(state.mode(), OperatingMode::Enabled);
  EXPECT_TRUE(state.command("home").has(ArmAction::StartHoming));
}

}  // namespace
}  // namespace ambf_arms::test
