// SPDX-License-Identifier: BSD-3-Clause
// An arm that follows a trajectory of somebody else: how it begins, ends, and what interrupts it.

#include <gtest/gtest.h>

#include <cmath>

#include "arm_rig.hpp"

namespace ambf_arms::test
{
namespace
{

using Goal = JointTrajectoryGoal;

Goal to(const Rig & rig, std::vector<Goal::Point> points)
{
  Goal g;
  g.joints = rig.control.arm().joint_names();
  g.points = std::move(points);
  return g;
}

const std::vector<double> there = {0.3, -0.2, 0.15, 0.4, -0.3, 0.2};

struct Follower : Rig
{
  Follower() { home(); }

  void follow(const Goal & goal)
  {
    const auto accepted = control.follow(goal, follow_defaults(control.arm(), true));
    ASSERT_TRUE(accepted.has_value()) << accepted.error().text;
  }
  FollowOutcome refusal(const Goal & goal)
  {
    const auto accepted = control.follow(goal, follow_defaults(control.arm(), true));
    EXPECT_FALSE(accepted.has_value());
    return accepted ? FollowOutcome{} : accepted.error();
  }
  /// What became of all trajectories so far.
  std::vector<FollowOutcome> outcomes()
  {
    collect();
    std::vector<FollowOutcome> out;
    for (const auto & e : events) {
      if (e.kind == Kind::FollowEnded) { out.push_back({e.outcome, e.text}); }
    }
    return out;
  }
  FollowOutcome only_outcome()
  {
    const auto all = outcomes();
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? FollowOutcome{FollowCode::InvalidGoal, "none"} : all.back();
  }
  bool said(const std::string & words)
  {
    return only_outcome().text.find(words) != std::string::npos;
  }
};

TEST(ArmFollow, ItIsBusyOnTheWayAndSuccessfulAtTheEnd)
{
  Follower f;
  f.follow(to(f, {{1.0, there, {}, {}}}));
  EXPECT_EQ(f.control.mode(), ControlMode::Follow);
  f.run(500);
  EXPECT_NEAR(f.control.setpoint()[0], 0.15, 1e-3);
  EXPECT_TRUE(f.outcomes().empty());
  f.run_until_idle();
  EXPECT_EQ(f.busy(), (std::vector<bool>{true, false}));
  EXPECT_EQ(f.reached(), (std::vector<bool>{true}));
  EXPECT_EQ(f.only_outcome().code, FollowCode::Successful);
  EXPECT_EQ(f.control.setpoint(), vector({0.3, -0.2, 0.15, 0.4, -0.3, 0.2}));
  EXPECT_NEAR(f.control.follow_time(), 1.0, 2e-3);
}

TEST(ArmFollow, ItBeginsWhenTheGoalSays)
{
  Follower f;
  const JointVector home = f.control.setpoint();
  Goal g = to(f, {{1.0, there, {}, {}}});
  g.begins_in = 0.5;
  f.follow(g);
  f.run(490);
  EXPECT_EQ(f.control.setpoint(), home);
  EXPECT_TRUE(f.control.state().is_busy());
  f.run(510);
  EXPECT_NEAR(f.control.setpoint()[0], 0.15, 1e-3);
}

TEST(ArmFollow, AnArmThatIsNotHomedRefusesInWords)
{
  Rig rig;
  const auto refused =
    rig.control.follow(to(rig, {{1.0, there, {}, {}}}), follow_defaults(rig.control.arm(), true));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, FollowCode::InvalidGoal);
  EXPECT_NE(refused.error().text.find("DISABLED (not homed"), std::string::npos)
    << refused.error().text;
  EXPECT_EQ(rig.count(Kind::Warning), 1);
  EXPECT_EQ(rig.control.mode(), ControlMode::Off);
}

TEST(ArmFollow, ARefusedGoalLeavesTheRunningOneAlone)
{
  Follower f;
  f.follow(to(f, {{1.0, there, {}, {}}}));
  f.run(100);
  EXPECT_EQ(f.refusal(to(f, {})).code, FollowCode::InvalidGoal);
  f.run_until_idle();
  EXPECT_EQ(f.only_outcome().code, FollowCode::Successful);
}

/// The largest change of the first joint's speed between two ticks while `ticks` go by [rad/s].
double worst_jerk(Follower & f, int ticks)
{
  double worst = 0.0, before = f.control.setpoint()[0];
  double speed = f.control.setpoint_velocity()[0];
  for (int i = 0; i < ticks; ++i) {
    f.tick();
    const double now = (f.control.setpoint()[0] - before) / 0.001;
    worst = std::max(worst, std::abs(now - speed));
    speed = now;
    before = f.control.setpoint()[0];
  }
  return worst;
}

TEST(ArmFollow, ANewGoalTakesOverWithoutAJump)
{
  Follower f;
  const std::vector<double> still(6, 0.0), back = {-0.3, 0.0, 0.12, 0.0, 0.0, 0.0};
  f.follow(to(f, {{1.0, there, still, {}}}));
  f.run(400);
  const double speed = f.control.setpoint_velocity()[0];
  EXPECT_GT(speed, 0.3);
  f.follow(to(f, {{1.5, back, still, {}}}));
  EXPECT_EQ(f.control.setpoint_velocity()[0], speed);
  EXPECT_LT(worst_jerk(f, 1400), 0.02);
  f.run_until_idle();
  const auto all = f.outcomes();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].code, FollowCode::InvalidGoal);
  EXPECT_NE(all[0].text.find("newer trajectory"), std::string::npos);
  EXPECT_EQ(all[1].code, FollowCode::Successful);
  EXPECT_NEAR(f.control.setpoint()[0], -0.3, 1e-12);
}

