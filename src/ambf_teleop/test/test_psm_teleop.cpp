// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/psm_teleop.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "random_poses.hpp"

using namespace ambf_teleop;
using namespace ambf_teleop::test;

namespace
{

constexpr double tick = 0.002;

/// A hand, an arm that obeys at once, and what they were told. The arm clips its tip to a ball where
/// `reach` says so, as a workspace does.
struct Rig
{
  explicit Rig(const PsmTeleopParameters & parameters, unsigned seed = 1)
  : teleop("MTMR_PSM1", parameters), random(seed)
  {
    in.dt = in.hand.dt = tick;
    in.hand.arm = in.follower.arm = {true, true, true, false, false};
    in.hand.fresh = true;
    in.hand.gripper = 0.5;
    in.follower.valid = true;
    in.follower.jaw = 0.2;
    in.hand.T_user_handle = random.pose(0.3);
    in.follower.T_base_setpoint = random.pose(0.1);
  }

  void step(bool moved = true)
  {
    in.hand.moved = moved;
    ++in.follower.setpoints;
    teleop.tick(in, out);
    in.hand.relocated = false;
    teleop.take_events([this](const TeleopEvent & event) {
      if (event.kind == TeleopEvent::Kind::CurrentState) { states.push_back(event.text); }
      if (event.kind >= TeleopEvent::Kind::Status) { texts.push_back(event.text); }
    });
    if (out.servo) {
      const Pose goal = inverse(in.follower.T_reference_base) * out.T_reference_goal;
      largest_step = std::max(largest_step, gap(goal, in.follower.T_base_setpoint));
      in.follower.T_base_setpoint = goal;
      if (goal.position.norm() > reach) {
        in.follower.T_base_setpoint.position *= reach / goal.position.norm();
      }
    }
    if (out.jaw) { in.follower.jaw = *out.jaw; }
  }
  void steps(int count)
  {
    for (int i = 0; i < count; ++i) { step(); }
  }
  bool until_following(int most = 200)
  {
    for (int i = 0; i < most && !teleop.following(); ++i) { step(); }
    return teleop.following();
  }
  void wander(int count)
  {
    for (int i = 0; i < count; ++i) {
      in.hand.T_user_handle = random.nearby(in.hand.T_user_handle, 0.002, 0.02);
      step();
    }
  }
  bool said(const std::string & words) const
  {
    for (const std::string & text : texts) {
      if (text.find(words) != std::string::npos) { return true; }
    }
    return false;
  }

  PsmTeleop teleop;
  RandomPoses random;
  TeleopInput in;
  TeleopOutput out;
  double largest_step = 0.0;
  double reach = 1e9;
  std::vector<std::string> states, texts;
};

/// A device: no motors, no alignment, engages at once.
PsmTeleopParameters device()
{
  PsmTeleopParameters p;
  p.alignment = Alignment::None;
  p.hand_has_motors = false;
  p.start_gripper_threshold = p.start_roll_threshold = 0.0;
  p.jaw.jaw_min = -0.35;
  p.resume = true;
  return p;
}

Rig engaged(const PsmTeleopParameters & parameters, unsigned seed = 1)
{
  Rig rig(parameters, seed);
  rig.teleop.state_command("enable");
  EXPECT_TRUE(rig.until_following());
  return rig;
}

}  // namespace

TEST(PsmTeleop, GoesThroughTheStatesInOrder)
{
  Rig rig = engaged(device());
  EXPECT_EQ(
    rig.states, (std::vector<std::string>{"SETTING_ARMS_STATE", "ALIGNING_MTM", "ENABLED"}));
  rig.teleop.state_command("disable");
  rig.step();
  EXPECT_EQ(rig.teleop.state(), TeleopState::Disabled);
  EXPECT_TRUE(rig.out.hold_follower);
  EXPECT_FALSE(rig.out.servo);
}

TEST(PsmTeleop, MovesTheTipByTheScaledMotionOfTheHandInTheView)
{
  Rig rig(device());
  rig.in.R_base_view = rig.random.rotation();
  rig.in.follower.T_reference_base = rig.random.pose();
  const Pose M0 = rig.in.hand.T_user_handle, P0 = rig.in.follower.T_base_setpoint;
  rig.teleop.state_command("enable");
  ASSERT_TRUE(rig.until_following());
  rig.wander(500);
  const Pose M = rig.in.hand.T_user_handle;
  const Eigen::Quaterniond R = rig.in.R_base_view;
  const Vector3d position = P0.position + 0.2 * (R * (M.position - M0.position));
  // R_view M offset0, with offset0 = (R_view M0)^T P0.
  const Quaterniond turned =
    (R * M.orientation) * ((R * M0.orientation).conjugate() * P0.orientation);
  EXPECT_LT(gap(rig.teleop.T_base_goal(), {position, turned.normalized()}), 1e-9);
  EXPECT_LT(
    gap(rig.out.T_reference_goal, rig.in.follower.T_reference_base * rig.teleop.T_base_goal()),
    1e-9);
}

