// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "ambf_teleop/rotation.hpp"
#include "ambf_teleop/two_hands.hpp"
#include "random_poses.hpp"

namespace ambf_teleop::test
{
namespace
{

using Eigen::Vector3d;

const Vector3d towards_person = Vector3d::UnitX();

Pose at(const Vector3d & position) { return {position, Eigen::Quaterniond::Identity()}; }

TEST(TwoHands, ThePictureGoesWithTheirMiddle)
{
  RandomPoses random(1);
  for (int i = 0; i < rounds(200, 20000); ++i) {
    TwoHandedDrag drag;
    const Pose left = at({random.number(-0.2, 0.2), -0.1, random.number(-0.05, 0.05)});
    const Pose right = at({random.number(-0.2, 0.2), 0.1, random.number(-0.05, 0.05)});
    const Vector3d move = random.pose(0.1).position;
    const Pose before = drag.update(left, right, towards_person);
    const Pose after =
      drag.update(at(left.position + move), at(right.position + move), towards_person);
    EXPECT_LT((after.position - before.position + move).norm(), 1e-12);
    EXPECT_LT(angle_between(after.orientation, before.orientation), 1e-12);
  }
}

TEST(TwoHands, TheCameraRollsAgainstThem)
{
  for (double roll = -3.0; roll <= 3.0; roll += 0.1) {
    TwoHandedDrag drag;
    const Vector3d across(0.01, 0.1, 0.0);
    EXPECT_LT(
      angle_between(
        drag.update(at(-across), at(across), towards_person).orientation,
        Eigen::Quaterniond::Identity()),
      1e-12);
    const Vector3d turned = Eigen::AngleAxisd(roll, towards_person) * across;
    const Pose hand = drag.update(at(-turned), at(turned), towards_person);
    const Eigen::Quaterniond wanted(Eigen::AngleAxisd(-roll, towards_person));
    EXPECT_LT(angle_between(hand.orientation, wanted), 1e-9) << roll;
    EXPECT_LT(hand.position.norm(), 1e-12);
  }
}

TEST(TwoHands, TheirDistanceMeansNothing)
{
  TwoHandedDrag drag;
  const Pose near = drag.update(at({0, -0.05, 0}), at({0, 0.05, 0}), towards_person);
  const Pose far = drag.update(at({0, -0.3, 0}), at({0, 0.3, 0}), towards_person);
  EXPECT_LT((near.position - far.position).norm(), 1e-12);
  EXPECT_LT(angle_between(near.orientation, far.orientation), 1e-12);
}

TEST(TwoHands, HandsBehindEachOtherKeepTheRoll)
{
  TwoHandedDrag drag;
  drag.update(at({0, -0.1, 0}), at({0, 0.1, 0}), towards_person);
  const Vector3d turned = Eigen::AngleAxisd(0.4, towards_person) * Vector3d(0, 0.1, 0);
  const Pose rolled = drag.update(at(-turned), at(turned), towards_person);
  const Pose behind = drag.update(at({-0.1, 0.001, 0}), at({0.1, -0.001, 0}), towards_person);
  EXPECT_LT(angle_between(rolled.orientation, behind.orientation), 1e-12);
}

TEST(TwoHands, TheSpringPullsThemBackToTheirDistance)
{
  const Vector3d left(0, -0.1, 0), right(0, 0.15, 0);
  const Vector3d force = distance_spring(left, right, 0.2, 150.0);
  EXPECT_LT((force - Vector3d(0, -7.5, 0)).norm(), 1e-12);
  EXPECT_EQ(distance_spring(left, left, 0.2, 150.0).norm(), 0.0) << "hands in one place";
}

}  // namespace
}  // namespace ambf_teleop::test
