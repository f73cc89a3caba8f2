// SPDX-License-Identifier: BSD-3-Clause
// The thesis's planners: their paths are free, their trees are trees, and they end when they are told to.

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "ambf_planning/ball_planners.hpp"

namespace ambf_planning
{
namespace
{

BallRequest study_request(int dimension)
{
  BallRequest request;
  request.start = study_start(dimension);
  request.goal = study_goal(dimension);
  request.time = 60.0;  // a limit for hangs
  return request;
}

class Everywhere : public testing::TestWithParam<std::tuple<BallPlanner, int>>
{
};

TEST_P(Everywhere, PathsAreFreeAndLeadToTheGoal)
{
  const auto [planner, dimension] = GetParam();
  BallRequest request = study_request(dimension);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    request.seed = seed;
    const BallWorld world =
      seed % 2 ? study_world(dimension)
               : random_balls(dimension, 12, 0.05, 0.12, {request.start, request.goal}, seed);
    const BallPlan plan = plan_among_balls(world, planner, request);
    ASSERT_TRUE(plan.found) << plan.text << " seed " << seed;
    EXPECT_EQ(plan.path.front(), request.start);
    EXPECT_LE((plan.path.back() - request.goal).norm(), request.goal_radius + 1e-12);
    double length = 0.0;
    for (std::size_t i = 1; i < plan.path.size(); ++i) {
      const double step = (plan.path[i] - plan.path[i - 1]).norm();
      EXPECT_TRUE(world.free(plan.path[i - 1], plan.path[i])) << i;
      // Rewired edges of RRT* are as long as its radius, a repair of Lazy RRT ends at the goal itself.
      if (planner == BallPlanner::Extend || planner == BallPlanner::Connect) {
        EXPECT_LE(step, request.step + 1e-12);
      }
      length += step;
    }
    EXPECT_NEAR(plan.cost, length, 1e-9);
    EXPECT_GE(plan.explored, plan.path.size() / 2);
    ASSERT_EQ(plan.states.size(), plan.parents.size());
    for (std::size_t i = 1; i < plan.parents.size(); ++i) { EXPECT_GE(plan.parents[i], 0); }
  }
}

INSTANTIATE_TEST_SUITE_P(
  Thesis, Everywhere,
  testing::Combine(
    testing::Values(
      BallPlanner::Extend, BallPlanner::Connect, BallPlanner::Lazy, BallPlanner::Star),
    testing::Values(2, 3)));

TEST(Segment, IsCheckedExactly)
{
  BallWorld world{Point::Zero(2), Point::Ones(2), {{Point::Constant(2, 0.5), 0.1}}};
  const auto at = [](double x, double y) { return Point(Eigen::Vector2d(x, y)); };
  EXPECT_FALSE(world.free(at(0.1, 0.5), at(0.9, 0.5)));
  EXPECT_TRUE(world.free(at(0.1, 0.6001), at(0.9, 0.6001)));
  EXPECT_FALSE(world.free(at(0.1, 0.5999), at(0.9, 0.5999)));
  EXPECT_TRUE(world.free(at(0.1, 0.5), at(0.3999, 0.5))) << "it ends before the ball";
  EXPECT_FALSE(world.free(at(0.1, 0.9), at(0.1, 1.1))) << "it leaves the box";
}

TEST(Radius, IsThatOfEquation61)
{
  // gamma log n / (zeta n) with zeta = pi in two dimensions, 4 pi / 3 in three.
  EXPECT_NEAR(
    near_radius(100, 2, 2.0, 1.0), std::sqrt(2.0 * std::log(100.0) / (M_PI * 100.0)), 1e-12);
  EXPECT_NEAR(
    near_radius(100, 3, 2.0, 1.0), std::cbrt(2.0 * std::log(100.0) / (4.0 / 3.0 * M_PI * 100.0)),
    1e-12);
  EXPECT_EQ(near_radius(2, 2, 50.0, 0.3), 0.3);
}

TEST(Star, PathsBecomeShorterWithMoreStates)
{
  // The snapshots of figure 6.8.
  const BallWorld world = study_world(2);
  BallRequest request = study_request(2);
  request.until_states = true;
  double before = 1e9;
  for (const std::size_t states : {1000u, 2000u, 3000u, 4000u}) {
    request.most_states = states;
    const BallPlan plan = plan_among_balls(world, BallPlanner::Star, request);
    ASSERT_TRUE(plan.found);
    EXPECT_EQ(plan.explored, states);
    EXPECT_LE(plan.cost, before + 1e-12);
    before = plan.cost;
  }
  // The shortest way around the ball in the middle, which is a little longer than the diagonal.
  EXPECT_LT(before, 1.1 * std::sqrt(2.0));
}

TEST(Star, RewiredTreesStayFree)
{
  const BallWorld world = study_world(2);
  BallRequest request = study_request(2);
  request.until_states = true;
  request.most_states = 2000;
  const BallPlan plan = plan_among_balls(world, BallPlanner::Star, request);
  for (std::size_t i = 1; i < plan.states.size(); ++i) {
    ASSERT_TRUE(world.free(plan.states[static_cast<std::size_t>(plan.parents[i])], plan.states[i]));
  }
}

TEST(Termination, ComesAfterStatesAndTime)
{
  BallWorld closed = study_world(2);
  closed.balls.push_back({Point::Constant(2, 0.95), 0.02});
  closed.balls.back().radius = 0.0;
  // A ring of balls around the goal.
  for (int k = 0; k < 60; ++k) {
    const double angle = 2.0 * M_PI * k / 60.0;
    closed.balls.push_back(
      {Point(Eigen::Vector2d(0.8 + 0.1 * std::cos(angle), 0.8 + 0.1 * std::sin(angle))), 0.015});
  }
  BallRequest request = study_request(2);
  request.goal = Point::Constant(2, 0.8);
  request.goal_radius = 0.02;
  request.most_states = 500;
  for (const auto planner :
       {BallPlanner::Extend, BallPlanner::Connect, BallPlanner::Lazy, BallPlanner::Star}) {
    const BallPlan plan = plan_among_balls(closed, planner, request);
    EXPECT_FALSE(plan.found) << to_string(planner);
    EXPECT_LE(plan.explored, 501u) << to_string(planner);
    EXPECT_FALSE(plan.text.empty());
  }
  request.most_states = 100000000;
  request.time = 0.05;
  EXPECT_FALSE(plan_among_balls(closed, BallPlanner::Extend, request).found);
}

TEST(Requests, OfAnotherFormAreRefusedInWords)
{
  const BallWorld world = study_world(2);
  BallRequest request = study_request(2);
  const auto text = [&] { return plan_among_balls(world, BallPlanner::Extend, request).text; };
  request.start = Point::Constant(2, 0.5);
  EXPECT_NE(text().find("the start is in a ball"), std::string::npos);
  request.start = Point::Constant(3, 0.1);
  EXPECT_NE(text().find("2 finite numbers"), std::string::npos);
  request = study_request(2);
  request.goal[0] = 2.0;
  EXPECT_NE(text().find("outside of the box"), std::string::npos);
  request = study_request(2);
  request.step = 0.0;
  EXPECT_NE(text().find("the step"), std::string::npos);
}

}  // namespace
}  // namespace ambf_planning
