// SPDX-License-Identifier: BSD-3-Clause
// Tools of an arm under control, its jaw and a master's gripper.

#include <gtest/gtest.h>

#include <numbers>

#include "arm_rig.hpp"

namespace ambf_arms::test
{
namespace
{

using Answers = std::vector<bool>;

// Tools

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

}  // namespace
}  // namespace ambf_arms::test