TEST(ArmFollow, AMoveTakesOverWithoutAJumpAndTheOtherWayRound)
{
  Follower f;
  const std::vector<double> still(6, 0.0);
  f.follow(to(f, {{1.0, there, still, {}}}));
  f.run(400);
  f.control.move_jp(vector({-0.3, 0.0, 0.12, 0.0, 0.0, 0.0}));
  EXPECT_TRUE(f.said("a move"));
  EXPECT_LT(worst_jerk(f, 300), 0.02);
  f.follow(to(f, {{1.0, there, still, {}}}));
  EXPECT_LT(worst_jerk(f, 900), 0.02);
  f.run_until_idle();
  EXPECT_EQ(f.outcomes().back().code, FollowCode::Successful);
  EXPECT_NEAR(f.control.setpoint()[0], 0.3, 1e-12);
}

TEST(ArmFollow, WhoCancelsHasAnArmThatHolds)
{
  Follower f;
  f.follow(to(f, {{1.0, there, {}, {}}}));
  f.run(500);
  const JointVector here = f.control.setpoint();
  f.control.stop_following();
  f.run(100);
  EXPECT_EQ(f.control.setpoint(), here);
  EXPECT_EQ(f.only_outcome().code, FollowCode::Successful);
  EXPECT_TRUE(f.said("canceled"));
  EXPECT_EQ(f.reached(), (std::vector<bool>{false}));
}

TEST(ArmFollow, EveryOtherCommandEndsIt)
{
  const auto ends = [](const char * words, auto && command) {
    Follower f;
    f.follow(to(f, {{1.0, there, {}, {}}}));
    f.run(100);
    command(f);
    f.tick();
    EXPECT_NE(f.control.mode(), ControlMode::Follow) << words;
    EXPECT_EQ(f.only_outcome().code, FollowCode::InvalidGoal) << words;
    EXPECT_TRUE(f.said(words)) << f.only_outcome().text;
    EXPECT_EQ(f.busy().front(), true);
  };
  ends("another command", [](Follower & f) { f.control.servo_jp(f.control.setpoint()); });
  ends("another command", [](Follower & f) { f.control.hold(); });
  ends("another command", [](Follower & f) { f.control.free(); });
  ends("another command", [](Follower & f) { f.control.jaw_move_jp(0.5); });
  ends("DISABLED", [](Follower & f) { f.control.state_command("disable"); });
  ends("PAUSED", [](Follower & f) { f.control.state_command("pause"); });
  ends("not homed", [](Follower & f) { f.control.state_command("unhome"); });
  ends("FAULT", [](Follower & f) { f.control.fail("broken"); });
  ends("put elsewhere", [](Follower & f) { f.control.jumped(); });
  ends("does not answer", [](Follower & f) { f.control.machine_lost(); });
  ends("another tool", [](Follower & f) { f.control.set_tool("PROGRASP_FORCEPS"); });
}

