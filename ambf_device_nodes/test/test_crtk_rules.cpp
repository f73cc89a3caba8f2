// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <limits>

#include "crtk_reading.hpp"
#include "mock_arm.hpp"

namespace ambf_device_nodes
{
namespace
{

CrtkReading ready()
{
  CrtkReading reading;
  reading.state = ArmState::Enabled;
  reading.homed = true;
  reading.heard = reading.pose_time = 10.0;
  reading.poses = 1;
  return reading;
}

TEST(CrtkRules, OnlyAnEnabledHomedArmAtRestTakesForce)
{
  EXPECT_TRUE(takes_force(ready(), {}));
  for (const ArmState state :
       {ArmState::Unknown, ArmState::Disabled, ArmState::Paused, ArmState::Fault}) {
    CrtkReading reading = ready();
    reading.state = state;
    EXPECT_FALSE(takes_force(reading, {}));
    EXPECT_TRUE(driver_state(reading, {}).position_clutch) << "a stopped arm is a free hand";
  }
  CrtkReading reading = ready();
  reading.homed = false;
  EXPECT_FALSE(takes_force(reading, {}));
  reading = ready();
  reading.busy = true;
  EXPECT_FALSE(takes_force(reading, {}));
}

TEST(CrtkRules, WithoutTheOperatorAHandDoesNotCountWhereThatIsAskedFor)
{
  CrtkRules rules;
  rules.needs_operator = true;
  CrtkReading reading = ready();
  EXPECT_TRUE(driver_state(reading, rules).position_clutch);
  reading.operator_present = true;
  EXPECT_FALSE(driver_state(reading, rules).position_clutch);
}

TEST(CrtkRules, TheGripperGoesFromZeroToOne)
{
  CrtkReading reading = ready();
  CrtkRules rules;
  rules.gripper_closed = -0.1;
  rules.gripper_open = 0.9;
  reading.gripper_angle = 0.4;
  EXPECT_DOUBLE_EQ(driver_state(reading, rules).gripper, 0.5);
  reading.gripper_angle = -1.0;
  EXPECT_EQ(driver_state(reading, rules).gripper, 0.0);
}

TEST(CrtkRules, WithoutOrientationItIsTheIdentity)
{
  CrtkReading reading = ready();
  reading.T_base_tip.orientation = Eigen::Quaterniond(0.6, 0.8, 0.0, 0.0);
  CrtkRules rules;
  rules.orientation = false;
  EXPECT_EQ(driver_state(reading, rules).T_base_tip.orientation.w(), 1.0);
}

TEST(CrtkRules, AnArmIsEnabledThenHomedThenUsed)
{
  std::string words;
  CrtkReading reading;
  const auto step = [&](bool may_home) {
    return next_homing_step(reading, {}, 10.5, may_home, "/MTMR", words);
  };
  EXPECT_EQ(step(true), HomingStep::Wait);
  EXPECT_NE(words.find("/MTMR/operating_state"), std::string::npos) << words;
  reading.state = ArmState::Disabled;
  EXPECT_EQ(step(false), HomingStep::Wait);
  EXPECT_EQ(step(true), HomingStep::Enable);
  reading.state = ArmState::Enabled;
  EXPECT_EQ(step(true), HomingStep::Home);
  reading.busy = true;
  EXPECT_EQ(step(true), HomingStep::Wait);
  reading.busy = false;
  reading.homed = true;
  EXPECT_EQ(step(true), HomingStep::Wait) << "no pose yet";
  reading.pose_time = 10.0;
  EXPECT_EQ(step(true), HomingStep::Ready);
  reading.state = ArmState::Fault;
  EXPECT_EQ(step(true), HomingStep::Wait) << "a fault is for people";
  EXPECT_NE(words.find("FAULT"), std::string::npos) << words;
}

TEST(CrtkRules, AnArmThatSomebodyTookDownIsRememberedAsStopped)
{
  CrtkReading reading;
  note_state(reading, ArmState::Disabled, false, false);
  note_state(reading, ArmState::Enabled, false, false);
  note_state(reading, ArmState::Enabled, false, true);
  note_state(reading, ArmState::Enabled, true, false);
  EXPECT_FALSE(reading.stopped);
  CrtkReading disabled = reading, paused = reading, unhomed = reading, failed;
  note_state(disabled, ArmState::Disabled, true, false);
  EXPECT_TRUE(disabled.stopped);
  note_state(disabled, ArmState::Enabled, true, false);
  EXPECT_TRUE(disabled.stopped) << "for good";
  note_state(paused, ArmState::Paused, true, false);
  EXPECT_TRUE(paused.stopped);
  note_state(unhomed, ArmState::Enabled, false, false);
  EXPECT_TRUE(unhomed.stopped);
  note_state(failed, ArmState::Fault, false, false);
  EXPECT_TRUE(failed.stopped);
}

TEST(CrtkRules, APausedArmIsLeftToWhoeverPausedIt)
{
  CrtkReading reading;
  note_state(reading, ArmState::Paused, false, false);
  std::string words;
  EXPECT_EQ(next_homing_step(reading, {}, 0.0, true, "/MTMR", words), HomingStep::Wait);
  EXPECT_NE(words.find("resume"), std::string::npos) << words;
}

TEST(MockArm, GoesHomeInItsTimeAndOnlyThenTakesForce)
{
  MockArm arm({0.5, 0.03});
  std::string why;
  const ambf_teleop::Wrench push{{1.0, 0.0, 0.0}, Eigen::Vector3d::Zero()};
  EXPECT_FALSE(arm.servo(push, 0.0));
  ASSERT_TRUE(arm.command("enable", 0.0, why));
  ASSERT_TRUE(arm.command("home", 0.0, why));
  EXPECT_TRUE(arm.is_busy());
  EXPECT_FALSE(arm.servo(push, 0.1));
  EXPECT_FALSE(arm.update(0.49));
  EXPECT_TRUE(arm.update(0.5));
  EXPECT_TRUE(arm.is_ready());
  ASSERT_TRUE(arm.servo(push, 0.6));
  EXPECT_EQ(arm.applied().force.x(), 1.0);
  arm.update(0.625);
  EXPECT_EQ(arm.applied().force.x(), 1.0);
  arm.update(0.631);
  EXPECT_EQ(arm.applied().force.x(), 0.0) << "not renewed for 31 ms";
}

TEST(MockArm, EveryWayToStopItEndsTheForce)
{
  for (const char * word : {"disable", "pause", "unhome"}) {
    MockArm arm({0.0, 0.03});
    std::string why;
    arm.command("home", 0.0, why);
    arm.update(0.0);
    ASSERT_TRUE(arm.servo({{1.0, 0.0, 0.0}, Eigen::Vector3d::Zero()}, 0.0));
    ASSERT_TRUE(arm.command(word, 0.0, why)) << why;
    EXPECT_EQ(arm.applied().force.norm(), 0.0) << word;
    EXPECT_FALSE(arm.servo({{1.0, 0.0, 0.0}, Eigen::Vector3d::Zero()}, 0.0)) << word;
  }
}

TEST(MockArm, HoldAndFreeEndTheForceUntilTheNextOne)
{
  MockArm arm({0.0, 0.03});
  std::string why;
  const ambf_teleop::Wrench push{{1.0, 0.0, 0.0}, Eigen::Vector3d::Zero()};
  arm.command("home", 0.0, why);
  arm.update(0.0);
  ASSERT_TRUE(arm.servo(push, 0.0));
  arm.let_go();
  EXPECT_EQ(arm.applied().force.norm(), 0.0);
  EXPECT_TRUE(arm.servo(push, 0.0)) << "the arm is as ready as before";
}

TEST(MockArm, RefusesWhatDoesNotFitItsState)
{
  MockArm arm({});
  std::string why;
  EXPECT_FALSE(arm.command("resume", 0.0, why));
  EXPECT_NE(why.find("DISABLED"), std::string::npos) << why;
  EXPECT_FALSE(arm.command("dance", 0.0, why));
  arm.fail();
  EXPECT_FALSE(arm.command("home", 0.0, why));
  EXPECT_TRUE(arm.command("enable", 0.0, why)) << "the way out of a fault";
}

TEST(MockArm, RefusesForcesThatAreNotFinite)
{
  MockArm arm({0.0, 0.03});
  std::string why;
  arm.command("home", 0.0, why);
  arm.update(0.0);
  EXPECT_FALSE(arm.servo(
    {{std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0}, Eigen::Vector3d::Zero()}, 0.0));
}

}  // namespace
}  // namespace ambf_device_nodes
