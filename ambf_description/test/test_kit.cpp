// SPDX-License-Identifier: BSD-3-Clause
/// The whole kit in the simulator: the patient cart stands still, its set-up joints carry the arms, and arms
/// that move do not shake them.

#include <cstdio>
#include <ctime>

#include "simulation.hpp"

namespace ambf_description
{
namespace
{

std::vector<Eigen::Isometry3d> poses(const Simulation & simulation)
{
  std::vector<Eigen::Isometry3d> out;
  for (std::size_t i = 0; i < simulation.world->bodies().size(); ++i) {
    out.push_back(simulation.pose(static_cast<ambf_dynamics::BodyIndex>(i)));
  }
  return out;
}

/// Farthest that any body has moved, its turn taken at 0.1 m from its frame [m].
double farthest(
  const std::vector<Eigen::Isometry3d> & before, const std::vector<Eigen::Isometry3d> & after)
{
  double worst = 0.0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Eigen::Isometry3d change = before[i].inverse() * after[i];
    const double turn = Eigen::AngleAxisd(change.linear()).angle();
    worst = std::max(worst, change.translation().norm() + 0.1 * turn);
  }
  return worst;
}

class Cart : public testing::Test
{
protected:
  void SetUp() override { ASSERT_NO_FATAL_FAILURE(load_world(simulation, "patient_cart")); }

  ambf_dynamics::JointIndex joint(const std::string & name) const
  {
    return simulation.world->find_joint("/ambf/env/" + name).value();
  }

  Eigen::Isometry3d body(const std::string & name) const
  {
    return simulation.pose("/ambf/env/" + name);
  }

  Simulation simulation;
};

TEST_F(Cart, StandsStillForTwoSecondsThoughNobodyCommandsIt)
{
  const auto before = poses(simulation);
  ASSERT_EQ(simulation.world->step(200), ambf_dynamics::StepStatus::Ok);
  const std::clock_t start = std::clock();
  ASSERT_EQ(simulation.world->step(1800), ambf_dynamics::StepStatus::Ok);
  // Processor time: the machine may be busy with other things.
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const double moved = farthest(before, poses(simulation));
  std::printf(
    "patient_cart: %zu bodies, %zu joints; %.0f steps/s, %.1f times real time; moved %.6f mm\n",
    simulation.world->bodies().size(), simulation.world->joints().size(), 1800.0 / seconds,
    1.8 / seconds, 1e3 * moved);
  EXPECT_LT(moved, 1e-5);
}

TEST_F(Cart, SetupJointsTakeTheRemoteCentreAlong)
{
  const auto elbow = joint("psm1/JOINT setup arm1 link-setup arm2 link");
  const double from = simulation.joint_position(elbow);
  const Eigen::Isometry3d base = body("psm1/BODY base link");
  const Eigen::Isometry3d neighbour = body("psm2/BODY tool yaw link");
  const Eigen::Isometry3d pivot = body("psm1/BODY setup arm2 link");
  const double turn = 0.1;
  double drift = 0.0;
  for (int i = 1; i <= 1500; ++i) {
    const double s = std::min(1.0, i / 1000.0);
    simulation.world->set_joint_command(
      elbow, ambf_dynamics::JointMode::Position, from + turn * s * s * (3.0 - 2.0 * s));
    ASSERT_EQ(simulation.world->step(), ambf_dynamics::StepStatus::Ok);
    const Eigen::Vector3d centre = body("psm1/BODY base link").translation();
    drift = std::max(drift, (body("psm1/BODY pitch end link").translation() - centre).norm());
  }
  // The whole arm has turned about the vertical axis of that joint.
  const Eigen::AngleAxisd about(turn, Eigen::Vector3d::UnitZ());
  const Eigen::Vector3d want =
    pivot.translation() + about * (base.translation() - pivot.translation());
  const double missed = (body("psm1/BODY base link").translation() - want).norm();
  std::printf(
    "remote centre: %.1f mm along, %.4f mm off its place, %.4f mm off its tool on the way\n",
    1e3 * (want - base.translation()).norm(), 1e3 * missed, 1e3 * drift);
  EXPECT_GT((want - base.translation()).norm(), 0.05);
  EXPECT_LT(missed, 5e-4);
  EXPECT_LT(drift, 5e-4);
  EXPECT_LT((body("psm2/BODY tool yaw link").translation() - neighbour.translation()).norm(), 1e-5);
}

TEST_F(Cart, AnArmThatMovesDoesNotShakeItsSetupJoints)
{
  const auto yaw = joint("psm1/JOINT base link-yaw link");
  const auto pitch = joint("psm1/JOINT yaw link-pitch back link");
  const Eigen::Isometry3d base = body("psm1/BODY base link");
  double shaken = 0.0;
  for (int i = 1; i <= 1500; ++i) {
    const double time = 0.001 * i;
    // 0.5 rad/s at most.
    for (const auto one : {yaw, pitch}) {
      simulation.world->set_joint_command(
        one, ambf_dynamics::JointMode::Position, 0.25 * std::sin(2.0 * time));
    }
    ASSERT_EQ(simulation.world->step(), ambf_dynamics::StepStatus::Ok);
    shaken =
      std::max(shaken, (body("psm1/BODY base link").translation() - base.translation()).norm());
  }
  std::printf("base frame: shaken by %.4f mm at most\n", 1e3 * shaken);
  EXPECT_LT(shaken, 5e-4);
}

}  // namespace
}  // namespace ambf_description