TEST(PsmTeleop, EnablesAndHomesTheArmsThatNeedIt)
{
  Rig rig(device());
  rig.in.follower.arm.enabled = rig.in.follower.arm.homed = false;
  rig.in.hand.arm.homed = false;
  rig.teleop.state_command("enable");
  rig.step();
  EXPECT_TRUE(rig.out.enable_follower);
  EXPECT_TRUE(rig.out.home_follower);
  EXPECT_FALSE(rig.out.enable_hand);
  EXPECT_TRUE(rig.out.home_hand);
  rig.step();
  EXPECT_FALSE(rig.out.enable_follower) << "once";
  rig.in.dt = 2.5;
  rig.step();
  EXPECT_TRUE(rig.out.enable_follower) << "and again, where it was lost";
  rig.in.dt = 60.0;
  rig.step();
  EXPECT_EQ(rig.teleop.state(), TeleopState::Disabled);
  EXPECT_TRUE(rig.said("timed out"));
}

/// Whatever happens to a hand at rest, the tip's set-point does not step.
TEST(PsmTeleop, NothingJumpsWhenItEngagesOrSomethingChanges)
{
  for (int round = 0; round < rounds(200, 5000); ++round) {
    PsmTeleopParameters p = device();
    RandomPoses dice(static_cast<unsigned>(round) + 1000u);
    p.scale = dice.number(0.05, 3.0);
    Rig rig(p, static_cast<unsigned>(round) + 1u);
    rig.in.R_base_view = rig.random.rotation();
    rig.in.follower.T_reference_base = rig.random.pose();
    rig.teleop.state_command("enable");
    ASSERT_TRUE(rig.until_following());
    EXPECT_LT(rig.largest_step, 1e-9) << "engaged";
    for (int event = 0; event < 6; ++event) {
      rig.wander(5);
      rig.largest_step = 0.0;
      switch (static_cast<int>(dice.number(0.0, 7.999))) {
        case 0:
          rig.in.clutch = true;
          rig.step();
          rig.in.hand.T_user_handle = rig.random.pose(0.3);
          rig.step();
          rig.in.clutch = false;
          break;
        case 1:  // somebody turns the camera
          rig.in.R_base_view = rig.random.rotation();
          break;
        case 2:
          rig.teleop.set_scale(dice.number(0.05, 3.0));
          break;
        case 3:  // another tool: the tip is elsewhere, the joints are not
          rig.in.follower.T_base_setpoint = rig.random.pose(0.1);
          ++rig.in.follower.upheavals;
          break;
        case 4:  // the hand is put elsewhere
          rig.in.hand.T_user_handle = rig.random.pose(0.3);
          rig.in.hand.relocated = true;
          break;
        case 5:
          rig.teleop.lock_translation(dice.chance(0.5));
          rig.teleop.lock_rotation(dice.chance(0.5));
          break;
        case 6:  // silence, and back elsewhere
          rig.in.hand.fresh = false;
          rig.step(false);
          rig.in.hand.T_user_handle = rig.random.pose(0.3);
          rig.in.hand.fresh = true;
          break;
        default:  // the frame in which the arm tells its poses moves
          rig.in.follower.T_reference_base = rig.random.pose();
          break;
      }
      rig.steps(2);
      ASSERT_TRUE(rig.until_following());
      rig.steps(5);
      EXPECT_LT(rig.largest_step, 1e-9);
    }
  }
}

TEST(PsmTeleop, AJumpOfTheHandMovesNothing)
{
  Rig rig = engaged(device());
  rig.largest_step = 0.0;
  rig.in.hand.T_user_handle.position.x() += 0.3;
  rig.steps(3);
  EXPECT_LT(rig.largest_step, 1e-9);
  EXPECT_TRUE(rig.said("jumped"));
  EXPECT_TRUE(rig.teleop.following());
}

TEST(PsmTeleop, TheClutchHoldsTheArmAndFreesTheHand)
{
  Rig rig = engaged(device());
  rig.in.clutch = true;
  rig.step();
  EXPECT_TRUE(rig.out.hold_follower);
  EXPECT_FALSE(rig.teleop.following());
  const Pose held = rig.in.follower.T_base_setpoint;
  rig.wander(50);
  EXPECT_EQ(gap(held, rig.in.follower.T_base_setpoint), 0.0);
  rig.in.clutch = false;
  EXPECT_TRUE(rig.until_following());
}

