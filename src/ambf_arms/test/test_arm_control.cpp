// SPDX-License-Identifier: BSD-3-Clause
// The rules by which the dVRK's software moves an arm, one test each. The machine is ideal: it is
// where it is told to be, unless a test holds it.

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "ambf_arms/pose.hpp"
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

TEST(ArmControl, CommandsToAnArmThatIsNotReadyWarnAtMostEveryTwoSeconds)
{
  Rig rig;
  rig.control.state_command("enable");
  for (int i = 0; i < 3500; ++i) {
    rig.control.servo_jp(vector({0, 0, 0.1, 0, 0, 0}));
    rig.tick();
  }
  EXPECT_EQ(rig.count(Kind::Warning), 2);
  EXPECT_EQ(rig.text(Kind::Warning), "PSM1: servo_jp, arm not ready (1 error)");
  EXPECT_EQ(rig.count(Kind::Error), 0);
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

TEST(ArmControl, MoveCpWithoutASolutionIsAnErrorAndNobodyWaits)
{
  Rig rig;
  rig.home();
  Eigen::Isometry3d goal = rig.tip();
  // The wrist at the remote centre: 9.1 mm behind the tip along the direction of the fingers.
  const auto wrist = forward(rig.control.arm().chain(), rig.control.setpoint(), 4);
  goal.translation() -= wrist.translation();
  rig.control.move_cp(goal);
  EXPECT_EQ(rig.count(Kind::Error), 1);
  EXPECT_EQ(rig.reached(), (Answers{false}));
  EXPECT_FALSE(rig.control.state().is_busy());
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

TEST(ArmControl, CartesianCommandsAreRefusedBeforeTheCannulaIsLeft)
{
  Rig rig;
  rig.home();
  rig.control.servo_jp(vector({0, 0, 0.03, 0, 0, 0}));
  rig.tick();
  rig.events.clear();
  const JointVector before = rig.control.setpoint();
  rig.control.servo_cp(rig.tip());
  rig.control.move_cp(rig.tip());
  rig.control.body_servo_cf(Vector6::Zero());
  EXPECT_EQ(rig.count(Kind::Warning), 3);
  EXPECT_NE(rig.text(Kind::Warning).find("inserted past the cannula"), std::string::npos);
  EXPECT_EQ(rig.count(Kind::Error), 0);
  EXPECT_EQ(rig.control.setpoint(), before);
}

TEST(ArmControl, WithoutAToolTheTipIsNotCommanded)
{
  Rig rig;
  rig.home();
  rig.control.emulate_tool_present(false);
  EXPECT_EQ(rig.control.tool(), "");
  rig.control.servo_cp(rig.tip());
  EXPECT_EQ(rig.count(Kind::Warning), 1);
  rig.control.emulate_tool_present(true);
  EXPECT_EQ(rig.busy(), (Answers{true, false}));
  EXPECT_EQ(rig.control.tool(), "LARGE_NEEDLE_DRIVER:400006");
}

TEST(ArmControl, AnotherToolIsToldAndAnUnknownOneIsAWarning)
{
  Rig rig;
  rig.home();
  rig.control.set_tool("PROGRASP_FORCEPS");
  EXPECT_NE(rig.text(Kind::Tool).find("PROGRASP_FORCEPS:"), std::string::npos);
  rig.control.set_tool("PROGRASP_FORCEP");
  EXPECT_NE(rig.text(Kind::Warning).find("did you mean 'PROGRASP_FORCEPS:"), std::string::npos);
  EXPECT_EQ(rig.count(Kind::Error), 0);
}

TEST(ArmControl, AToolWithBodiesIsEngagedWhenTheOwnerSaysSo)
{
  Rig rig;
  rig.home();
  rig.control.servo_jp(vector({0.2, 0.1, 0.15, 4.0, 0.5, -0.4}));
  rig.control.jaw_servo_jp(-0.3);
  rig.run(3);
  const JointVector before = rig.control.setpoint();
  rig.events.clear();
  rig.control.exchange_tools(true);
  rig.control.set_tool("MEGA_NEEDLE_DRIVER:400194");
  EXPECT_EQ(rig.control.wanted_tool(), "MEGA_NEEDLE_DRIVER:400194");
  EXPECT_EQ(rig.control.tool(), "LARGE_NEEDLE_DRIVER:400006") << "until it is there";
  rig.control.servo_jp(zeros(6));
  rig.run(10);
  EXPECT_EQ(rig.control.setpoint(), before);
  EXPECT_EQ(rig.count(Kind::Tool), 0);
  rig.control.tool_engaged();
  // A joint that was just put on is read within half a turn of its zero.
  rig.machine.position[3] -= 2.0 * std::numbers::pi;
  rig.control.measure(rig.machine);
  rig.run(3);
  EXPECT_EQ(rig.text(Kind::Tool), "MEGA_NEEDLE_DRIVER:400194");
  EXPECT_EQ(rig.busy(), (Answers{true, false}));
  JointVector expected = before;
  expected[3] -= 2.0 * std::numbers::pi;
  EXPECT_LT((rig.control.setpoint() - expected).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_NEAR(rig.control.jaw_setpoint(), -0.3, 1e-12);
}

TEST(ArmControl, TheNewestOfTwoToolsIsEngaged)
{
  Rig rig;
  rig.home();
  rig.control.exchange_tools(true);
  rig.control.set_tool("PROGRASP_FORCEPS:400093");
  rig.control.set_tool("CADIERE_FORCEPS:400049");
  rig.control.set_tool("SPOON");
  rig.control.tool_engaged();
  EXPECT_EQ(rig.control.tool(), "CADIERE_FORCEPS:400049");
  EXPECT_TRUE(rig.control.state().ready());
  EXPECT_EQ(rig.count(Kind::Tool), 1);
}

TEST(ArmControl, AfterARefusalTheOldToolIsWantedAgain)
{
  Rig rig;
  rig.home();
  rig.control.exchange_tools(true);
  rig.control.set_tool("PROGRASP_FORCEPS:400093");
  rig.control.tool_refused("there is no room");
  EXPECT_NE(rig.text(Kind::Warning).find("there is no room"), std::string::npos);
  EXPECT_EQ(rig.control.wanted_tool(), "LARGE_NEEDLE_DRIVER:400006");
  rig.control.tool_engaged();
  EXPECT_EQ(rig.text(Kind::Tool), "LARGE_NEEDLE_DRIVER:400006");
  EXPECT_TRUE(rig.control.state().ready());
  EXPECT_EQ(rig.count(Kind::Error), 0);
}

TEST(ArmControl, AnExchangeThatEndsInAPauseIsOver)
{
  Rig rig;
  rig.home();
  rig.control.exchange_tools(true);
  rig.control.emulate_tool_present(false);
  rig.control.state_command("pause");
  rig.control.tool_engaged();
  EXPECT_EQ(rig.text(Kind::Tool), "");
  rig.control.state_command("resume");
  EXPECT_TRUE(rig.control.state().ready());
}

TEST(ArmControl, WhatIsLikeNoToolGetsAnExampleWhateverItsLength)
{
  for (const std::string & name :
       {std::string(), std::string("nothing"), std::string(4'000'000, 'x')}) {
    Rig rig;
    rig.home();
    rig.control.set_tool(name);
    const std::string said = rig.text(Kind::Warning);
    EXPECT_NE(said.find("expected, for example, 'LARGE_NEEDLE_DRIVER:400006'"), std::string::npos);
    EXPECT_LT(said.size(), 200u);
  }
}

// Jaw

TEST(ArmControl, TheJawIsTheLastJointOfTheSameTrajectory)
{
  Rig rig;
  rig.home();
  rig.control.move_jp(vector({0.3, 0, 0.12, 0, 0, 0}));
  rig.control.jaw_move_jp(0.8);
  rig.run_until_idle();
  EXPECT_DOUBLE_EQ(rig.control.setpoint()[0], 0.3) << "the arm's goal stands";
  EXPECT_DOUBLE_EQ(rig.control.jaw_setpoint(), 0.8);
  EXPECT_EQ(rig.reached(), (Answers{true})) << "one trajectory, one end";
  rig.control.jaw_move_jp(0.1);
  rig.control.move_jp(vector({0, 0, 0.12, 0, 0, 0}));
  rig.run_until_idle();
  EXPECT_DOUBLE_EQ(rig.control.jaw_setpoint(), 0.1) << "the jaw's goal stands";
}

TEST(ArmControl, TheJawIsClippedToTheToolsRange)
{
  Rig rig;
  rig.home();
  rig.control.jaw_servo_jp(-9.0);
  EXPECT_NEAR(rig.control.jaw_setpoint(), -40.0 * std::numbers::pi / 180.0, 1e-3);
  rig.control.jaw_servo_jp(9.0);
  EXPECT_NEAR(rig.control.jaw_setpoint(), 80.0 * std::numbers::pi / 180.0, 1e-3);
}

TEST(ArmControl, AnEffortOfTheJawLeavesTheArmInItsPlace)
{
  Rig rig;
  rig.home();
  rig.control.jaw_servo_jf(-0.05);
  rig.tick();
  EXPECT_EQ(rig.control.drives().jaw_mode, Drive::Effort);
  EXPECT_DOUBLE_EQ(rig.control.drives().jaw, -0.05);
  EXPECT_EQ(rig.control.drives().modes[0], Drive::Position);
  rig.control.jaw_servo_jp(0.2);
  rig.tick();
  EXPECT_EQ(rig.control.drives().jaw_mode, Drive::Position);
}

TEST(ArmControl, AnArmWithoutAJawWarns)
{
  Rig rig("ecm");
  rig.home();
  rig.control.jaw_servo_jp(0.1);
  EXPECT_EQ(rig.count(Kind::Warning), 1);
}

// Forces

TEST(ArmControl, ABodyForceIsTheTransposedJacobian)
{
  Rig rig;
  rig.home();
  Vector6 wrench;
  wrench << 0.1, 0.2, 0.3, 0.001, 0.002, 0.003;
  rig.control.body_servo_cf(wrench);
  rig.tick();
  ArmReadings readings;
  read(rig.control, readings);
  const JointVector expected = readings.body_jacobian.transpose() * wrench;
  EXPECT_LT((rig.control.drives().values - expected).norm(), 1e-12);
  EXPECT_EQ(rig.control.drives().modes[0], Drive::Effort);
  rig.control.spatial_servo_cf(wrench);
  rig.tick();
  const JointVector spatial = readings.spatial_jacobian.transpose() * wrench;
  EXPECT_LT((rig.control.drives().values - spatial).norm(), 1e-12);
}

TEST(ArmControl, AbsoluteForcesHaveTheAxesOfTheReference)
{
  Rig rig;
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
  frame.linear() = Eigen::AngleAxisd(0.7, Eigen::Vector3d::UnitX()).toRotationMatrix();
  rig.control.set_base_frame(frame, "ECM");
  rig.home();
  rig.control.set_force_absolute(true);
  Vector6 wrench = Vector6::Zero();
  wrench[2] = 0.5;
  rig.control.body_servo_cf(wrench);
  rig.tick();
  ArmReadings readings;
  read(rig.control, readings);
  Vector6 in_tip = Vector6::Zero();
  in_tip.head<3>() = readings.measured_cp.linear().transpose() * wrench.head<3>();
  const JointVector expected = readings.body_jacobian.transpose() * in_tip;
  EXPECT_LT((rig.control.drives().values - expected).norm(), 1e-12);
}

TEST(ArmControl, AForceIsHeldForEverUnlessATimeoutIsSet)
{
  ControlOptions options;
  Vector6 wrench = Vector6::Constant(0.1);
  for (const double timeout : {0.0, 0.03}) {
    options.force_timeout = timeout;
    Rig rig("psm", options);
    rig.home();
    rig.control.body_servo_cf(wrench);
    rig.run(29);
    EXPECT_EQ(rig.control.drives().modes[0], Drive::Effort);
    rig.run(3);
    const bool ended = timeout > 0.0;
    EXPECT_EQ(rig.control.drives().modes[0], ended ? Drive::Position : Drive::Effort);
    if (ended) {
      EXPECT_EQ(rig.control.drives().values, rig.machine.position) << "it holds where it is";
    } else {
      rig.run(3000);
      EXPECT_EQ(rig.control.drives().modes[0], Drive::Effort);
    }
  }
}

TEST(ArmControl, TheForceOfAClientThatIsGoneEnds)
{
  Rig rig;
  rig.home();
  rig.control.body_servo_cf(Vector6::Constant(0.1));
  rig.tick();
  rig.control.force_client_gone();
  rig.tick();
  EXPECT_EQ(rig.control.drives().modes[0], Drive::Position);
  EXPECT_EQ(rig.control.drives().values, rig.machine.position);
  EXPECT_EQ(rig.count(Kind::Status), 1);
  // Who floats is not made stiff: there is no force that could end.
  rig.control.body_servo_cf(Vector6::Zero());
  rig.control.force_client_gone();
  rig.tick();
  EXPECT_EQ(rig.control.drives().modes[0], Drive::Effort);
  EXPECT_EQ(rig.count(Kind::Status), 1);
}

TEST(ArmControl, GravityIsBorneInForceModesAndNotWhenSwitchedOff)
{
  Rig rig("mtm");
  rig.control.set_gravity({0.0, 0.0, -9.81});
  rig.home();
  rig.control.body_servo_cf(Vector6::Zero());
  rig.tick();
  EXPECT_GT(rig.control.drives().values.norm(), 0.01);
  rig.control.use_gravity_compensation(false);
  rig.tick();
  EXPECT_TRUE(rig.control.drives().values.isZero());
}

TEST(ArmControl, FreeMeansNoEffortAndUnlocks)
{
  Rig rig("mtm");
  rig.home();
  rig.control.lock_orientation(Eigen::Isometry3d(rig.tip()));
  rig.control.body_servo_cf(Vector6::Zero());
  EXPECT_TRUE(rig.control.orientation_locked());
  rig.control.free();
  rig.tick();
  EXPECT_FALSE(rig.control.orientation_locked());
  for (int i = 0; i < 7; ++i) {
    EXPECT_EQ(rig.control.drives().modes[static_cast<std::size_t>(i)], Drive::Effort);
    EXPECT_EQ(rig.control.drives().values[i], 0.0);
  }
  EXPECT_EQ(rig.count(Kind::OrientationLocked), 2);
}

TEST(ArmControl, ALockedOrientationIsHeldByTheWristWhileTheArmFloats)
{
  Rig rig("mtm");
  rig.home();
  const Eigen::Isometry3d start = rig.tip();
  rig.control.lock_orientation(start);
  rig.control.body_servo_cf(Vector6::Zero());
  for (int i = 0; i < 300; ++i) {
    rig.machine.position[0] = 0.001 * i;  // a hand moves the master
    rig.machine.position[1] = 0.0005 * i;
    rig.tick();
  }
  rig.run(500);
  EXPECT_EQ(rig.control.drives().modes[0], Drive::Effort);
  EXPECT_EQ(rig.control.drives().modes[5], Drive::Position);
  const auto tip = *rig.control.arm().forward(rig.machine.position);
  EXPECT_LT(angle_between(tip.linear(), start.linear()), 1e-3);
  EXPECT_GT((tip.translation() - start.translation()).norm(), 0.05);
}

TEST(ArmControl, AnImpedancePullsTowardsItsReference)
{
  Rig rig;
  rig.home();
  CartesianImpedance law;
  law.force_position = rig.tip().translation() + Eigen::Vector3d(0.01, 0.0, 0.0);
  for (HalfPlaneGains * gains : {&law.position_positive, &law.position_negative}) {
    gains->p = Eigen::Vector3d::Constant(-100.0);
  }
  rig.control.servo_ci(law);
  rig.tick();
  ArmReadings readings;
  read(rig.control, readings);
  Vector6 pull = Vector6::Zero();
  pull.head<3>() = readings.measured_cp.linear().transpose() * Eigen::Vector3d(1.0, 0.0, 0.0);
  const JointVector expected = readings.body_jacobian.transpose() * pull;
  EXPECT_LT((rig.control.drives().values - expected).norm(), 1e-9);
}

TEST(ArmControl, HoldAfterAForceBeginsWhereTheArmIs)
{
  Rig rig;
  rig.home();
  rig.control.body_servo_cf(Vector6::Zero());
  rig.machine.position[0] = 0.3;
  rig.tick();
  rig.control.hold();
  rig.tick();
  EXPECT_EQ(rig.control.drives().modes[0], Drive::Position);
  EXPECT_DOUBLE_EQ(rig.control.drives().values[0], 0.3);
}

// Faults and bad input

TEST(ArmControl, TrackingErrorsAreFaultsOnlyWhereAskedFor)
{
  ControlOptions options;
  for (const bool watched : {false, true}) {
    options.tracking_fault = watched;
    Rig rig("psm", options);
    rig.home();
    rig.stuck = true;
    rig.control.servo_jp(vector({0.6, 0, 0.12, 0, 0, 0}));
    rig.tick();
    EXPECT_EQ(rig.control.state().mode() == OperatingMode::Fault, watched);
    EXPECT_EQ(rig.count(Kind::Error), watched ? 1 : 0);
  }
}

TEST(ArmControl, AResetOfTheWorldMovesTheSetPointAlong)
{
  Rig rig;
  rig.home();
  rig.control.move_jp(vector({0.5, 0, 0.12, 0, 0, 0}));
  rig.run(100);
  rig.machine.position.setZero();
  rig.control.measure(rig.machine);
  rig.control.jumped();
  rig.control.tick(0.0);
  EXPECT_TRUE(rig.control.drives().values.isZero());
  EXPECT_EQ(rig.reached(), (Answers{false}));
  EXPECT_TRUE(rig.control.state().ready());
}

TEST(ArmControl, AMachineThatIsLostRefusesWithoutAnErrorAndGoesOnWhereItIsFound)
{
  Rig rig;
  rig.home();
  rig.control.machine_lost();
  EXPECT_FALSE(rig.control.valid());
  rig.control.servo_jp(vector({0.5, 0, 0.12, 0, 0, 0}));
  EXPECT_EQ(rig.count(Kind::Warning), 1);
  EXPECT_EQ(rig.count(Kind::Error), 0);
  rig.machine.position[0] = -0.2;
  rig.control.measure(rig.machine);
  rig.control.tick(0.0);
  EXPECT_DOUBLE_EQ(rig.control.drives().values[0], -0.2);
  EXPECT_TRUE(rig.control.state().ready());
}

TEST(ArmControl, NobodyIsAtHomeBeforeThereIsAMachine)
{
  ArmControl control(make_arm("mtm"));  // its home is 0, as all that was never measured
  control.state_command("enable");
  control.state_command("home");
  for (int i = 0; i < 100; ++i) { control.tick(0.1); }
  EXPECT_FALSE(control.state().ready());
  EXPECT_TRUE(control.state().is_busy());
  const int n = control.arm().joints();
  control.measure({zeros(n), zeros(n), zeros(n), 0.0, 0.0, 0.0});
  control.tick(0.001);
  EXPECT_TRUE(control.state().ready());
}

TEST(ArmControl, HomingThatWasAskedForBeforeThereWasAMachineBeginsWithIt)
{
  ArmControl control(make_arm("psm"));
  control.state_command("enable");
  control.state_command("home");
  MeasuredArm machine{zeros(6), zeros(6), zeros(6), 0.0, 0.0, 0.0};
  machine.position[0] = 0.4;
  control.measure(machine);
  control.tick(0.001);
  EXPECT_NEAR(control.setpoint()[0], 0.4, 1e-3);
  EXPECT_TRUE(control.state().is_busy());
}

TEST(ArmControl, ABetterDescriptionOfTheSameArmKeepsItsState)
{
  Rig rig;
  rig.control.set_base_frame(Eigen::Isometry3d::Identity(), "ECM");
  rig.home();
  rig.control.set_tool("PROGRASP_FORCEPS");
  const std::string tool(rig.control.tool());
  EXPECT_TRUE(rig.control.replace_arm(make_arm("psm")));
  EXPECT_EQ(rig.control.tool(), tool);
  EXPECT_EQ(rig.control.arm().reference(), "ECM");
  EXPECT_TRUE(rig.control.state().ready());
  EXPECT_FALSE(rig.control.replace_arm(make_arm("ecm")));
}

TEST(ArmControl, BadInputIsAWarningAndChangesNothing)
{
  Rig rig;
  rig.home();
  const JointVector before = rig.control.setpoint();
  rig.control.servo_jp(vector({0, 0}));
  rig.control.servo_jr(vector({nan, 0, 0, 0, 0, 0}));
  rig.control.servo_jf(vector({0}));
  rig.control.servo_cp(make_pose(Eigen::Vector3d::Zero(), Eigen::Quaterniond(0, 0, 0, 0)));
  rig.control.move_jp(vector({nan, 0, 0, 0, 0, 0}));
  rig.control.move_jr(vector({1}));
  rig.control.move_cp(make_pose({nan, 0, 0}, Eigen::Quaterniond::Identity()));
  rig.control.jaw_servo_jp(nan);
  rig.control.jaw_move_jp(nan);
  rig.control.jaw_servo_jf(nan);
  rig.control.body_servo_cf(Vector6::Constant(nan));
  rig.control.spatial_servo_cf(Vector6::Constant(nan));
  rig.control.set_base_frame(make_pose(Eigen::Matrix4d::Constant(2.0)), "ECM");
  rig.control.lock_orientation(make_pose({0, 0, 0}, Eigen::Quaterniond(0, 0, 0, 0)));
  CartesianImpedance law;
  law.position_positive.p[0] = nan;
  law.position_negative.p[0] = nan;
  law.force_position[0] = nan;
  rig.control.servo_ci(law);
  EXPECT_EQ(rig.count(Kind::Warning), 15);
  EXPECT_EQ(rig.count(Kind::Error), 0);
  EXPECT_EQ(rig.count(Kind::OperatingState), 0);
  EXPECT_EQ(rig.control.setpoint(), before);
  rig.tick();
  EXPECT_EQ(rig.control.drives().modes[0], Drive::Position);
}

TEST(ArmControl, MessagesOfAnotherSizeAreRefusedByTheirSizeAndEndMoves)
{
  Rig rig;
  rig.home();
  rig.control.refuse_size(ArmOrder::JawServoJp, 2, 1);
  rig.control.refuse_size(ArmOrder::ServoJp, 1000, 6);
  EXPECT_EQ(rig.reached(), Answers{});
  rig.control.refuse_size(ArmOrder::JawMoveJp, 0, 1);
  EXPECT_EQ(rig.reached(), Answers{false});
  ASSERT_EQ(rig.count(Kind::Warning), 3);
  EXPECT_EQ(rig.events[0].text, "PSM1: jaw/servo_jp, found 2 values, expected 1");
  EXPECT_EQ(rig.events[1].text, "PSM1: servo_jp, found 1000 values, expected 6, one per joint");
  Rig off;
  off.control.refuse_size(ArmOrder::JawMoveJp, 0, 1);
  EXPECT_NE(off.text(Kind::Warning).find("not ready"), std::string::npos);
  EXPECT_EQ(off.reached(), Answers{});
}

TEST(ArmControl, ForcesBeyondAllMeasureLeaveFiniteEfforts)
{
  Rig rig;
  rig.home();
  Vector6 wrench = Vector6::Constant(1e308);
  wrench[1] = -1e308;
  EXPECT_TRUE(rig.control.body_servo_cf(wrench));
  rig.tick();
  EXPECT_TRUE(rig.control.drives().values.allFinite());
  EXPECT_FALSE(rig.control.body_servo_cf(Vector6::Constant(nan)));
  EXPECT_TRUE(rig.control.spatial_servo_cf(wrench));
  rig.tick();
  EXPECT_TRUE(rig.control.drives().values.allFinite());
  CartesianImpedance law;
  law.position_positive.p.setConstant(-1e308);
  law.position_negative.p.setConstant(-1e308);
  law.force_position.setConstant(100.0);
  EXPECT_FALSE(rig.control.servo_ci(law));
  rig.tick();
  EXPECT_TRUE(rig.control.drives().values.allFinite());
}

TEST(ArmControl, APoseThatCannotBeMetIsSaidToBe)
{
  Rig rig;
  rig.home();
  Eigen::Isometry3d goal = rig.tip();
  goal.translation().z() -= 0.01;
  rig.control.move_cp(goal);
  rig.run_until_idle();
  EXPECT_EQ(rig.text(Kind::Status), "");
  goal.translation().z() -= 5.0;
  rig.control.move_cp(goal);
  EXPECT_NE(rig.text(Kind::Status).find("mm and"), std::string::npos);
  rig.run_until_idle();
  EXPECT_EQ(rig.reached().back(), true);
  EXPECT_EQ(rig.count(Kind::Error) + rig.count(Kind::Warning), 0);
}

TEST(ArmControl, TheSameRefusalIsToldAtMostEveryTwoSeconds)
{
  Rig rig;
  rig.home();
  for (int i = 0; i < 3000; ++i) {
    rig.control.servo_jp(vector({0}));
    rig.tick();
  }
  EXPECT_EQ(rig.count(Kind::Warning), 2);
}

TEST(ArmControl, PosesAreInTheReferenceOfTheBaseFrame)
{
  Rig rig;
  rig.home();
  ArmReadings before;
  read(rig.control, before);
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
  frame.translation() = Eigen::Vector3d(1.0, 2.0, 3.0);
  rig.control.set_base_frame(frame, "ECM");
  ArmReadings after;
  read(rig.control, after);
  EXPECT_TRUE(after.measured_cp.isApprox(frame * before.measured_cp));
  EXPECT_TRUE(after.local_measured_cp.isApprox(before.local_measured_cp));
  EXPECT_EQ(rig.text(Kind::BaseFrame), "ECM");
}

TEST(ArmControl, AGripperClosesAndPinchesAfterAFifthOfASecond)
{
  Rig rig("mtm");
  rig.machine.jaw_position = 0.5;
  rig.control.measure(rig.machine);
  rig.home();
  rig.machine.jaw_position = 0.0;
  rig.tick();
  rig.tick();
  EXPECT_EQ(rig.count(Kind::GripperClosed), 1);
  EXPECT_EQ(rig.count(Kind::GripperPinch), 0);
  rig.run(250);
  EXPECT_EQ(rig.count(Kind::GripperPinch), 1);
  rig.machine.jaw_position = 0.3;
  rig.tick();
  rig.tick();
  EXPECT_EQ(rig.count(Kind::GripperClosed), 2);
}

TEST(ArmControl, ReadingsOfVelocityAreThoseOfTheMovingTip)
{
  Rig rig;
  rig.home();
  rig.machine.velocity = vector({0.1, -0.2, 0.03, 0.4, 0.5, -0.6});
  rig.control.measure(rig.machine);
  ArmReadings now, later;
  read(rig.control, now);
  const double h = 1e-6;
  rig.machine.position += h * rig.machine.velocity;
  rig.control.measure(rig.machine);
  read(rig.control, later);
  const Eigen::Vector3d difference =
    (later.measured_cp.translation() - now.measured_cp.translation()) / h;
  EXPECT_LT((difference - now.measured_cv.head<3>()).norm(), 1e-5);
}

}  // namespace
}  // namespace ambf_arms::test