TEST(ArmFollow, TheJawIsFreeToOthersUnlessTheGoalNamesIt)
{
  Follower f;
  f.follow(to(f, {{1.0, there, {}, {}}}));
  f.run(100);
  f.control.jaw_servo_jp(0.5);
  f.run(100);
  EXPECT_EQ(f.control.jaw_setpoint(), 0.5);
  f.control.jaw_servo_jf(-0.1);
  f.run(100);
  EXPECT_EQ(f.control.drives().jaw_mode, Drive::Effort);
  EXPECT_EQ(f.control.mode(), ControlMode::Follow);
  f.run_until_idle();
  EXPECT_EQ(f.only_outcome().code, FollowCode::Successful);
  EXPECT_EQ(f.control.drives().jaw_mode, Drive::Effort) << "it goes on to squeeze";

  Goal g = to(f, {{1.0, there, {}, {}}});
  g.joints.push_back("jaw");
  g.points[0].positions.push_back(0.8);
  f.follow(g);
  f.run(100);
  EXPECT_EQ(f.control.drives().jaw_mode, Drive::Position);
  f.control.jaw_servo_jp(0.1);
  EXPECT_NE(f.control.mode(), ControlMode::Follow);
}

TEST(ArmFollow, AnArmThatIsStuckViolatesThePathTolerance)
{
  Follower f;
  Goal g = to(f, {{1.0, there, {}, {}}});
  g.path = {{g.joints[0], 0.05, 0.0}};
  f.follow(g);
  f.stuck = true;
  f.run(1000);
  EXPECT_EQ(f.only_outcome().code, FollowCode::PathToleranceViolated);
  EXPECT_TRUE(f.said("joint '" + g.joints[0] + "' is at 0 ")) << f.only_outcome().text;
  EXPECT_EQ(f.reached(), (std::vector<bool>{false}));
  EXPECT_EQ(f.control.setpoint()[0], f.machine.position[0]) << "it does not push any further";
}

TEST(ArmFollow, AnArmThatIsStuckHasTheGoalTimeToArrive)
{
  Follower f;
  Goal g = to(f, {{1.0, there, {}, {}}});
  g.end_time = 0.5;
  f.follow(g);
  f.stuck = true;
  f.run(1400);
  EXPECT_TRUE(f.outcomes().empty());
  EXPECT_TRUE(f.control.state().is_busy());
  f.run(200);
  EXPECT_EQ(f.only_outcome().code, FollowCode::GoalToleranceViolated);
  EXPECT_TRUE(f.said("goal_tolerance"));

  f.events.clear();
  f.follow(g);
  f.run(1200);
  f.stuck = false;
  f.run(10);
  EXPECT_EQ(f.only_outcome().code, FollowCode::Successful) << "late, but in time";

  f.events.clear();
  f.stuck = true;
  g.points[0].positions[0] = 0.0;
  g.end_time = -1.0;
  f.follow(g);
  f.run(20000);
  EXPECT_TRUE(f.outcomes().empty()) << "no limit";
}

TEST(ArmFollow, TheSetPointStaysWithinTheLimitsBetweenPoints)
{
  Follower f;
  const double high = f.control.arm().bounds().high[0];
  std::vector<double> fast(6, 0.0), still(6, 0.0), edge = there, before = there;
  fast[0] = 3.0;
  before[0] = high - 0.05;
  edge[0] = high;
  f.follow(to(f, {{2.0, before, fast, {}}, {2.5, edge, still, {}}}));
  double most = 0.0;
  for (int i = 0; i < 3000; ++i) {
    f.tick();
    most = std::max(most, f.control.setpoint()[0]);
  }
  EXPECT_EQ(most, high);
  EXPECT_EQ(f.only_outcome().code, FollowCode::Successful);
}

TEST(ArmFollow, AWorldThatStandsStillLetsItWait)
{
  Follower f;
  f.follow(to(f, {{1.0, there, {}, {}}}));
  f.run(300);
  const JointVector here = f.control.setpoint();
  for (int i = 0; i < 1000; ++i) { f.tick(0.0); }
  EXPECT_EQ(f.control.setpoint(), here);
  EXPECT_TRUE(f.control.state().is_busy());
}

}  // namespace
}  // namespace ambf_arms::test
