// SPDX-License-Identifier: BSD-3-Clause
// Every request gets a code and words; what is in the way is named, and a free posture offered.

#include <cmath>
#include <limits>

#include "psm_scene.hpp"

namespace ambf_planning::test
{
namespace
{

struct Refusals : testing::Test
{
  PsmScene psm;
  PlanRequest request;

  Refusals()
  {
    request.start = left_of_wall();
    request.goals = {JointGoal{right_of_wall()}};
    request.termination.time = 20.0;
  }
  PlanResult run() { return plan(psm.checker(), request); }
  void expect(PlanCode code, const std::string & words)
  {
    const PlanResult result = run();
    EXPECT_EQ(result.code, code) << result.text;
    EXPECT_NE(result.text.find(words), std::string::npos) << result.text;
    EXPECT_TRUE(result.path.empty());
    EXPECT_EQ(result.motion.duration(), 0.0);
  }
};

TEST_F(Refusals, APlannerThatDoesNotExistGetsTheNearestName)
{
  request.planner = "RTTConnect";
  expect(PlanCode::UnknownPlanner, "did you mean 'RRTConnect'?");
  request.planner = "";
  expect(PlanCode::UnknownPlanner, "There are: RRTConnect, RRT");
  for (const char * name : {"rrt-connect", "RRT*", "Lazy RRT", "KPIECE1", "bit*", "RRT-Extend"}) {
    request.planner = name;
    EXPECT_EQ(run().code, PlanCode::Success) << name;
  }
}

TEST_F(Refusals, AParameterThatDoesNotExistIsNamed)
{
  request.parameters = {{"reach", "0.1"}};
  expect(PlanCode::BadParameter, "no parameter 'reach'");
  request.parameters = {{"range", "wide"}};
  expect(PlanCode::BadParameter, "'wide' is no value");
  request.parameters = {{"range", "0.3"}};
  EXPECT_EQ(run().code, PlanCode::Success);
}

TEST_F(Refusals, StartInCollisionNamesBothDepthAndAFreePosture)
{
  psm.add_ball("tumour", psm.bodies().tip(request.start).translation(), 0.006);
  const PlanResult result = run();
  EXPECT_EQ(result.code, PlanCode::StartInCollision);
  EXPECT_NE(result.text.find("mm deep in 'tumour'"), std::string::npos) << result.text;
  ASSERT_FALSE(result.contacts.empty());
  EXPECT_LT(result.contacts[0].distance, 0.0);
  ASSERT_TRUE(result.nearest_free);
  EXPECT_FALSE(psm.checker()->collides(*result.nearest_free));
  EXPECT_LT((*result.nearest_free - request.start).norm(), 0.3);
}

TEST_F(Refusals, GoalInCollisionToo)
{
  psm.add_ball("tumour", psm.bodies().tip(right_of_wall()).translation(), 0.006);
  const PlanResult result = run();
  EXPECT_EQ(result.code, PlanCode::GoalInCollision);
  EXPECT_NE(result.text.find("the goal is in collision"), std::string::npos) << result.text;
  ASSERT_TRUE(result.nearest_free);
  EXPECT_FALSE(psm.checker()->collides(*result.nearest_free));
  request.goals = {JointGoal{left_of_wall()}, JointGoal{right_of_wall()}};
  expect(PlanCode::GoalInCollision, "goal 2 of 2");
}

TEST_F(Refusals, BeyondLimitsNamesTheJoint)
{
  request.start[2] = 0.5;
  expect(PlanCode::StartOutOfLimits, "'insertion' is at 0.5");
  request.start = left_of_wall();
  std::get<JointGoal>(request.goals[0]).q[0] = -3.0;
  expect(PlanCode::GoalOutOfLimits, "its range is");
  request.goals = {JointGoal{right_of_wall()}};
  request.start[2] = psm.arm->bounds().high[2] + 5e-4;
  EXPECT_EQ(run().code, PlanCode::Success) << "a measured arm leans on its stops";
}

TEST_F(Refusals, AnUnreachableTipSaysHowFarItIsOff)
{
  TipGoal goal;
  goal.position = Vector3d(1.0, 0.0, 0.0);
  goal.orientation = Eigen::Quaterniond::Identity();
  request.goals = {goal};
  expect(PlanCode::Unreachable, "mm");
  goal.orientation.reset();
  request.goals = {goal};
  expect(PlanCode::Unreachable, "cannot reach");
}

TEST_F(Refusals, ConstraintsThatAreBrokenAtTheEndsAreTold)
{
  TipDirection upright;
  upright.axis = Vector3d::UnitZ();
  upright.direction = psm.bodies().tip(request.start).linear().col(2);
  upright.tolerance = 0.01;
  request.constraints.directions = {upright};
  expect(PlanCode::GoalBreaksConstraint, "the tip's direction is off by");
  upright.direction = psm.bodies().tip(right_of_wall()).linear().col(2);
  request.constraints.directions = {upright};
  expect(PlanCode::StartBreaksConstraint, "allowed are 0.01 rad");
}

TEST_F(Refusals, NoWayWithinTheTimeIsNotAnError)
{
  add_wall(psm);
  request.termination.time = 1e-6;
  expect(PlanCode::NoSolution, "found no way within");
}

TEST_F(Refusals, RequestsOfAnotherForm)
{
  const double nan = std::nan("");
  const PlanRequest good = request;
  const auto bad = [&](auto change, const std::string & words) {
    request = good;
    change(request);
    expect(PlanCode::BadRequest, words);
  };
  bad([](auto & r) { r.start = joints({1, 2}); }, "expected 6 finite joint values, got 2");
  bad([&](auto & r) { r.start[1] = nan; }, "the start");
  bad([](auto & r) { r.goals.clear(); }, "goals");
  bad([&](auto & r) { r.goals = {JointGoal{joints({nan, 0, 0, 0, 0, 0})}}; }, "the goal");
  bad([](auto & r) { r.goals = {JointGoal{joints({0})}}; }, "got 1");
  TipGoal nowhere;
  nowhere.position.x() = nan;
  bad([&](auto & r) { r.goals = {nowhere}; }, "finite position");
  TipGoal unturned;
  unturned.orientation = Eigen::Quaterniond(0, 0, 0, 0);
  bad([&](auto & r) { r.goals = {unturned}; }, "quaternion");
  bad([](auto & r) { r.termination.time = 0.0; }, "time");
  bad([](auto & r) { r.termination.cost = -1.0; }, "cost");
  bad([](auto & r) { r.tolerance = 0.0; }, "tolerance");
  bad([](auto & r) { r.ratio.velocity = 2.0; }, "speed");
  RemoteCentre without_axis;
  without_axis.axis = Vector3d::Zero();
  bad([&](auto & r) { r.constraints.remote_centres.push_back(without_axis); }, "axis");
}

TEST_F(Refusals, RandomRequestsNeverCrash)
{
  add_wall(psm);
  psm.add_ball("ball", Vector3d(0.03, 0.02, -0.1), 0.02);
  const auto checker = psm.checker();
  std::mt19937_64 random(9);
  const auto names = planner_names();
  const double strange[] = {
    0.0, -1.0, 1e-300, 1e300, std::nan(""), std::numeric_limits<double>::infinity(), 0.1, 0.5};
  const auto pick = [&](auto & from) -> auto & {
    return from[std::uniform_int_distribution<std::size_t>(0, std::size(from) - 1)(random)];
  };
  const auto odd = [&](double usual) { return random() % 12 ? usual : pick(strange); };
  const int count = long_tier() ? 10000 : 150;
  int codes[20] = {};
  for (int k = 0; k < count; ++k) {
    PlanRequest r;
    r.start = random() % 2 ? left_of_wall() : psm.random(random);
    for (double & value : r.start) { value = odd(value); }
    const auto goals = random() % 4;
    for (unsigned g = 0; g < goals; ++g) {
      if (random() % 2) {
        JointVector q = psm.random(random);
        for (double & value : q) { value = odd(value); }
        r.goals.emplace_back(JointGoal{q});
      } else {
        TipGoal tip;
        tip.position = psm.bodies().tip(psm.random(random)).translation();
        tip.position.x() = odd(tip.position.x());
        if (random() % 2) { tip.orientation = Eigen::Quaterniond(odd(1), odd(0), odd(0), odd(0)); }
        tip.radius = odd(0.005);
        r.goals.emplace_back(tip);
      }
    }
    if (random() % 5 == 0) {
      TipDirection direction;
      direction.tolerance = odd(0.5);
      direction.axis.x() = odd(0.0);
      r.constraints.directions = {direction};
    }
    r.planner = random() % 15 ? pick(names) : "odd";
    r.termination.time = random() % 12 ? 0.02 : pick(strange);
    // What is not refused must end soon.
    if (r.termination.time > 0.1) { r.termination.time = 0.1; }
    r.tolerance = odd(1e-3);
    r.seed = random();
    const PlanResult result = plan(checker, r);
    EXPECT_FALSE(result.text.empty());
    EXPECT_EQ(result.path.empty(), result.code != PlanCode::Success);
    ASSERT_LE(-static_cast<int>(result.code), 12);
    ++codes[-static_cast<int>(result.code)];
    EXPECT_STRNE(to_string(result.code), "unknown");
  }
  EXPECT_GT(codes[0], 0);
  for (int i = 0; i < 13; ++i) {
    std::printf("%5d %s\n", codes[i], to_string(static_cast<PlanCode>(-i)));
  }
}

}  // namespace
}  // namespace ambf_planning::test