TEST(PsmTeleop, ASetPointThatIsStillOnItsWayIsNotBelieved)
{
  Rig rig = engaged(device());
  rig.in.clutch = true;
  rig.step();
  rig.in.clutch = false;
  // The answers to commands before the pedal come late, one after the other.
  for (int i = 0; i < 40; ++i) {
    rig.in.follower.T_base_setpoint.position.x() += 1e-4;
    rig.step();
    EXPECT_FALSE(rig.teleop.following());
  }
  EXPECT_TRUE(rig.until_following());
  EXPECT_LT(rig.largest_step, 1e-9);
}

TEST(PsmTeleop, ASilentHandHoldsTheArmUntilItIsBack)
{
  Rig rig = engaged(device());
  rig.in.hand.fresh = false;
  rig.step(false);
  EXPECT_TRUE(rig.out.hold_follower);
  EXPECT_FALSE(rig.teleop.following());
  EXPECT_TRUE(rig.said("silent"));
  for (int i = 0; i < 100; ++i) { rig.step(false); }
  EXPECT_FALSE(rig.out.servo);
  EXPECT_EQ(rig.teleop.state(), TeleopState::Enabled);
  rig.in.hand.fresh = true;
  EXPECT_TRUE(rig.until_following());
}

TEST(PsmTeleop, AnArmThatFaultsEndsItAndItGoesOnByItselfWhenTheArmIsBack)
{
  Rig rig = engaged(device());
  rig.in.follower.arm.enabled = false;
  rig.in.follower.arm.fault = true;
  rig.step();
  EXPECT_EQ(rig.teleop.state(), TeleopState::Disabled);
  EXPECT_TRUE(rig.out.hold_follower);
  EXPECT_TRUE(rig.said("the arm is not ENABLED and homed any more"));
  rig.steps(2000);
  EXPECT_EQ(rig.teleop.state(), TeleopState::Disabled) << "nobody asked the arm to go on";
  rig.in.follower.arm = {true, true, true, false, false};
  EXPECT_TRUE(rig.until_following());
}

TEST(PsmTeleop, AnArmThatDiedIsBroughtUpAgain)
{
  Rig rig = engaged(device());
  rig.in.follower.arm = {};
  rig.step();
  EXPECT_TRUE(rig.said("does not answer"));
  rig.steps(300);
  EXPECT_EQ(rig.teleop.state(), TeleopState::Disabled);
  rig.in.follower.arm.there = true;
  rig.step();
  EXPECT_TRUE(rig.out.enable_follower && rig.out.home_follower);
}

TEST(PsmTeleop, AnErrorOfTheArmDisablesAsUpstreamDoesIt)
{
  PsmTeleopParameters p = device();
  p.resume = false;
  Rig rig = engaged(p);
  rig.teleop.arm_error("PSM1: servo_cp, no solution");
  rig.steps(2000);
  EXPECT_EQ(rig.teleop.state(), TeleopState::Disabled);
  EXPECT_TRUE(rig.said("received from arm [PSM1: servo_cp, no solution]"));
  rig.teleop.state_command("enable");
  EXPECT_TRUE(rig.until_following());
}

TEST(PsmTeleop, SomebodyWhoDisablesItIsNotOverruled)
{
  Rig rig = engaged(device());
  rig.in.follower.arm = {};
  rig.step();
  rig.teleop.state_command("disable");
  rig.in.follower.arm = {true, true, true, false, false};
  rig.steps(2000);
  EXPECT_EQ(rig.teleop.state(), TeleopState::Disabled);
}

TEST(PsmTeleop, ALockedRotationTurnsNothingAndALockedTranslationMovesNothing)
{
  Rig rig = engaged(device());
  rig.teleop.lock_rotation(true);
  const Pose before = rig.in.follower.T_base_setpoint;
  rig.wander(100);
  EXPECT_LT(angle_between(before.orientation, rig.in.follower.T_base_setpoint.orientation), 1e-12);
  EXPECT_GT((before.position - rig.in.follower.T_base_setpoint.position).norm(), 1e-6);
  rig.teleop.lock_rotation(false);
  rig.teleop.lock_translation(true);
  const Pose then = rig.in.follower.T_base_setpoint;
  rig.wander(100);
  EXPECT_LT((then.position - rig.in.follower.T_base_setpoint.position).norm(), 1e-12);
  EXPECT_GT(angle_between(then.orientation, rig.in.follower.T_base_setpoint.orientation), 1e-4);
}

