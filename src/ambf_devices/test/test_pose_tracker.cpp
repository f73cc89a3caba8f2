// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ambf_devices/pose_tracker.hpp"
#include "ambf_teleop/rotation.hpp"

namespace ambf_devices
{
namespace
{

using ambf_teleop::Pose;
using Eigen::Vector3d;

TEST(PoseTracker, AxesAreReadWithTheirSigns)
{
  // Unity and most headsets: x right, y up, z away from the person, made right-handed: z towards.
  const auto quest = parse_axes({"z", "x", "y"});
  ASSERT_TRUE(quest) << quest.error();
  EXPECT_LT((*quest * Vector3d(1, 2, 3) - Vector3d(3, 1, 2)).norm(), 1e-12);
  const auto other = parse_axes({"-x", "+y", "-z"});
  ASSERT_TRUE(other);
  EXPECT_LT((*other * Vector3d(1, 2, 3) - Vector3d(-1, 2, -3)).norm(), 1e-12);
}

TEST(PoseTracker, AxesThatAreNoRotationAreRefusedInWords)
{
  EXPECT_NE(parse_axes({"x", "y", "-z"}).error().find("right-handed"), std::string::npos);
  EXPECT_NE(parse_axes({"x", "x", "z"}).error().find("each axis once"), std::string::npos);
  EXPECT_NE(parse_axes({"x", "up", "z"}).error().find("'up'"), std::string::npos);
  EXPECT_NE(parse_axes({}).error().find("nothing"), std::string::npos);
}

TEST(PoseTracker, TurnsAxesAndUnits)
{
  TrackerParameters parameters;
  parameters.R_base_tracker = *parse_axes({"z", "x", "y"});
  parameters.scale = 0.001;
  PoseTracker tracker(parameters);
  tracker.take_pose({Vector3d(10, 20, 30), Eigen::Quaterniond::Identity()}, 0.0);
  EXPECT_LT((tracker.pose().position - Vector3d(0.030, 0.010, 0.020)).norm(), 1e-12);
  // A turn about the tracker's y (up) is one about the device's z (up).
  const Vector3d turn(0, 0.3, 0);
  tracker.take_pose({Vector3d::Zero(), ambf_teleop::from_rotation_vector(turn)}, 0.01);
  EXPECT_LT(
    (ambf_teleop::rotation_vector(tracker.pose().orientation) - Vector3d(0, 0, 0.3)).norm(), 1e-12);
}

TEST(PoseTracker, DifferencesBecomeTheVelocityOfAnEvenMotion)
{
  PoseTracker tracker({});
  for (int i = 0; i < 100; ++i) {
    const double t = 0.01 * i;
    tracker.take_pose(
      {Vector3d(0.2 * t, 0, 0), ambf_teleop::from_rotation_vector(Vector3d(0, 0, 0.5 * t))}, t);
  }
  EXPECT_NEAR(tracker.twist().linear.x(), 0.2, 1e-6);
  EXPECT_NEAR(tracker.twist().angular.z(), 0.5, 1e-6);
}

TEST(PoseTracker, AfterAGapNobodyKnowsTheVelocity)
{
  PoseTracker tracker({});
  tracker.take_pose({Vector3d(0, 0, 0), Eigen::Quaterniond::Identity()}, 0.0);
  tracker.take_pose({Vector3d(0.001, 0, 0), Eigen::Quaterniond::Identity()}, 0.01);
  EXPECT_GT(tracker.twist().linear.x(), 0.01);
  tracker.take_pose({Vector3d(0.5, 0, 0), Eigen::Quaterniond::Identity()}, 0.5);
  EXPECT_EQ(tracker.twist().linear, Vector3d(0, 0, 0));
}

TEST(PoseTracker, APoseThatIsNoneSpoilsNoVelocityAfterIt)
{
  PoseTracker tracker({});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  tracker.take_pose({Vector3d(0, 0, 0), Eigen::Quaterniond::Identity()}, 0.0);
  tracker.take_pose({Vector3d(nan, 0, 0), Eigen::Quaterniond::Identity()}, 0.01);
  EXPECT_TRUE(std::isnan(tracker.pose().position.x())) << "the reading is judged elsewhere";
  tracker.take_pose({Vector3d(0, 0, 0), Eigen::Quaterniond::Identity()}, 0.02);
  tracker.take_pose({Vector3d(0.001, 0, 0), Eigen::Quaterniond::Identity()}, 0.03);
  EXPECT_GT(tracker.twist().linear.x(), 0.01);
  EXPECT_TRUE(tracker.twist().linear.allFinite());
}

TEST(PoseTracker, AVelocityThatIsToldCountsInstead)
{
  TrackerParameters parameters;
  parameters.R_base_tracker = *parse_axes({"z", "x", "y"});
  PoseTracker tracker(parameters);
  tracker.take_twist({Vector3d(1, 2, 3), Vector3d(0, 4, 0)});
  for (int i = 0; i < 10; ++i) {
    tracker.take_pose({Vector3d(i, 0, 0), Eigen::Quaterniond::Identity()}, 0.01 * i);
  }
  EXPECT_LT((tracker.twist().linear - Vector3d(3, 1, 2)).norm(), 1e-12);
  EXPECT_LT((tracker.twist().angular - Vector3d(0, 0, 4)).norm(), 1e-12);
}

}  // namespace
}  // namespace ambf_devices
