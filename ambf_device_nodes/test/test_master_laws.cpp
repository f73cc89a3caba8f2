// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "ambf_arms/dvrk_arms.hpp"
#include "master_laws.hpp"

namespace ambf_device_nodes
{
namespace
{

using ambf_teleop::Wrench;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Joints = std::array<double, master_joints>;

class MasterLawsOfRandomPostures : public ::testing::Test
{
protected:
  double number(double low, double high)
  {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Vector3d vector(double size)
  {
    return {number(-size, size), number(-size, size), number(-size, size)};
  }
  Joints posture()
  {
    Joints q{};
    const auto joints = ambf_arms::mtm_joints(ambf_arms::Side::Right);
    for (std::size_t i = 0; i < q.size(); ++i) { q[i] = number(joints[i].low, joints[i].high); }
    return q;
  }
  static ambf_arms::JointVector as_vector(const Joints & q)
  {
    ambf_arms::JointVector result = ambf_arms::zeros(master_joints);
    for (int i = 0; i < master_joints; ++i) { result[i] = q[static_cast<std::size_t>(i)]; }
    return result;
  }
  /// Orientation of the tip as an arm with this base frame measures it.
  Quaterniond tip(const Joints & q, const Quaterniond & R_base_chain) const
  {
    return R_base_chain * Quaterniond(ambf_arms::forward(chain_, as_vector(q)).linear());
  }

  std::mt19937_64 random_{3};
  ambf_arms::Chain chain_ = ambf_arms::mtm_chain();
};

TEST_F(MasterLawsOfRandomPostures, EffortsOfAWrenchDoTheWorkThatTheTipDoes)
{
  constexpr double small = 1e-6;
  MasterLaws laws({});
  for (int i = 0; i < 100; ++i) {
    const Joints q = posture();
    const Quaterniond base(Eigen::AngleAxisd(number(-3, 3), vector(1.0).normalized()));
    laws.measure(q, {}, tip(q, base));
    const Wrench wrench{vector(5.0), Vector3d::Zero()};
    const auto efforts = laws.efforts(wrench);
    for (std::size_t joint = 0; joint < q.size(); ++joint) {
      Joints moved = q;
      moved[joint] += small;
      const Vector3d way = ambf_arms::forward(chain_, as_vector(moved)).translation() -
                           ambf_arms::forward(chain_, as_vector(q)).translation();
      ASSERT_NEAR(efforts[joint], wrench.force.dot(base * way) / small, 1e-4) << joint;
    }
  }
}

TEST_F(MasterLawsOfRandomPostures, TheNullSpaceTorqueIsOnThePlatformAloneAndBounded)
{
  MasterLawParameters parameters;
  parameters.null_space = {0.5, 0.02, 0.15};
  MasterLaws laws(parameters);
  for (int i = 0; i < 200; ++i) {
    const Joints q = posture();
    Joints velocity{};
    velocity[3] = number(-2.0, 2.0);
    laws.measure(q, velocity, tip(q, Quaterniond::Identity()));
    const auto efforts = laws.efforts({});
    const double expected =
      std::clamp(0.5 * std::asin(std::sin(q[5])) - 0.02 * velocity[3], -0.15, 0.15);
    ASSERT_NEAR(efforts[3], expected, 1e-12);
    for (const std::size_t other : {0u, 1u, 2u, 4u, 5u, 6u}) { ASSERT_EQ(efforts[other], 0.0); }
  }
}

TEST_F(MasterLawsOfRandomPostures, WeightIsHeldByTheEffortsThatItsPotentialAsksFor)
{
  constexpr double small = 1e-6;
  MasterLawParameters parameters;
  for (std::size_t i = 0; i < parameters.links.size(); ++i) {
    parameters.links[i] = {0.1 + 0.1 * static_cast<double>(i), vector(0.1)};
  }
  parameters.gravity = Vector3d(1.0, -2.0, -9.0);
  MasterLaws laws(parameters);
  const auto potential = [&](const Joints & q, const Quaterniond & base) {
    double energy = 0.0;
    for (int i = 0; i < master_joints; ++i) {
      const auto & link = parameters.links[static_cast<std::size_t>(i)];
      const Vector3d centre = ambf_arms::forward(chain_, as_vector(q), i) * link.centre;
      energy -= link.mass * parameters.gravity.dot(base * centre);
    }
    return energy;
  };
  for (int i = 0; i < 50; ++i) {
    const Joints q = posture();
    const Quaterniond base(Eigen::AngleAxisd(number(-3, 3), vector(1.0).normalized()));
    laws.measure(q, {}, tip(q, base));
    const auto efforts = laws.efforts({});
    for (std::size_t joint = 0; joint < q.size(); ++joint) {
      Joints up = q, down = q;
      up[joint] += small;
      down[joint] -= small;
      const double gradient = (potential(up, base) - potential(down, base)) / (2.0 * small);
      ASSERT_NEAR(efforts[joint], gradient, 1e-5) << joint;
    }
  }
}

TEST_F(MasterLawsOfRandomPostures, TheWrenchOfAWeightAtTheTipIsThatWeightAwayFromSingularPostures)
{
  MasterLawParameters parameters;
  // The last joint's frame has its origin where the wrist's axes meet, which is the tip.
  parameters.links[6] = {0.5, Vector3d::Zero()};
  MasterLaws laws(parameters);
  const Joints q{0.1, 0.2, 0.1, 0.3, 0.4, 0.2, 0.1};
  laws.measure(q, {}, tip(q, Quaterniond::Identity()));
  const Wrench held = laws.weight();
  EXPECT_LT((held.force - Vector3d(0, 0, 0.5 * 9.81)).norm(), 0.1) << held.force.transpose();
  EXPECT_LT(held.torque.norm(), 0.02);
}

TEST(MasterLaws, WithoutReadingsOrWithOnesThatAreNoneThereIsNoEffort)
{
  MasterLawParameters parameters;
  parameters.null_space = {0.5, 0.02, 0.15};
  parameters.links[2] = {1.0, Vector3d(0.1, 0, 0)};
  MasterLaws laws(parameters);
  const Wrench wrench{Vector3d(1, 2, 3), Vector3d::Zero()};
  EXPECT_EQ(laws.efforts(wrench), Joints{});
  EXPECT_EQ(laws.weight().force, Vector3d(0, 0, 0));
  Joints q{};
  q[4] = std::numeric_limits<double>::quiet_NaN();
  laws.measure(q, {}, Quaterniond::Identity());
  EXPECT_EQ(laws.efforts(wrench), Joints{});
}

}  // namespace
}  // namespace ambf_device_nodes