TEST(PsmTeleop, AMasterIsTurnedUntilItAgreesWithTheTip)
{
  Rig rig{PsmTeleopParameters{}};
  rig.teleop.state_command("enable");
  rig.steps(3);
  ASSERT_TRUE(rig.out.move_hand);
  EXPECT_LT(
    angle_between(rig.out.move_hand->orientation, rig.in.follower.T_base_setpoint.orientation),
    1e-9);
  EXPECT_EQ(rig.out.move_hand->position, rig.in.hand.T_user_handle.position);
  rig.steps(1200);
  EXPECT_EQ(rig.teleop.state(), TeleopState::AligningMtm);
  EXPECT_TRUE(rig.said("degrees"));
  rig.in.hand.T_user_handle.orientation = rig.in.follower.T_base_setpoint.orientation;
  rig.steps(1200);
  EXPECT_EQ(rig.teleop.state(), TeleopState::AligningMtm) << "nobody holds it";
  EXPECT_TRUE(rig.said("pinch"));
  rig.in.hand.gripper = 0.5 + 0.75;
  EXPECT_TRUE(rig.until_following());
  EXPECT_TRUE(rig.out.free_hand && rig.out.unlock_hand);
}

TEST(PsmTeleop, AlignMtmKeepsItAligned)
{
  Rig rig = engaged(device());
  rig.teleop.state_command("align_MTM");
  rig.steps(200);
  EXPECT_EQ(rig.teleop.state(), TeleopState::AligningMtm);
  EXPECT_FALSE(rig.teleop.following());
  rig.teleop.state_command("enable");
  EXPECT_TRUE(rig.until_following());
}

TEST(PsmTeleop, TheJawBeginsWhereItIsAndComesToTheGripperSlowly)
{
  Rig rig(device());
  rig.in.hand.gripper = 1.0;
  rig.teleop.state_command("enable");
  double jaw = *rig.in.follower.jaw;
  ASSERT_TRUE(rig.until_following());
  for (int i = 0; i < 100; ++i) {
    rig.step();
    ASSERT_TRUE(rig.out.jaw);
    EXPECT_LE(std::abs(*rig.out.jaw - jaw), 0.2 * M_PI * tick + 1e-12);
    jaw = *rig.out.jaw;
  }
  rig.steps(3000);
  EXPECT_NEAR(*rig.out.jaw, 1.0, 1e-12);
  rig.in.hand.gripper = 0.0;
  rig.step();
  EXPECT_NEAR(*rig.out.jaw, 1.0 - 4.0 * M_PI * tick, 1e-12) << "fast, once they agreed";
  rig.in.hand.gripper = -2.0;
  rig.steps(1000);
  EXPECT_DOUBLE_EQ(*rig.out.jaw, -0.35);
  rig.in.hand.gripper = 0.0;
  rig.step();
  EXPECT_GT(*rig.out.jaw, -0.35) << "at once, however hard it was pressed";
}

TEST(PsmTeleop, OutsideTheWorkspaceTheGoalStandsAndTheArmStays)
{
  Rig rig = engaged(device());
  rig.reach = rig.in.follower.T_base_setpoint.position.norm() + 0.001;
  for (int i = 0; i < 1000; ++i) {
    rig.in.hand.T_user_handle.position +=
      0.001 * rig.in.follower.T_base_setpoint.position.normalized();
    rig.step();
  }
  EXPECT_GT(gap(rig.teleop.T_base_goal(), rig.in.follower.T_base_setpoint), 0.1);
  // After a clutch, what lay outside is forgotten.
  rig.in.clutch = true;
  rig.step();
  rig.in.clutch = false;
  ASSERT_TRUE(rig.until_following());
  rig.step();
  EXPECT_LT(gap(rig.teleop.T_base_goal(), rig.in.follower.T_base_setpoint), 1e-9);
}

TEST(PsmTeleop, WrongOrdersAreToldAndChangeNothing)
{
  Rig rig = engaged(device());
  rig.teleop.state_command("home");
  rig.teleop.set_scale(0.0);
  rig.teleop.set_scale(std::numeric_limits<double>::quiet_NaN());
  rig.step();
  EXPECT_TRUE(rig.said("found the state command 'home'"));
  EXPECT_TRUE(rig.said("found a scale of 0"));
  EXPECT_EQ(rig.teleop.scale(), 0.2);
  EXPECT_TRUE(rig.teleop.following());
  PsmTeleopParameters p = device();
  EXPECT_FALSE(what_is_wrong(p));
  p.alignment = Alignment::Drive;
  EXPECT_TRUE(what_is_wrong(p));
  p = device();
  p.jaw.gripper_max = p.jaw.gripper_zero;
  EXPECT_TRUE(what_is_wrong(p));
}
