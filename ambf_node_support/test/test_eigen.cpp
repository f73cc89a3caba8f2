// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include <geometry_msgs/msg/pose.hpp>
#include <geometry_msgs/msg/transform.hpp>

#include "ambf_node_support/eigen.hpp"

namespace ambf_node_support
{
namespace
{

Eigen::Isometry3d some_pose()
{
  Eigen::Isometry3d t(Eigen::Translation3d(1.0, -2.0, 3.0));
  t.rotate(Eigen::AngleAxisd(0.7, Eigen::Vector3d(1.0, 2.0, -3.0).normalized()));
  return t;
}

TEST(EigenMessages, APoseAndATransformComeBackAsTheyWere)
{
  const Eigen::Isometry3d t = some_pose();
  geometry_msgs::msg::Pose pose;
  fill(pose, t);
  EXPECT_EQ(to_eigen(pose.position), Eigen::Vector3d(t.translation()));
  EXPECT_TRUE(to_eigen(pose.orientation).toRotationMatrix().isApprox(t.linear(), 1e-15));
  geometry_msgs::msg::Transform transform;
  fill(transform, t);
  EXPECT_EQ(to_eigen(transform.translation), to_eigen(pose.position));
  EXPECT_EQ(to_eigen(transform.rotation).coeffs(), to_eigen(pose.orientation).coeffs());
}

TEST(EigenMessages, AQuaternionIsTakenAsItStands)
{
  geometry_msgs::msg::Quaternion q;
  q.x = 1.0;
  q.y = 2.0;
  q.z = 3.0;
  q.w = 4.0;
  EXPECT_EQ(to_eigen(q).coeffs(), Eigen::Vector4d(1.0, 2.0, 3.0, 4.0));
}

TEST(EigenMessages, NotANumberIsFound)
{
  geometry_msgs::msg::Pose pose;
  EXPECT_TRUE(is_finite(pose.position));
  EXPECT_TRUE(is_finite(pose.orientation));
  pose.position.y = std::numeric_limits<double>::quiet_NaN();
  pose.orientation.w = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(is_finite(pose.position));
  EXPECT_FALSE(is_finite(pose.orientation));
}

TEST(EigenMessages, AFlatPoseIsPositionThenQuaternion)
{
  const Eigen::Isometry3d t = some_pose();
  const Eigen::Quaterniond q(t.linear());
  const std::array<double, 7> flat{1.0,         -2.0,        3.0,        2.0 * q.x(),
                                   2.0 * q.y(), 2.0 * q.z(), 2.0 * q.w()};
  EXPECT_TRUE(to_isometry(flat.data()).isApprox(t, 1e-15)) << "its length does not count";
}

}  // namespace
}  // namespace ambf_node_support
