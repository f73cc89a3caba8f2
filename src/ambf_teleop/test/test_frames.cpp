// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <numbers>

#include "ambf_teleop/trajectory.hpp"
#include "random_poses.hpp"

namespace ambf_teleop::test
{
namespace
{

constexpr double rounding = 1e-13;  // a few tens of operations on numbers around 1

TEST(Pose, InverseUndoesComposition)
{
  RandomPoses random(1);
  for (int i = 0; i < 200; ++i) {
    const Pose T_a_b = random.pose();
    const Pose T_b_c = random.pose();
    EXPECT_LT(gap(inverse(T_a_b) * (T_a_b * T_b_c), T_b_c), rounding);
  }
}

TEST(RotationVector, ReturnsFromTinyToHalfTurn)
{
  RandomPoses random(2);
  for (const double angle : {1e-15, 1e-9, 1e-7, 1e-3, 1.0, 3.0, std::numbers::pi - 1e-6}) {
    for (int i = 0; i < 50; ++i) {
      const Vector3d vector = angle * random.vector(1.0).normalized();
      const Vector3d back = rotation_vector(from_rotation_vector(vector));
      EXPECT_LT((back - vector).norm(), 1e-9 * angle) << angle;
    }
  }
}

TEST(RotationVector, TakesTheShortWayForBothSignsOfTheQuaternion)
{
  const Quaterniond q = from_rotation_vector(Vector3d(0.3, -0.2, 0.5));
  const Quaterniond negated(-q.w(), -q.x(), -q.y(), -q.z());
  EXPECT_LT((rotation_vector(q) - rotation_vector(negated)).norm(), rounding);
}

TEST(RotationVector, ChangeHasNoSpikeWhereTheAnglePassesHalfATurn)
{
  const Vector3d axis = Vector3d(1, 2, -2) / 3.0;
  const double step = 0.01;
  Vector3d previous = rotation_vector(from_rotation_vector(3.0 * axis));
  for (double angle = 3.0 + step; angle < 3.4; angle += step) {
    const Vector3d current = rotation_vector(from_rotation_vector(angle * axis));
    EXPECT_LT((rotation_vector_change(current, previous) - step * axis).norm(), 1e-12) << angle;
    previous = current;
  }
}

TEST(Shortened, TakesAnglesAwayDownToTheIdentity)
{
  const Quaterniond q = from_rotation_vector(Vector3d(0.0, 0.5, 0.0));
  EXPECT_NEAR(rotation_vector(shortened(q, 0.2)).y(), 0.3, rounding);
  EXPECT_EQ(shortened(q, 0.6).coeffs(), Quaterniond::Identity().coeffs());
}

TEST(DeviceOffsets, BaseIsPreMultipliedAndTipPostMultiplied)
{
  const double quarter = 0.5 * std::numbers::pi;
  DeviceOffsets offsets;
  offsets.base = {Vector3d(1, 0, 0), from_rotation_vector(Vector3d(0, 0, quarter))};
  offsets.tip = {Vector3d(0.1, 0, 0), from_rotation_vector(Vector3d(quarter, 0, 0))};
  const Pose tip{Vector3d(0.2, 0, 0), Quaterniond::Identity()};
  const Pose handle = handle_in_user(offsets, tip);
  EXPECT_LT((handle.position - Vector3d(1, 0.3, 0)).norm(), rounding);
  const Quaterniond expected = offsets.base.orientation * offsets.tip.orientation;
  EXPECT_LT(angle_between(handle.orientation, expected), rounding);
}

TEST(DeviceOffsets, TwistIsTheDerivativeOfTheHandle)
{
  RandomPoses random(3);
  const double h = 1e-6;
  for (int i = 0; i < 50; ++i) {
    const DeviceOffsets offsets{random.pose(), random.pose(0.2)};
    const Pose tip = random.pose();
    const Twist twist{random.vector(1.0), random.vector(2.0)};
    const Pose later{
      tip.position + h * twist.linear, from_rotation_vector(h * twist.angular) * tip.orientation};
    const Pose before = handle_in_user(offsets, tip);
    const Pose after = handle_in_user(offsets, later);
    const Twist handle = handle_twist_in_user(offsets, tip, twist);
    // The difference quotient's own error: h times the square of the angular speed.
    EXPECT_LT(((after.position - before.position) / h - handle.linear).norm(), 1e-5);
    const Vector3d turned = rotation_vector(after.orientation * before.orientation.conjugate());
    EXPECT_LT((turned / h - handle.angular).norm(), 1e-5);
  }
}

TEST(DeviceOffsets, PowerIsTheSameAtTheHandleInTheWorldAndAtTheMotors)
{
  RandomPoses random(4);
  for (int i = 0; i < 200; ++i) {
    const DeviceOffsets offsets{random.pose(), random.pose(0.2)};
    const Pose tip = random.pose();
    const Twist at_tip{random.vector(1.0), random.vector(1.0)};
    const Quaterniond R_world_camera = random.rotation();
    const Wrench world{random.vector(5.0), random.vector(1.0)};
    const Twist user = handle_twist_in_user(offsets, tip, at_tip);
    const double in_world = world.force.dot(R_world_camera * user.linear) +
                            world.torque.dot(R_world_camera * user.angular);
    const Wrench base = world_to_device_base(offsets, tip, R_world_camera, world);
    const double at_motors = base.force.dot(at_tip.linear) + base.torque.dot(at_tip.angular);
    EXPECT_NEAR(in_world, at_motors, 1e-12);
  }
}

TEST(TestTrajectory, HasTheSpeedsAndThePeriodOfItsEquation)
{
  const TestTrajectory trajectory;
  EXPECT_LT((trajectory_position(trajectory, 0.0) - Vector3d(0, 0.1, 0)).norm(), rounding);
  double fastest = 0.0;
  double slowest = 1e9;
  for (double t = 0.0; t < 2.0; t += 1e-4) {
    const double speed = trajectory_velocity(trajectory, t).norm();
    fastest = std::max(fastest, speed);
    slowest = std::min(slowest, speed);
  }
  EXPECT_NEAR(fastest, 0.4 * std::sqrt(5.0), 1e-6);
  EXPECT_NEAR(slowest, 0.4, 1e-6);
  const double period = 2.0 * std::numbers::pi / 4.0;
  EXPECT_LT(
    (trajectory_position(trajectory, 0.3 + period) - trajectory_position(trajectory, 0.3)).norm(),
    rounding);
}

TEST(TestTrajectory, VelocityIsTheDerivativeOfPosition)
{
  TestTrajectory trajectory;
  trajectory.offset = Vector3d(0.1, -0.2, 0.3);
  const double h = 1e-6;
  for (double t = 0.0; t < 2.0; t += 0.07) {
    const Vector3d slope =
      (trajectory_position(trajectory, t + h) - trajectory_position(trajectory, t - h)) / (2 * h);
    EXPECT_LT((slope - trajectory_velocity(trajectory, t)).norm(), 1e-8);
  }
}

}  // namespace
}  // namespace ambf_teleop::test
