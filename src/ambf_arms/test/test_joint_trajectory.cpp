// SPDX-License-Identifier: BSD-3-Clause
// Trajectories of others: what is refused and in which words, and the curves between points.

#include <gtest/gtest.h>

#include <cmath>

#include "arm_rig.hpp"

namespace ambf_arms::test
{
namespace
{

using Goal = JointTrajectoryGoal;
constexpr double any = std::numeric_limits<double>::infinity();

MotionState at(const JointVector & position)
{
  return {position, zeros(position.size()), zeros(position.size())};
}

/// A PSM with its jaw, at home.
struct Planner
{
  Arm arm = make_arm("psm");
  MotionState start = at(vector({0.0, 0.0, 0.12, 0.0, 0.0, 0.0, 0.1}));
  FollowDefaults defaults = follow_defaults(arm, true);

  Goal goal(std::vector<Goal::Point> points) const
  {
    Goal g;
    g.joints = arm.joint_names();
    g.points = std::move(points);
    return g;
  }
  auto plan(const Goal & goal) const { return plan_following(goal, arm, true, start, defaults); }
  FollowOutcome refusal(const Goal & goal) const
  {
    const auto planned = plan(goal);
    EXPECT_FALSE(planned.has_value());
    return planned ? FollowOutcome{} : planned.error();
  }
};

const std::vector<double> there = {0.3, -0.2, 0.15, 0.4, -0.3, 0.2};
const std::vector<double> rest(6, 0.0);

MotionState sampled(const FollowPlan & plan, double time)
{
  MotionState state;
  plan.trajectory.sample(time, state);
  return state;
}

TEST(JointTrajectory, PositionsAreJoinedByLines)
{
  const Planner p;
  const auto plan = p.plan(p.goal({{1.0, there, {}, {}}, {3.0, rest, {}, {}}}));
  ASSERT_TRUE(plan.has_value()) << plan.error().text;
  EXPECT_EQ(plan->trajectory.duration(), 3.0);
  EXPECT_NEAR(sampled(*plan, 0.5).position[0], 0.15, 1e-12);
  EXPECT_NEAR(sampled(*plan, 0.5).velocity[0], 0.3, 1e-12);
  EXPECT_NEAR(sampled(*plan, 2.0).position[0], 0.15, 1e-12);
  EXPECT_NEAR(sampled(*plan, 2.0).velocity[0], -0.15, 1e-12);
  EXPECT_EQ(sampled(*plan, 3.0).position.head(6), JointVector(zeros(6)));
  EXPECT_EQ(sampled(*plan, 99.0).velocity, JointVector(zeros(7)));
}

TEST(JointTrajectory, VelocitiesMakeCubicsAndAccelerationsQuintics)
{
  // Cubics and quintics that are known give themselves back.
  const Planner p;
  const auto cubic = [](double t) { return 0.2 * t - 0.3 * t * t + 0.1 * t * t * t; };
  const auto cubic_rate = [](double t) { return 0.2 - 0.6 * t + 0.3 * t * t; };
  const auto quintic = [](double t) {
    return 0.5 * t * t * t - 0.4 * std::pow(t, 4) + 0.1 * std::pow(t, 5);
  };
  const auto quintic_rate = [](double t) {
    return 1.5 * t * t - 1.6 * t * t * t + 0.5 * std::pow(t, 4);
  };
  const auto quintic_curve = [](double t) { return 3.0 * t - 4.8 * t * t + 2.0 * t * t * t; };
  const double T = 0.8;
  Planner moving = p;
  moving.start.velocity[0] = cubic_rate(0.0);
  Goal g = p.goal({{T, rest, rest, {}}, {T + 0.7, rest, rest, {}}, {T + 1.4, rest, rest, {}}});
  g.points[0].positions[0] = cubic(T);
  g.points[0].velocities[0] = cubic_rate(T);
  g.points[1].positions[2] = g.points[0].positions[2] = g.points[2].positions[2] = 0.12;
  const auto plan = moving.plan(g);
  ASSERT_TRUE(plan.has_value()) << plan.error().text;
  for (double t = 0.0; t < T; t += 0.1) {
    EXPECT_NEAR(sampled(*plan, t).position[0], cubic(t), 1e-12) << t;
    EXPECT_NEAR(sampled(*plan, t).velocity[0], cubic_rate(t), 1e-12) << t;
  }
  g.points[0].accelerations = rest;
  g.points[0].positions[0] = quintic(T);
  g.points[0].velocities[0] = quintic_rate(T);
  g.points[0].accelerations[0] = quintic_curve(T);
  const auto smooth = p.plan(g);
  ASSERT_TRUE(smooth.has_value()) << smooth.error().text;
  for (double t = 0.0; t < T; t += 0.1) {
    EXPECT_NEAR(sampled(*smooth, t).position[0], quintic(t), 1e-12) << t;
    EXPECT_NEAR(sampled(*smooth, t).velocity[0], quintic_rate(t), 1e-12) << t;
    EXPECT_NEAR(sampled(*smooth, t).acceleration[0], quintic_curve(t), 1e-11) << t;
  }
  // To a point without acceleration again: a cubic, of which both ends are met.
  EXPECT_NEAR(sampled(*smooth, T + 1e-9).position[0], quintic(T), 1e-8);
  EXPECT_NEAR(sampled(*smooth, T + 0.7).velocity[0], 0.0, 1e-9);
}

TEST(JointTrajectory, JointsMayBeNamedInAnyOrder)
{
  const Planner p;
  Goal g = p.goal({{1.0, {0.2, 0.1, -0.3, 0.4, 0.15, -0.2, 0.5}, {}, {}}});
  const auto & n = p.arm.joint_names();
  g.joints = {n[5], n[1], n[4], n[3], n[2], n[0], "jaw"};
  const auto plan = p.plan(g);
  ASSERT_TRUE(plan.has_value()) << plan.error().text;
  EXPECT_TRUE(plan->moves_jaw);
  EXPECT_EQ(sampled(*plan, 1.0).position, vector({-0.2, 0.1, 0.15, 0.4, -0.3, 0.2, 0.5}));
}

TEST(JointTrajectory, TheJawAloneMovesAndTheArmHolds)
{
  const Planner p;
  Goal g;
  g.joints = {"jaw"};
  g.points = {{1.0, {0.6}, {}, {}}};
  const auto plan = p.plan(g);
  ASSERT_TRUE(plan.has_value()) << plan.error().text;
  EXPECT_EQ(sampled(*plan, 0.5).position.head(6), p.start.position.head(6));
  EXPECT_NEAR(sampled(*plan, 0.5).position[6], 0.35, 1e-12);
  EXPECT_EQ(plan->end.position[0], any) << "nobody asks for the arm's accuracy";
}

TEST(JointTrajectory, AFirstPointAtTimeZeroDoesNotMakeTheArmJump)
{
  const Planner p;
  const auto plan = p.plan(p.goal({{0.0, there, {}, {}}, {1.0, there, {}, {}}}));
  ASSERT_TRUE(plan.has_value()) << plan.error().text;
  EXPECT_EQ(sampled(*plan, 0.0).position, p.start.position);
  EXPECT_NEAR(sampled(*plan, 0.5).position[0], 0.15, 1e-12);
  EXPECT_EQ(p.refusal(p.goal({{0.0, there, {}, {}}})).code, FollowCode::InvalidGoal);
  const auto stays = p.plan(p.goal({{0.0, {0.001, 0.0, 0.12, 0.0, 0.0, 0.0}, {}, {}}}));
  ASSERT_TRUE(stays.has_value()) << "a planner that finds nothing to do says where the arm is";
  EXPECT_EQ(stays->trajectory.duration(), 0.0);
  EXPECT_EQ(sampled(*stays, 0.0).position[0], 0.001);
}

TEST(JointTrajectory, WhatIsPastIsLeftOutAndAllOfItIsTooOld)
{
  const Planner p;
  Goal g = p.goal({{1.0, rest, {}, {}}, {2.0, there, {}, {}}});
  g.points[0].positions[2] = 0.12;
  g.begins_in = -1.5;
  const auto plan = p.plan(g);
  ASSERT_TRUE(plan.has_value()) << plan.error().text;
  EXPECT_EQ(sampled(*plan, 1.5).position, p.start.position) << "it begins at the set-point";
  EXPECT_NEAR(sampled(*plan, 1.75).position[0], 0.15, 1e-12);
  g.begins_in = -2.5;
  const FollowOutcome old = p.refusal(g);
  EXPECT_EQ(old.code, FollowCode::OldHeaderTimestamp);
  EXPECT_NE(old.text.find("ended 0.5 s ago"), std::string::npos) << old.text;
  g.begins_in = 1.7e9;
  EXPECT_NE(p.refusal(g).text.find("another clock"), std::string::npos);
}

TEST(JointTrajectory, TolerancesOfTheGoalReplaceTheDefaults)
{
  Planner p;
  p.defaults.path[1] = 0.3;
  p.defaults.end_time = 4.0;
  const auto & n = p.arm.joint_names();
  Goal g = p.goal({{1.0, there, {}, {}}});
  g.path = {{n[0], 0.1, 0.0}, {n[1], -1.0, 0.5}};
  g.end = {{n[3], 0.0, 0.0}, {n[4], 0.001, -1.0}};
  const auto plan = p.plan(g);
  ASSERT_TRUE(plan.has_value()) << plan.error().text;
  EXPECT_EQ(plan->path.position.head(3), vector({0.1, any, any}));
  EXPECT_EQ(plan->path.velocity.head(3), vector({any, 0.5, any}));
  EXPECT_EQ(plan->end.position, vector({0.02, 0.02, 0.005, 0.02, 0.001, 0.02, any}));
  EXPECT_EQ(plan->end.velocity.head(5), vector({0.01, 0.01, 0.01, 0.01, any}));
  EXPECT_EQ(plan->end_time, 4.0);
  g.end_time = 0.5;
  EXPECT_EQ(p.plan(g)->end_time, 0.5);
  g.end_time = -1.0;
  EXPECT_EQ(p.plan(g)->end_time, any);
}

struct Wrong
{
  const char * what;
  FollowCode code;
  const char * words;
  void (*make)(Goal &);
};

class RefusedGoal : public testing::TestWithParam<Wrong>
{
};

TEST_P(RefusedGoal, SaysWhatIsWrong)
{
  const Planner p;
  Goal g = p.goal({{1.0, rest, rest, {}}, {2.0, there, rest, rest}});
  g.points[0].positions[2] = 0.12;
  ASSERT_TRUE(p.plan(g).has_value()) << p.plan(g).error().text;
  GetParam().make(g);
  const FollowOutcome outcome = p.refusal(g);
  EXPECT_EQ(outcome.code, GetParam().code) << outcome.text;
  EXPECT_NE(outcome.text.find(GetParam().words), std::string::npos) << outcome.text;
}

constexpr FollowCode bad_goal = FollowCode::InvalidGoal, bad_joints = FollowCode::InvalidJoints;
const Wrong wrong_goals[] = {
  {"no_joints", bad_joints, "found none", [](Goal & g) { g.joints.clear(); }},
  {"unknown_joint", bad_joints, "did you mean 'yaw'?", [](Goal & g) { g.joints[0] = "yow"; }},
  {"joint_twice", bad_joints, "twice", [](Goal & g) { g.joints[1] = g.joints[0]; }},
  {"part_of_the_arm", bad_joints, "found no", [](Goal & g) { g.joints.pop_back(); }},
  {"no_points", bad_goal, "points: found none", [](Goal & g) { g.points.clear(); }},
  {"too_few_positions", bad_goal, "points[1]: positions: found 5 values, expected 6",
   [](Goal & g) { g.points[1].positions.pop_back(); }},
  {"no_positions", bad_goal, "points[0]: positions", [](Goal & g) { g.points[0].positions = {}; }},
  {"too_many_velocities", bad_goal, "velocities: found 7",
   [](Goal & g) { g.points[0].velocities.push_back(0.0); }},
  {"lone_accelerations", bad_goal, "accelerations without velocities",
   [](Goal & g) { g.points[1].velocities.clear(); }},
  {"not_finite", bad_goal, "not finite", [](Goal & g) { g.points[1].positions[3] = nan; }},
  {"time_stands", bad_goal, "points[1]: found time_from_start 1 s after 1 s",
   [](Goal & g) { g.points[1].time = 1.0; }},
  {"time_below_0", bad_goal, "points[0]: found time_from_start -1 s",
   [](Goal & g) { g.points[0].time = -1.0; }},
  {"time_is_none", bad_goal, "time_from_start", [](Goal & g) { g.points[1].time = nan; }},
  {"beyond_a_limit", bad_goal, "points[1]: found 3 for joint 'yaw'",
   [](Goal & g) { g.points[1].positions[0] = 3.0; }},
  {"moves_at_the_end", bad_goal, "the last one has a velocity",
   [](Goal & g) { g.points[1].velocities[0] = 0.1; }},
  {"tolerance_of_nobody", bad_goal, "path_tolerance: joint 'elbow'",
   [](Goal & g) { g.path = {{"elbow", 0.1, 0.0}}; }},
  {"tolerance_below_0", bad_goal, "goal_tolerance: joint",
   [](Goal & g) { g.end = {{g.joints[0], -0.5, 0.0}}; }},
  {"patience_below_0", bad_goal, "goal_time_tolerance", [](Goal & g) { g.end_time = -2.0; }},
  {"begin_is_none", bad_goal, "header.stamp", [](Goal & g) { g.begins_in = nan; }},
};
INSTANTIATE_TEST_SUITE_P(
  JointTrajectory, RefusedGoal, testing::ValuesIn(wrong_goals),
  [](const auto & i) { return std::string(i.param.what); });

TEST(JointTrajectory, AnArmWithoutAJawHasNoJointOfThatName)
{
  const Arm arm = make_arm("ecm");
  Goal g;
  g.joints = {"jaw"};
  g.points = {{1.0, {0.1}, {}, {}}};
  const auto plan = plan_following(g, arm, false, at(arm.home()), follow_defaults(arm, false));
  ASSERT_FALSE(plan.has_value());
  EXPECT_EQ(plan.error().code, FollowCode::InvalidJoints);
}

TEST(JointTrajectory, ALittleBeyondALimitIsAtIt)
{
  const Planner p;
  Goal g = p.goal({{1.0, there, {}, {}}});
  const double high = p.arm.bounds().high[0];
  g.points[0].positions[0] = high + 5e-4;
  const auto plan = p.plan(g);
  ASSERT_TRUE(plan.has_value()) << plan.error().text;
  EXPECT_EQ(sampled(*plan, 1.0).position[0], high);
}

}  // namespace
}  // namespace ambf_arms::test
