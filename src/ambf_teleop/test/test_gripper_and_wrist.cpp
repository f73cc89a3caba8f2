// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "ambf_teleop/gripper.hpp"
#include "ambf_teleop/null_space.hpp"
#include "random_poses.hpp"

namespace ambf_teleop::test
{
namespace
{

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Gripper, OneScalarDrivesAllJointsBetweenTheirLimits)
{
  const std::array<GripperJoint, 3> joints{
    GripperJoint{0.0, 1.2}, GripperJoint{-0.4, 0.4}, GripperJoint{0.3, -0.9}};
  std::array<double, 3> targets{};
  gripper_targets(0.0, joints, targets);
  EXPECT_EQ(targets, (std::array<double, 3>{0.0, -0.4, 0.3}));
  gripper_targets(1.0, joints, targets);
  EXPECT_EQ(targets, (std::array<double, 3>{1.2, 0.4, -0.9}));
  gripper_targets(0.5, joints, targets);
  EXPECT_NEAR(targets[0], 0.6, 1e-15);
  EXPECT_NEAR(targets[1], 0.0, 1e-15);
  EXPECT_NEAR(targets[2], -0.3, 1e-15);
}

TEST(Gripper, StaysWithinTheLimitsForAnyScalar)
{
  const std::array<GripperJoint, 1> joints{GripperJoint{-0.2, 1.0}};
  std::array<double, 1> targets{0.7};
  gripper_targets(nan, joints, targets);
  EXPECT_EQ(targets[0], 0.7);
  gripper_targets(5.0, joints, targets);
  EXPECT_EQ(targets[0], 1.0);
  gripper_targets(-std::numeric_limits<double>::infinity(), joints, targets);
  EXPECT_EQ(targets[0], -0.2);
}

TEST(Gripper, MeasuredAngleIsNormalised)
{
  const GripperJoint range{-0.1, 0.9};
  EXPECT_NEAR(normalised_gripper(0.4, range).value(), 0.5, 1e-15);
  EXPECT_EQ(normalised_gripper(-3.0, range).value(), 0.0);
  EXPECT_EQ(normalised_gripper(3.0, range).value(), 1.0);
  EXPECT_FALSE(normalised_gripper(nan, range).has_value());
  EXPECT_FALSE(normalised_gripper(0.5, GripperJoint{0.5, 0.5}).has_value());
}

TEST(Gripper, TakesTheJointsBelowTheRootLinkOnly)
{
  // 0 arm -> 1 palm -> 2 left -> 4 left tip, 1 -> 3 right; 4 -> 1 closes a loop; 5 -> 6 elsewhere.
  const std::array<JointEdge, 6> joints{JointEdge{0, 1}, JointEdge{1, 2}, JointEdge{1, 3},
                                        JointEdge{5, 6}, JointEdge{4, 1}, JointEdge{2, 4}};
  EXPECT_EQ(joints_below(1, joints), (std::vector<std::uint32_t>{1, 2, 4, 5}));
  EXPECT_EQ(joints_below(0, joints), (std::vector<std::uint32_t>{0, 1, 2, 4, 5}));
  EXPECT_TRUE(joints_below(3, joints).empty());
  EXPECT_TRUE(joints_below(99, joints).empty());
}

TEST(JointTorque, ActsAboutTheAxisInTheWorld)
{
  const Quaterniond parent = from_rotation_vector(Vector3d(0, 0.5 * std::numbers::pi, 0));
  const JointPdGains gains{10.0, 2.0, 0.0};
  const Vector3d torque =
    joint_torque_on_child(gains, Vector3d::UnitX(), parent, parent, 0.3, -0.5);
  EXPECT_LT((torque - Vector3d(0, 0, -2.0)).norm(), 1e-12);  // 10 * 0.3 - 2 * 0.5 about -z
}

TEST(JointTorque, ParentDampingSeesTheParentsTurnInWorldAxes)
{
  RandomPoses random(60);
  for (int i = 0; i < 100; ++i) {
    const Quaterniond before = random.rotation();
    const Vector3d turn = random.vector(0.1);
    const Quaterniond now = from_rotation_vector(turn) * before;
    const Vector3d torque =
      joint_torque_on_child({0.0, 0.0, 3.0}, Vector3d::UnitZ(), now, before, 0.0, 0.0);
    EXPECT_LT((torque - 3.0 * turn).norm(), 1e-12);
  }
}

TEST(NullSpace, ClosedFormIsEquationSevenOneForAnyWrist)
{
  RandomPoses random(61);
  for (int i = 0; i < 2000; ++i) {
    WristAngles joints;
    for (int j = 0; j < 4; ++j) { joints[j] = random.number(-4.0, 4.0); }
    // acos loses half the digits near its ends: 1e-7 there.
    EXPECT_NEAR(platform_error_from_matrices(joints), platform_error(joints), 1e-7);
  }
}

TEST(NullSpace, ErrorIsJointSixWithinAQuarterTurn)
{
  for (double angle = -1.5; angle <= 1.5; angle += 0.1) {
    EXPECT_NEAR(platform_error({0.4, -1.0, angle, 2.0}), angle, 1e-14);
  }
}

TEST(NullSpace, TorqueIsBoundedAndDamped)
{
  const NullSpaceGains gains{0.1, 0.02, 0.05};
  EXPECT_NEAR(platform_torque(gains, {0, 0, 0.3, 0}, 0.0), 0.03, 1e-15);
  EXPECT_NEAR(platform_torque(gains, {0, 0, 0.0, 0}, 1.0), -0.02, 1e-15);
  EXPECT_EQ(platform_torque(gains, {0, 0, 1.5, 0}, 0.0), 0.05);
  EXPECT_EQ(platform_torque(gains, {0, 0, nan, 0}, 0.0), 0.0);
  EXPECT_EQ(platform_torque(gains, {0, 0, 0.3, 0}, nan), 0.0);
}

}  // namespace
}  // namespace ambf_teleop::test
