// SPDX-License-Identifier: BSD-3-Clause
// What an arm under control refuses, in the dVRK's words, and what becomes of it where its machine
// fails.

#include <gtest/gtest.h>

#include "ambf_arms/pose.hpp"
#include "arm_rig.hpp"

namespace ambf_arms::test
{
namespace
{

using Answers = std::vector<bool>;

// Refusals

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

// The machine

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
  int told = 0;
  control.take_events([&](const ControlEvent & event) {
    told += event.kind == Kind::Warning && event.text.find("does not answer") != std::string::npos;
  });
  EXPECT_EQ(told, 1) << "who waits for it knows why";
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

}  // namespace
}  // namespace ambf_arms::test
