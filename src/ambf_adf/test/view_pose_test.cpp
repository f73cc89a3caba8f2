// SPDX-License-Identifier: BSD-3-Clause
// Where cameras and lights are and what they face, for blocks that leave something out, too.
#include <gtest/gtest.h>

#include "ambf_adf/view_pose.hpp"

namespace ambf_adf
{
namespace
{

using Eigen::Vector3d;

TEST(CameraPose, LooksAtItsTargetAlongMinusX)
{
  Camera camera;
  camera.location = {1.0, 2.0, 3.0};
  camera.look_at = {0.0, 0.0, 0.0};
  camera.up = {0.0, 0.0, 1.0};
  const auto t = camera_pose(camera);
  EXPECT_LT((t.translation() - camera.location).norm(), 1e-12);
  EXPECT_LT((-t.linear().col(0) + camera.location.normalized()).norm(), 1e-12);
  EXPECT_NEAR(t.linear().col(1).z(), 0.0, 1e-12) << "its right is level";
  EXPECT_GT(t.linear().col(2).z(), 0.0) << "its up is up";
}

TEST(CameraPose, StillLooksAtItsTargetWhereUpLiesAlongTheView)
{
  Camera camera;
  camera.location = {0.0, 0.0, 2.0};
  camera.look_at = {0.0, 0.0, 0.0};
  camera.up = {0.0, 0.0, 1.0};
  const auto t = camera_pose(camera);
  EXPECT_LT((-t.linear().col(0) + Vector3d::UnitZ()).norm(), 1e-12);
  EXPECT_LT((t.linear() * t.linear().transpose() - Eigen::Matrix3d::Identity()).norm(), 1e-12);
  EXPECT_NEAR(t.linear().determinant(), 1.0, 1e-12);
}

TEST(CameraPose, LooksAlongMinusXWhereTheTargetIsThePlaceItself)
{
  Camera camera;
  camera.location = camera.look_at = {1.0, 1.0, 1.0};
  camera.up = {0.0, 0.0, 1.0};
  EXPECT_TRUE(camera_pose(camera).linear().isIdentity(1e-12));
}

TEST(LightPose, ShinesAlongItsDirectionAndDownWithoutOne)
{
  Light light;
  light.location = {0.0, 0.0, 4.0};
  light.direction = {0.0, 3.0, 0.0};
  EXPECT_LT((light_pose(light).linear().col(0) - Vector3d::UnitY()).norm(), 1e-12);
  light.direction.setZero();
  EXPECT_LT((light_pose(light).linear().col(0) + Vector3d::UnitZ()).norm(), 1e-12);
  EXPECT_LT((light_pose(light).translation() - light.location).norm(), 1e-12);
}

}  // namespace
}  // namespace ambf_adf
