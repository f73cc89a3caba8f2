// SPDX-License-Identifier: BSD-3-Clause
// Motions of the PSM around obstacles: what comes out is free, keeps its constraints and the arm's limits.

#include <atomic>
#include <chrono>

#include "ambf_arms/pose.hpp"
#include "psm_scene.hpp"

namespace ambf_planning::test
{
namespace
{

PlanRequest around_the_wall()
{
  PlanRequest request;
  request.start = left_of_wall();
  request.goals = {JointGoal{right_of_wall()}};
  request.termination.time = 600.0;  // a limit for hangs: a search takes milliseconds
  return request;
}

void expect_good(const ArmChecker & checker, const PlanRequest & request, const PlanResult & result)
{
  ASSERT_EQ(result.code, PlanCode::Success) << result.text;
  EXPECT_FALSE(result.text.empty());
  EXPECT_EQ(result.waypoints.size(), request.goals.size());
  EXPECT_GE(least_clearance(checker, result.motion), -request.tolerance);
  EXPECT_LE(result.motion.load(checker.bodies().arm().limits(), 0.002), 1.0 + 1e-6);
  MotionState state;
  result.motion.sample(0.0, state);
  EXPECT_LT((state.position - request.start).norm(), 1e-9);
  result.motion.sample(result.motion.duration(), state);
  EXPECT_LT((state.position - result.path.back()).norm(), 1e-9);
  EXPECT_EQ(state.velocity.norm(), 0.0);
}

class EveryPlanner : public testing::TestWithParam<std::string>
{
};

TEST_P(EveryPlanner, FindsAWayAroundTheWall)
{
  PsmScene psm;
  add_wall(psm);
  const auto checker = psm.checker();
  PlanRequest request = around_the_wall();
  ASSERT_FALSE(checker->sweep(request.start, right_of_wall(), 1e-4).free)
    << "the wall is in the way";
  request.planner = GetParam();
  const PlanResult result = plan(checker, request);
  expect_good(*checker, request, result);
  EXPECT_LT((result.path.back() - right_of_wall()).norm(), 1e-9);
  EXPECT_GT(result.statistics.states, 2u);
  EXPECT_GT(result.statistics.length, 0.7) << "at least the straight way";
  }

INSTANTIATE_TEST_SUITE_P(
  Ompl, EveryPlanner, testing::ValuesIn(planner_names()),
  [](const auto & instance) { return instance.param; });

TEST(Plan, TheStraightWayNeedsNoSearch)
{
  PsmScene psm;
  const auto checker = psm.checker();
  const PlanRequest request = around_the_wall();
  const PlanResult result = plan(checker, request);
  expect_good(*checker, request, result);
  EXPECT_EQ(result.path.size(), 2u);
  EXPECT_EQ(result.statistics.states, 0u);
}

TEST(Plan, GoesToTipPosesRegionsAndThroughWaypoints)
{
  PsmScene psm;
  add_wall(psm);
  const auto checker = psm.checker();
  const ArmBodies & arm = checker->bodies();
  PlanRequest request = around_the_wall();
  const Eigen::Isometry3d wanted = arm.tip(right_of_wall());
  TipGoal pose;
  pose.position = wanted.translation();
  pose.orientation = Eigen::Quaterniond(wanted.linear());
  TipGoal region;
  region.position = arm.tip(left_of_wall()).translation();
  region.radius = 0.01;
  TipGoal point;
  point.position = wanted.translation();
  request.goals = {pose, region, point};
  const PlanResult result = plan(checker, request);
  expect_good(*checker, request, result);
  const auto reached = [&](std::size_t k) { return arm.tip(result.path[result.waypoints[k]]); };
  EXPECT_LT((reached(0).translation() - wanted.translation()).norm(), 1e-4);
  EXPECT_LT(ambf_arms::angle_between(reached(0).linear(), wanted.linear()), 1e-3);
  EXPECT_LE((reached(1).translation() - region.position).norm(), 0.01 + 1e-4);
  EXPECT_LT((reached(2).translation() - wanted.translation()).norm(), 1e-4);
  EXPECT_EQ(result.waypoints[2], result.path.size() - 1);
}

TEST(Plan, ThroughTheRemoteCentreTheToolHasToBeLifted)
{
  // A shell of balls around the way on one height: the way leads over it, near the remote centre.
  PsmScene psm;
  int k = 0;
  for (double z = -0.16; z <= -0.0799; z += 0.02) {
    for (double y = -0.08; y <= 0.0801; y += 0.02) {
      psm.add_ball("shell " + std::to_string(k++), Vector3d(0, y, z), 0.014);
    }
  }
  const auto checker = psm.checker();
  PlanRequest request = around_the_wall();
  const PlanResult result = plan(checker, request);
  expect_good(*checker, request, result);
  double least = 1.0;
  for (const JointVector & q : result.path) { least = std::min(least, q[2]); }
  EXPECT_LT(least, 0.12) << "the tool was drawn back";
}

TEST(Plan, KeepsAPadding)
{
  PsmScene psm;
  add_wall(psm);
  ambf_dynamics::CheckerOptions options;
  options.padding = 0.003;
  const auto padded =
    std::make_shared<const ArmChecker>(psm.bodies(), *psm.scene, psm.with_own_pairs(), options);
  const PlanRequest request = around_the_wall();
  const PlanResult result = plan(padded, request);
  ASSERT_EQ(result.code, PlanCode::Success) << result.text;
  EXPECT_GE(least_clearance(*padded, result.motion), 0.003 - request.tolerance);
  EXPECT_GE(result.statistics.clearance, 0.003 - request.tolerance);
}

TEST(Constraints, ADirectionIsKeptOnTheWholeMotion)
{
  PsmScene psm;
  add_wall(psm);
  const auto checker = psm.checker();
  const ArmBodies & arm = checker->bodies();
  PlanRequest request = around_the_wall();
  TipDirection level;
  level.axis = Vector3d::UnitZ();
  level.direction = arm.tip(ambf_arms::zeros(6)).linear().col(2);
  level.tolerance = 0.15;
  request.constraints.directions = {level};
  JointVector start = left_of_wall();
  JointVector goal = right_of_wall();
  ASSERT_FALSE(keeps(request.constraints, arm, start)) << "the wrist has to make up for the yaw";
  ASSERT_TRUE(project(request.constraints, arm, start));
  ASSERT_TRUE(project(request.constraints, arm, goal));
  request.start = start;
  request.goals = {JointGoal{goal}};
  const PlanResult result = plan(checker, request);
  expect_good(*checker, request, result);
  for (const auto & [time, state] : result.motion.samples(0.005)) {
    const auto text = broken(request.constraints, arm, state.position);
    ASSERT_FALSE(text) << time << ": " << *text;
  }
}

TEST(Constraints, ARemoteCentreBindsAnArmThatHasNone)
{
  // The PSM's own remote centre is kept by its mechanism, wherever it goes; one elsewhere binds it.
  PsmScene psm;
  const ArmBodies arm = psm.bodies();
  Constraints own;
  RemoteCentre centre;
  const JointVector zero = ambf_arms::zeros(6);
  // The shaft is where the tip is seen from the remote centre as long as the wrist is straight.
  centre.axis = arm.tip(zero).linear().transpose() * Vector3d::UnitZ();
  centre.tolerance = 1e-6;
  own.remote_centres = {centre};
  std::mt19937_64 random(3);
  for (int k = 0; k < 100; ++k) {
    JointVector q = psm.random(random);
    q[4] = q[5] = 0.0;
    EXPECT_TRUE(keeps(own, arm, q)) << *broken(own, arm, q);
  }
  centre.point = Vector3d(0.02, 0.0, -0.05);
  centre.tolerance = 0.002;
  Constraints other;
  other.remote_centres = {centre};
  int found = 0;
  for (int k = 0; k < 100; ++k) {
    JointVector q = psm.random(random);
    q[2] = 0.2;
    if (!project(other, arm, q)) { continue; }
    ++found;
    EXPECT_TRUE(keeps(other, arm, q));
  }
  EXPECT_GT(found, 50);
}

TEST(Hooks, TellTheTreeAndCancel)
{
  PsmScene psm;
  add_wall(psm);
  const auto checker = psm.checker();
  PlanRequest request = around_the_wall();
  // In such small steps the way around the wall takes far longer than it takes to cancel.
  request.planner = "RRT";
  request.parameters = {{"range", "0.0005"}};
  std::atomic<int> told{0};
  PlanHooks hooks;
  hooks.progress_period = 0.02;
  hooks.progress = [&](const PlanProgress & progress) {
    ++told;
    EXPECT_GT(progress.states, 0u);
    EXPECT_TRUE(progress.states < 2 || !progress.edges.empty());
  };
  hooks.cancelled = [&] { return told >= 3; };
  const PlanResult result = plan(checker, request, hooks);
  EXPECT_EQ(result.code, PlanCode::Cancelled) << result.text;
  EXPECT_GE(told, 3);
}

}  // namespace
}  // namespace ambf_planning::test
