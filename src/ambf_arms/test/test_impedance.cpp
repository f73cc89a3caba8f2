// SPDX-License-Identifier: BSD-3-Clause
// Impedance laws and the way between wrenches and efforts.

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "ambf_arms/impedance.hpp"
#include "ambf_arms/pose.hpp"
#include "random_arms.hpp"

namespace ambf_arms::test
{
namespace
{

TEST(JointImpedance, IsASpringAndADamperWithALimit)
{
  JointImpedance law{JointVector(2), JointVector(2), JointVector(2)};
  law.stiffness << 10.0, 100.0;
  law.damping << 1.0, 2.0;
  law.max_effort << 100.0, 5.0;
  JointVector goal(2), velocity(2), effort;
  goal << 0.5, -1.0;
  velocity << 0.25, 0.0;
  ASSERT_TRUE(
    joint_efforts(law, goal, zeros(2), zeros(2), velocity, JointVector::Constant(2, 0.5), effort)
      .has_value());
  EXPECT_DOUBLE_EQ(effort[0], 10.0 * 0.5 - 0.25 + 0.5);
  EXPECT_DOUBLE_EQ(effort[1], -5.0);
  const JointVector before = effort;
  EXPECT_EQ(
    joint_efforts(law, zeros(3), zeros(2), zeros(2), velocity, zeros(2), effort).error(),
    Refusal::WrongSize);
  velocity[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(
    joint_efforts(law, goal, zeros(2), zeros(2), velocity, zeros(2), effort).error(),
    Refusal::NotFinite);
  EXPECT_EQ(effort, before);  // a refusal leaves what stood
}

TEST(CartesianImpedance, AWallPushesOnOneSideOnly)
{
  CartesianImpedance wall;
  // Its normal is x of a frame that is turned by 90 degrees about z: y of the base.
  wall.force_orientation = Eigen::AngleAxisd(std::numbers::pi / 2.0, Eigen::Vector3d::UnitZ());
  wall.force_position = Eigen::Vector3d(0, 0.1, 0);
  wall.position_negative.p.x() = -200.0;
  wall.position_negative.d.x() = -5.0;
  Eigen::Isometry3d tip = Eigen::Isometry3d::Identity();
  Vector6 velocity = Vector6::Zero();
  velocity[1] = -0.1;
  tip.translation().y() = 0.11;  // in front of it
  EXPECT_EQ(impedance_wrench(wall, tip, velocity)->norm(), 0.0);
  tip.translation().y() = 0.09;  // 10 mm inside
  const Vector6 pushed = *impedance_wrench(wall, tip, velocity);
  EXPECT_NEAR(pushed[1], 200.0 * 0.01 + 5.0 * 0.1, 1e-12);
  EXPECT_NEAR(pushed.head<3>().norm(), pushed[1], 1e-12);
  wall.position_negative.deadband.x() = 0.004;
  EXPECT_NEAR((*impedance_wrench(wall, tip, Vector6::Zero()))[1], 200.0 * 0.006, 1e-12);
  wall.force_orientation = Eigen::Quaterniond(0, 0, 0, 0);
  EXPECT_EQ(impedance_wrench(wall, tip, velocity).error(), Refusal::ZeroQuaternion);
  wall.force_orientation = Eigen::Quaterniond::Identity();
  wall.position_negative.p.x() = std::numeric_limits<double>::infinity();
  EXPECT_EQ(impedance_wrench(wall, tip, velocity).error(), Refusal::NotFinite);
}

TEST(CartesianImpedance, TurnsBack)
{
  CartesianImpedance law;
  law.orientation_positive.p.setConstant(-0.2);
  law.orientation_negative.p.setConstant(-0.2);
  Eigen::Isometry3d tip = Eigen::Isometry3d::Identity();
  tip.linear() = Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitY()).toRotationMatrix();
  const Vector6 wrench = *impedance_wrench(law, tip, Vector6::Zero());
  EXPECT_NEAR(wrench[4], -0.06, 1e-12);
}

TEST(PoseImpedance, PullsToTheGoalWithinItsLimits)
{
  PoseImpedance law;
  law.linear_stiffness.setConstant(100.0);
  law.angular_stiffness.setConstant(1.0);
  law.max_force = 2.0;
  Eigen::Isometry3d goal = Eigen::Isometry3d::Identity();
  goal.translation().x() = 0.01;
  goal.linear() = Eigen::AngleAxisd(0.1, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  const Eigen::Isometry3d tip = Eigen::Isometry3d::Identity();
  Vector6 wrench = *pose_wrench(law, goal, Vector6::Zero(), tip, Vector6::Zero());
  EXPECT_NEAR(wrench[0], 1.0, 1e-12);
  EXPECT_NEAR(wrench[5], 0.1, 1e-12);
  goal.translation().x() = 10.0;
  wrench = *pose_wrench(law, goal, Vector6::Zero(), tip, Vector6::Zero());
  EXPECT_NEAR(wrench.head<3>().norm(), 2.0, 1e-12);
}

TEST(Efforts, AndWrenchesAreDual)
{
  Random random(41);
  const Chain chain = mtm_chain();
  for (int i = 0; i < 100; ++i) {
    TipMotion motion;
    tip_motion(chain, random.joints(mtm_bounds(Side::Right)), motion);
    Vector6 wrench;
    for (double & x : wrench) { x = random.within(-2, 2); }
    JointVector effort;
    efforts_of_wrench(motion.jacobian, wrench, effort);
    // Virtual work.
    const JointVector rates = random.vector(7, -1, 1);
    EXPECT_NEAR(effort.dot(rates), wrench.dot(motion.jacobian * rates), 1e-12);
    if (manipulability(motion.jacobian, 0.3).smallest > 0.05) {
      EXPECT_LT((wrench_of_efforts(motion.jacobian, effort) - wrench).norm(), 1e-7);
    }
  }
}

}  // namespace
}  // namespace ambf_arms::test
