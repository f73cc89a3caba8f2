// SPDX-License-Identifier: BSD-3-Clause
// The rules by which the dVRK's software moves an arm, one test each: operating state, moves,
// streams. The machine is ideal: it is where it is told to be, unless a test holds it.

#include <gtest/gtest.h>

#include "arm_rig.hpp"

namespace ambf_arms::test
{
namespace
{

using Answers = std::vector<bool>;

// Operating state

TEST(ArmControl, EnableAndHomeBackToBackEndAtHome)
{
  Rig rig;
  rig.control.state_command("enable");
  rig.control.state_command("home");
  EXPECT_EQ(rig.busy(), (Answers{false, true}));
  rig.run_until_idle();
  EXPECT_TRUE(rig.control.state().is_homed());
  EXPECT_FALSE(rig.control.state().is_busy());
  EXPECT_NEAR(rig.machine.position[2], 0.12, 1e-9);
  EXPECT_EQ(rig.count(Kind::Error), 0);
}

TEST(ArmControl, HomeOfADisabledArmIsRefusedWithAWarning)
{
  Rig rig;
  rig.control.state_command("home");
  EXPECT_EQ(rig.count(Kind::OperatingState), 0);
  EXPECT_NE(rig.text(Kind::Warning).find("\"home\" is not supported"), std::string::npos);
}

TEST(ArmControl, HomingThatDoesNotArriveIsAFaultAfterTwoSeconds)
{
  Rig rig;
  rig.stuck = true;
  rig.control.state_command("enable");
  rig.control.state_command("home");
  rig.run_until_idle(60000);
  EXPECT_EQ(rig.control.state().mode(), OperatingMode::Fault);
  EXPECT_EQ(rig.count(Kind::Error), 1);
  const std::string told = rig.text(Kind::Error);
  const auto says = [&](const char * words) { return told.find(words) != std::string::npos; };
  EXPECT_TRUE(says("'insertion' is at 0.05")) << told;
  EXPECT_TRUE(says("not at 0.12")) << told;
  EXPECT_TRUE(says("0.002 allowed")) << told;
  EXPECT_EQ(rig.control.drives().modes[0], Drive::Off);
}

TEST(ArmControl, EnablingBeginsWhereTheArmIs)
{
  Rig rig;
  rig.machine.position[0] = 0.7;
  rig.control.measure(rig.machine);
  rig.control.state_command("enable");
  rig.control.tick(0.001);
  EXPECT_EQ(rig.control.drives().modes[0], Drive::Position);
  EXPECT_DOUBLE_EQ(rig.control.drives().values[0], 0.7);
}

TEST(ArmControl, DisableLetsGoAndStopsAMove)
{
  Rig rig;
  rig.home();
  rig.control.move_jp(vector({0.5, 0, 0.12, 0, 0, 0}));
  rig.run(10);
  rig.control.state_command("disable");
  rig.tick();
  EXPECT_EQ(rig.reached(), (Answers{false}));
  EXPECT_EQ(rig.control.drives().modes[0], Drive::Off);
  EXPECT_EQ(rig.control.drives().jaw_mode, Drive::Off);
  EXPECT_FALSE(rig.control.valid());
}

TEST(ArmControl, PauseStopsAMoveAndResumeDoesNotTakeItUp)
{
  Rig rig;
  rig.home();
  rig.control.move_jp(vector({0.5, 0, 0.12, 0, 0, 0}));
  rig.run(200);
  rig.control.state_command("pause");
  const double there = rig.control.setpoint()[0];
  rig.run(100);
  rig.control.state_command("resume");
  rig.run(100);
  EXPECT_GT(there, 0.0);
  EXPECT_DOUBLE_EQ(rig.control.setpoint()[0], there);
  EXPECT_EQ(rig.reached(), (Answers{false}));
  EXPECT_TRUE(rig.control.state().ready());
}

TEST(ArmControl, PositionsAreNotToBeBelievedBeforeHomingNorWhileDisabled)
{
  Rig rig;
  EXPECT_FALSE(rig.control.valid());
  rig.control.state_command("enable");
  EXPECT_FALSE(rig.control.valid());
  rig.control.state_command("home");
  rig.run_until_idle();
  EXPECT_TRUE(rig.control.valid());
  rig.control.state_command("disable");
  EXPECT_FALSE(rig.control.valid());
}

// Moves

TEST(ArmControl, AMoveIsBusyThenNotBusyAndReached)
{
  Rig rig;
  rig.home();
  rig.control.move_jp(vector({0.3, -0.2, 0.1, 0.5, 0.1, -0.1}));
  EXPECT_EQ(rig.busy(), (Answers{true}));
  rig.run_until_idle();
  EXPECT_EQ(rig.busy(), (Answers{true, false}));
  EXPECT_EQ(rig.reached(), (Answers{true}));
  EXPECT_DOUBLE_EQ(rig.control.setpoint()[0], 0.3);
}

TEST(ArmControl, AMoveToWhereTheArmIsGivesThePairAllTheSame)
{
  Rig rig;
  rig.home();
  rig.control.move_jp(rig.control.setpoint());
  EXPECT_EQ(rig.busy(), (Answers{true}));
  rig.tick(0.0);  // also in a world that stands
  EXPECT_EQ(rig.busy(), (Answers{true, false}));
  EXPECT_EQ(rig.reached(), (Answers{true}));
}

TEST(ArmControl, AMoveStandsStillWhileTimeDoes)
{
  Rig rig;
  rig.home();
  rig.control.move_jp(vector({0.3, 0, 0.12, 0, 0, 0}));
  rig.run(100);
  const double there = rig.control.setpoint()[0];
  for (int i = 0; i < 1000; ++i) { rig.tick(0.0); }
  EXPECT_DOUBLE_EQ(rig.control.setpoint()[0], there);
  EXPECT_TRUE(rig.control.state().is_busy());
}

TEST(ArmControl, AMoveBeginsAtTheSetPointNotAtTheMeasuredJoints)
{
  Rig rig;
  rig.home();
  rig.machine.position[0] = 0.2;  // something pushes the arm aside
  rig.control.measure(rig.machine);
  rig.control.move_jp(vector({0.3, 0, 0.12, 0, 0, 0}));
  rig.control.tick(0.001);
  EXPECT_LT(rig.control.setpoint()[0], 0.001);
}

TEST(ArmControl, GoalsOfMovesAreClipped)
{
  Rig rig;
  rig.home();
  rig.control.move_jp(vector({9, 0, 9, 0, 0, 0}));
  rig.run_until_idle();
  EXPECT_DOUBLE_EQ(rig.control.setpoint()[0], rig.control.arm().bounds().high[0]);
  EXPECT_DOUBLE_EQ(rig.control.setpoint()[2], rig.control.arm().bounds().high[2]);
}

TEST(ArmControl, ANewGoalReplacesTheOldOneWithoutAJump)
{
  Rig rig;
  rig.home();
  rig.control.move_jp(vector({0.5, 0, 0.12, 0, 0, 0}));
  rig.run(300);
  const double before = rig.control.setpoint()[0];
  const double velocity = rig.control.setpoint_velocity()[0];
  rig.control.move_jp(vector({-0.5, 0, 0.12, 0, 0, 0}));
  rig.tick();
  EXPECT_NEAR(rig.control.setpoint()[0], before + 0.001 * velocity, 1e-5);
  rig.run_until_idle();
  EXPECT_DOUBLE_EQ(rig.control.setpoint()[0], -0.5);
  EXPECT_EQ(rig.reached(), (Answers{true}));
  EXPECT_EQ(rig.busy(), (Answers{true, true, false}));
}

TEST(ArmControl, RelativeMovesAddToTheRunningGoal)
{
  Rig rig;
  rig.home();
  rig.control.move_jr(vector({0.1, 0, 0, 0, 0, 0}));
  rig.run(20);
  rig.control.move_jr(vector({0.1, 0, 0, 0, 0, 0}));
  rig.run_until_idle();
  EXPECT_DOUBLE_EQ(rig.control.setpoint()[0], 0.2);
}

TEST(ArmControl, AServoCommandInterruptsAMove)
{
  Rig rig;
  rig.home();
  rig.control.move_jp(vector({0.5, 0, 0.12, 0, 0, 0}));
  rig.run(50);
  rig.control.servo_jp(vector({0.01, 0, 0.12, 0, 0, 0}));
  EXPECT_EQ(rig.reached(), (Answers{false}));
  EXPECT_EQ(rig.busy(), (Answers{true, false}));
  EXPECT_DOUBLE_EQ(rig.control.setpoint()[0], 0.01);
}

TEST(ArmControl, HoldStopsAMoveAtTheSetPoint)
{
  Rig rig;
  rig.home();
  rig.control.move_jp(vector({0.5, 0, 0.12, 0, 0, 0}));
  rig.run(300);
  const double there = rig.control.setpoint()[0];
  rig.control.hold();
  rig.run(100);
  EXPECT_DOUBLE_EQ(rig.control.setpoint()[0], there);
  EXPECT_EQ(rig.reached(), (Answers{false}));
}

TEST(ArmControl, MoveCpSolvesThenFollowsTheJointTrajectory)
{
  Rig rig;
  rig.home();
  Eigen::Isometry3d goal = rig.tip();
  goal.translation() += Eigen::Vector3d(0.02, 0.01, -0.02);
  rig.control.move_cp(goal);
  rig.run_until_idle();
  EXPECT_LT((rig.tip().translation() - goal.translation()).norm(), 1e-9);
  EXPECT_EQ(rig.reached(), (Answers{true}));
}

TEST(ArmControl, TheRatioSlowsMovesDown)
{
  const auto ticks = [](double ratio) {
    Rig rig;
    rig.home();
    rig.control.set_ratio(ratio);
    rig.control.move_jp(vector({0.5, 0, 0.12, 0, 0, 0}));
    int count = 0;
    while (rig.control.state().is_busy()) {
      rig.tick();
      ++count;
    }
    return count;
  };
  EXPECT_GT(ticks(0.1), 3 * ticks(1.0));
}

TEST(ArmControl, RatiosAreAboveZeroAndAtMostOne)
{
  Rig rig;
  for (const double wrong : {0.0, -0.5, 1.01, nan}) {
    rig.now += 10.0;
    rig.control.set_now(rig.now);
    rig.control.set_ratio(wrong);
  }
  EXPECT_EQ(rig.count(Kind::Warning), 4);
  EXPECT_EQ(rig.count(Kind::Ratio), 0);
  EXPECT_EQ(rig.control.ratio().velocity, 1.0);
  rig.control.set_ratio_v(0.5);
  EXPECT_EQ(rig.count(Kind::Ratio), 1);
  EXPECT_EQ(rig.control.ratio().velocity, 0.5);
  EXPECT_EQ(rig.control.ratio().acceleration, 1.0);
}

// Servo

TEST(ArmControl, ServoIsClippedAndNeverBusy)
{
  Rig rig;
  rig.home();
  rig.control.servo_jp(vector({9, -9, -1, 0, 0, 0}));
  EXPECT_DOUBLE_EQ(rig.control.setpoint()[0], rig.control.arm().bounds().high[0]);
  EXPECT_DOUBLE_EQ(rig.control.setpoint()[1], rig.control.arm().bounds().low[1]);
  EXPECT_DOUBLE_EQ(rig.control.setpoint()[2], rig.control.arm().bounds().low[2]);
  EXPECT_EQ(rig.count(Kind::OperatingState), 0);
}

TEST(ArmControl, RelativeServoAddsToTheSetPoint)
{
  Rig rig;
  rig.home();
  rig.stuck = true;  // the measured joints do not follow
  for (int i = 0; i < 10; ++i) {
    rig.control.servo_jr(vector({0.01, 0, 0, 0, 0, 0}));
    rig.tick();
  }
  EXPECT_NEAR(rig.control.setpoint()[0], 0.1, 1e-12);
}

TEST(ArmControl, ServoCpIsAnsweredAtOnce)
{
  Rig rig;
  rig.home();
  Eigen::Isometry3d goal = rig.tip();
  goal.translation() += Eigen::Vector3d(0.001, 0.0, 0.0);
  rig.control.servo_cp(goal);
  EXPECT_LT((rig.tip().translation() - goal.translation()).norm(), 1e-12);
  rig.control.tick(0.0);
  EXPECT_EQ(rig.control.drives().values, rig.control.setpoint());
}

TEST(ArmControl, AStreamThatEndsLeavesTheArmAtItsLastSetPoint)
{
  Rig rig;
  rig.home();
  rig.control.servo_jp(vector({0.1, 0, 0.12, 0, 0, 0}), vector({1, 0, 0, 0, 0, 0}));
  rig.run(2000);
  EXPECT_DOUBLE_EQ(rig.control.setpoint()[0], 0.1);
  EXPECT_EQ(rig.control.drives().modes[0], Drive::Position);
}

}  // namespace
}  // namespace ambf_arms::test
