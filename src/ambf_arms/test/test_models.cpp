// SPDX-License-Identifier: BSD-3-Clause
// The shipped models as arms: what the library computes against where the simulated bodies are.

#include <gtest/gtest.h>

#include <numbers>

#include "ambf_adf/parse.hpp"
#include "ambf_adf/placement.hpp"
#include "ambf_adf/scene.hpp"
#include "ambf_arms/arm.hpp"
#include "ambf_arms/pose.hpp"
#include "ambf_dynamics/world.hpp"
#include "random_arms.hpp"

namespace ambf_arms::test
{
namespace
{

const std::string folder = AMBF_DESCRIPTION_FOLDER;

ambf_adf::Model load(const std::string & name)
{
  ambf_adf::Scene scene;
  auto parsed = ambf_adf::parse_file(folder + "/adf/" + name + ".yaml");
  EXPECT_TRUE(parsed.has_value());
  auto model = scene.add(std::move(*parsed));
  EXPECT_TRUE(model.has_value());
  return *model;
}

Arm make(const std::string & name, const ambf_adf::Model & model)
{
  auto described = parse_arms_file(folder + "/arms/" + name + ".yaml");
  EXPECT_TRUE(described.has_value()) << to_string(described.error());
  ambf_adf::Problems warnings;
  auto arm = Arm::make(described->arms.at(0), &model, &warnings);
  EXPECT_TRUE(arm.has_value()) << to_string(arm.error());
  EXPECT_TRUE(warnings.empty()) << to_string(warnings);
  return *arm;
}

class Shipped : public testing::TestWithParam<std::string>
{
};

TEST_P(Shipped, KinematicsOfTheKindAreThoseOfTheModel)
{
  const ambf_adf::Model model = load(GetParam());
  const Arm arm = make(GetParam(), model);
  ASSERT_TRUE(arm.mechanism().has_value());
  EXPECT_EQ(static_cast<int>(arm.mechanism()->joints.size()), arm.joints());
  Random random(11);
  Eigen::Isometry3d tool = Eigen::Isometry3d::Identity();
  for (int i = 0; i < 500; ++i) {
    const JointVector q = random.joints(arm.bounds());
    const Eigen::Isometry3d kind = forward(arm.chain(), q);
    const Eigen::Isometry3d body = forward(arm.mechanism()->chain, q);
    if (i == 0) { tool = kind.inverse() * body; }
    // The files have nine digits.
    EXPECT_LT(((kind * tool).translation() - body.translation()).norm(), 1e-7);
    EXPECT_LT(angle_between((kind * tool).linear(), body.linear()), 1e-6);
    TipMotion a, b;
    tip_motion(arm.chain(), q, a);
    tip_motion(arm.mechanism()->chain, q, b);
    EXPECT_LT((a.jacobian.bottomRows<3>() - b.jacobian.bottomRows<3>()).norm(), 1e-6);
  }
  // Limits of kind and model agree.
  EXPECT_LT((arm.bounds().low - arm.mechanism()->bounds.low).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_LT((arm.bounds().high - arm.mechanism()->bounds.high).cwiseAbs().maxCoeff(), 1e-5);
}

/// Moves the simulated arm through random postures of the whole range and compares at rest and on
/// the way: the chain with the joints as measured against the bodies as measured.
TEST_P(Shipped, ForwardKinematicsMeetTheSimulatedBodies)
{
  const ambf_adf::Model model = load(GetParam());
  const Arm arm = make(GetParam(), model);
  auto made = ambf_dynamics::make_world({});
  ASSERT_TRUE(made.has_value());
  ambf_dynamics::World & world = **made;
  ASSERT_TRUE(world.add_model(model).has_value());
  std::vector<ambf_dynamics::JointIndex> joints;
  for (const std::string & name : arm.model_joints()) {
    joints.push_back(world.find_joint(model.ns + name).value());
  }
  const auto described = parse_arms_file(folder + "/arms/" + GetParam() + ".yaml");
  const auto base = world.find_body(model.ns + described->arms[0].base).value();
  const auto tip = world.find_body(model.ns + described->arms[0].tip).value();
  const auto pose = [&](ambf_dynamics::BodyIndex body) {
    const double * b = world.state().bodies.data() + body * ambf_dynamics::body_stride;
    Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
    t.linear() = Eigen::Quaterniond(b[6], b[3], b[4], b[5]).toRotationMatrix();
    t.translation() = Eigen::Vector3d(b[0], b[1], b[2]);
    return t;
  };
  const auto measured = [&] {
    JointVector q(arm.joints());
    for (std::size_t i = 0; i < joints.size(); ++i) {
      q[static_cast<Eigen::Index>(i)] =
        world.state().joints[joints[i] * ambf_dynamics::joint_stride];
    }
    return q;
  };
  const Eigen::Isometry3d tool = forward(arm.chain(), zeros(arm.joints())).inverse() *
                                 forward(arm.mechanism()->chain, zeros(arm.joints()));
  double at_rest = 0.0, on_the_way = 0.0, rest_angle = 0.0, way_angle = 0.0;
  const auto compare = [&](double & distance, double & angle) {
    const Eigen::Isometry3d computed = forward(arm.chain(), measured()) * tool;
    const Eigen::Isometry3d simulated = pose(base).inverse() * pose(tip);
    distance = std::max(distance, (computed.translation() - simulated.translation()).norm());
    angle = std::max(angle, angle_between(computed.linear(), simulated.linear()));
  };

  Random random(12);
  MotionState state{zeros(arm.joints()), zeros(arm.joints()), zeros(arm.joints())};
  Trajectory trajectory;
  MotionLimits limits = arm.limits();
  // The simulated drives are followed, not pulled along.
  limits.velocity = limits.velocity.cwiseMin(1.0);
  limits.acceleration = limits.acceleration.cwiseMin(4.0);
  limits.jerk = 20.0 * limits.acceleration;
  const int postures = long_tier() ? 64 : 6;
  for (int k = 0; k < postures; ++k) {
    JointVector goal = random.joints(arm.bounds());
    if (k < 2) {  // the corners of the range
      goal = k == 0 ? arm.bounds().low : arm.bounds().high;
    }
    // A full turn of a roll shows nothing that a part of it does not.
    goal = goal.cwiseMax(-3.0).cwiseMin(3.0);
    ASSERT_TRUE(trajectory.plan(state, goal, limits).has_value());
    const int steps = static_cast<int>(std::ceil(trajectory.duration() / 0.001));
    for (int i = 1; i <= steps + 300; ++i) {
      trajectory.sample(0.001 * i, state);
      for (std::size_t j = 0; j < joints.size(); ++j) {
        world.set_joint_command(
          joints[j], ambf_dynamics::JointMode::Position,
          state.position[static_cast<Eigen::Index>(j)]);
      }
      ASSERT_EQ(world.step(), ambf_dynamics::StepStatus::Ok) << world.divergence().reason;
      if (i % 10 == 0) { compare(on_the_way, way_angle); }
    }
    compare(at_rest, rest_angle);
    EXPECT_LT((measured() - goal).cwiseAbs().maxCoeff(), 0.02) << "it did not get there";
  }
  const double degree = 180.0 / std::numbers::pi;
  std::printf(
    "%s: at rest %.5f mm, %.5f degrees; on the way %.5f mm, %.5f degrees\n", GetParam().c_str(),
    1e3 * at_rest, degree * rest_angle, 1e3 * on_the_way, degree * way_angle);
  EXPECT_LT(at_rest, 1e-4);
  EXPECT_LT(rest_angle * degree, 0.01);
  // Joints and bodies are of the same step. While an arm accelerates, the simulated pins give: less
  // than 0.01 mm, in the linkages of PSM and ECM.
  EXPECT_LT(on_the_way, 1e-4);
  EXPECT_LT(way_angle * degree, 0.01);
}

INSTANTIATE_TEST_SUITE_P(
  Arms, Shipped, testing::Values("psm", "psm_si", "ecm", "ecm_si", "mtm", "mtml", "mtmr"),
  [](const auto & instance) { return instance.param; });

TEST(Loops, PassiveJointsFollowTheDrivenOnes)
{
  const ambf_adf::Model model = load("mtm");
  const auto mechanism = read_mechanism(model, {"BODY top panel", "wrist roll link", {}});
  ASSERT_TRUE(mechanism.has_value()) << to_string(mechanism.error());
  ASSERT_EQ(mechanism->joints.size(), 7u);
  ASSERT_EQ(mechanism->followers.size(), 2u);
  // The crank turns with shoulder and elbow, the rod against the elbow.
  const Step & crank = mechanism->followers[0].step;
  EXPECT_EQ(mechanism->followers[0].joint, "JOINT outer yaw link-crank link");
  ASSERT_EQ(crank.n_follows, 2);
  EXPECT_EQ(crank.follows[0].joint, 1);
  EXPECT_EQ(crank.follows[0].ratio, 1.0);
  EXPECT_EQ(crank.follows[1].joint, 2);
  EXPECT_EQ(crank.follows[1].ratio, 1.0);
  const Step & rod = mechanism->followers[1].step;
  ASSERT_EQ(rod.n_follows, 1);
  EXPECT_EQ(rod.follows[0].joint, 2);
  EXPECT_EQ(rod.follows[0].ratio, -1.0);
}

TEST(Loops, ALoopThatIsNoParallelogramIsNamed)
{
  const ambf_adf::Model model = load("four_bar");
  const auto mechanism =
    read_mechanism(model, {"BODY frame", "BODY rocker", {"JOINT frame-crank"}});
  ASSERT_FALSE(mechanism.has_value());
  const std::string text = to_string(mechanism.error());
  EXPECT_NE(text.find("JOINT coupler-rocker"), std::string::npos) << text;
  EXPECT_NE(text.find("parallelogram"), std::string::npos) << text;
}

TEST(Models, AnyChainIsAnArm)
{
  const ambf_adf::Model model = load("psm");
  ArmDescription description;
  description.name = "other";
  description.base = "BODY base link";
  description.tip = "BODY tool roll link";
  description.velocity = 0.5;
  const auto arm = Arm::make(description, &model);
  ASSERT_TRUE(arm.has_value()) << to_string(arm.error());
  EXPECT_EQ(arm->joints(), 4);
  EXPECT_TRUE(arm->slides(2));
  EXPECT_FALSE(arm->slides(3));
  EXPECT_EQ(arm->limits().velocity[0], 0.5);
  // Backwards, from the tip to the base: the same joints.
  description.base = "BODY tool roll link";
  description.tip = "BODY base link";
  const auto back = Arm::make(description, &model);
  ASSERT_TRUE(back.has_value()) << to_string(back.error());
  JointVector q(4), reversed(4);
  q << 0.3, -0.2, 0.1, 0.5;
  reversed = q.reverse();
  EXPECT_LT(
    (back->forward_local(reversed)->matrix() - arm->forward_local(q)->inverse().matrix()).norm(),
    1e-8);
}

TEST(Models, MistakesAreNamed)
{
  const ambf_adf::Model model = load("psm");
  const auto text = [&](const MechanismRequest & request) {
    const auto mechanism = read_mechanism(model, request);
    return mechanism ? std::string("fine") : to_string(mechanism.error());
  };
  EXPECT_NE(
    text({"BODY base", "BODY tool yaw link", {}}).find("did you mean 'BODY base link'"),
    std::string::npos);
  EXPECT_NE(
    text({"BODY base link", "BODY base link", {}}).find("the base itself"), std::string::npos);
  EXPECT_NE(
    text({"BODY base link", "BODY yaw link", {"JOINT nothing"}}).find("'JOINT nothing'"),
    std::string::npos);
  EXPECT_NE(
    text({"BODY base link", "BODY yaw link", {"JOINT base link-yaw link", "base link-yaw link"}})
      .find("twice"),
    std::string::npos);
}

}  // namespace
}  // namespace ambf_arms::test
