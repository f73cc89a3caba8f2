// SPDX-License-Identifier: BSD-3-Clause
// The shipped arms under their own weight: what their simulated drives need to hold them still is what the library computes.

#include <gtest/gtest.h>

#include "ambf_adf/parse.hpp"
#include "ambf_adf/scene.hpp"
#include "ambf_arms/arm.hpp"
#include "ambf_arms/dynamics.hpp"
#include "ambf_dynamics/world.hpp"
#include "random_arms.hpp"

namespace ambf_arms::test
{
namespace
{

const std::string folder = AMBF_DESCRIPTION_FOLDER;
const Eigen::Vector3d down(0.0, 0.0, -9.81);

/// The files balance the arms, as a controller or counterweights do; here they are heavy.
ambf_adf::Model heavy(const std::string & name)
{
  ambf_adf::Scene scene;
  auto parsed = ambf_adf::parse_file(folder + "/adf/" + name + ".yaml");
  EXPECT_TRUE(parsed.has_value());
  parsed->gravity = down;
  for (auto & body : parsed->bodies) { body.gravity = down; }
  auto model = scene.add(std::move(*parsed));
  EXPECT_TRUE(model.has_value());
  return *model;
}

class Weight : public testing::TestWithParam<std::string>
{
};

TEST_P(Weight, DrivesHoldTheArmByItsGravityTorques)
{
  const ambf_adf::Model model = heavy(GetParam());
  const auto described = parse_arms_file(folder + "/arms/" + GetParam() + ".yaml");
  ASSERT_TRUE(described.has_value()) << to_string(described.error());
  const auto arm = Arm::make(described->arms.at(0), &model);
  ASSERT_TRUE(arm.has_value()) << to_string(arm.error());
  auto made = ambf_dynamics::make_world({});
  ASSERT_TRUE(made.has_value());
  ambf_dynamics::World & world = **made;
  ASSERT_TRUE(world.add_model(model).has_value());
  const auto base = world.find_body(model.ns + described->arms[0].base).value();
  const double * b = world.state().bodies.data() + base * ambf_dynamics::body_stride;
  const Eigen::Matrix3d R_world_base =
    Eigen::Quaterniond(b[6], b[3], b[4], b[5]).toRotationMatrix();

  const int n = arm->joints();
  std::vector<ambf_dynamics::JointIndex> joints;
  for (const std::string & name : arm->model_joints()) {
    joints.push_back(world.find_joint(model.ns + name).value());
  }
  const auto read = [&](std::size_t field) {
    JointVector out(n);
    for (std::size_t i = 0; i < joints.size(); ++i) {
      out[static_cast<Eigen::Index>(i)] =
        world.state().joints[joints[i] * ambf_dynamics::joint_stride + field];
    }
    return out;
  };
  Dynamics dynamics(arm->mechanism()->links, n);
  Random random(31);
  JointVector largest = zeros(n);
  double worst = 0.0;
  for (int posture = 0; posture < 6; ++posture) {
    const JointVector goal = (0.7 * random.joints(arm->bounds())).cwiseMax(-1.5).cwiseMin(1.5);
    const JointVector start = read(0);
    constexpr int way = 1500, rest = 1500;
    for (int i = 1; i <= way + rest; ++i) {
      const double share = std::min(1.0, static_cast<double>(i) / way);
      for (std::size_t j = 0; j < joints.size(); ++j) {
        const auto k = static_cast<Eigen::Index>(j);
        world.set_joint_command(
          joints[j], ambf_dynamics::JointMode::Position, start[k] + share * (goal[k] - start[k]));
      }
      ASSERT_EQ(world.step(), ambf_dynamics::StepStatus::Ok) << world.divergence().reason;
    }
    ASSERT_LT(read(1).cwiseAbs().maxCoeff(), 1e-3) << "it is not at rest";
    JointVector weight;
    dynamics.gravity_efforts(read(0), R_world_base.transpose() * down, weight);
    largest = largest.cwiseMax(weight.cwiseAbs());
    worst = std::max(worst, (read(2) - weight).cwiseAbs().maxCoeff());
  }
  std::printf(
    "%s: gravity torques up to %.3f N m or N, held within %.5f\n", GetParam().c_str(),
    largest.maxCoeff(), worst);
  EXPECT_GT(largest.maxCoeff(), 0.5) << "it is heavy";
  EXPECT_LT(worst, 0.01 * largest.maxCoeff());
}

INSTANTIATE_TEST_SUITE_P(
  Arms, Weight, testing::Values("mtm", "mtml", "mtmr", "psm", "ecm"),
  [](const auto & instance) { return instance.param; });

}  // namespace
}  // namespace ambf_arms::test
