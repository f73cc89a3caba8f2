// SPDX-License-Identifier: BSD-3-Clause
// Frames on a cart, in closed form.

#include <gtest/gtest.h>

#include <numbers>

#include "ambf_arms/setup_joints.hpp"

namespace ambf_arms::test
{
namespace
{

using Eigen::AngleAxisd;
using Eigen::Isometry3d;
using Eigen::Vector3d;

Isometry3d pose(const Vector3d & position, double angle, const Vector3d & axis)
{
  Isometry3d out = Isometry3d::Identity();
  out.linear() = AngleAxisd(angle, axis).toRotationMatrix();
  out.translation() = position;
  return out;
}

constexpr double quarter = std::numbers::pi / 2.0;

TEST(SetupJoints, ABaseIsSeenFromTheTip)
{
  // The camera is at (1, 0, 2), a quarter turned about z, the arm at (1, 3, 2): straight along its x.
  const ReferenceArm camera{
    pose({1, 0, 0}, quarter, Vector3d::UnitZ()), pose({0, 0, 2}, 0, Vector3d::UnitZ())};
  const Isometry3d base = base_in_tip(camera, pose({1, 3, 2}, quarter, Vector3d::UnitZ()));
  EXPECT_TRUE(base.isApprox(pose({3, 0, 0}, 0, Vector3d::UnitZ()), 1e-12));
}

TEST(SetupJoints, WhoIsCarriedAlongIsSeenWhereItWas)
{
  const ReferenceArm camera{
    pose({0.3, -0.2, 1}, 0.4, Vector3d(1, 2, 3).normalized()),
    pose({0.01, 0.02, -0.1}, -0.7, Vector3d::UnitY())};
  const Isometry3d base = pose({-0.3, 0.5, 0.9}, 1.1, Vector3d(3, 1, -1).normalized());
  const Isometry3d cart = pose({5, 4, 0}, 2.2, Vector3d::UnitZ());
  const ReferenceArm moved{cart * camera.T_cart_base, camera.T_base_tip};
  EXPECT_TRUE(base_in_tip(moved, cart * base).isApprox(base_in_tip(camera, base), 1e-12));
}

TEST(SetupJoints, WithoutAReferenceFramesAreTheCarts)
{
  const Isometry3d base = pose({-0.3, 0.5, 0.9}, 1.1, Vector3d::UnitX());
  EXPECT_TRUE(base_in_tip({}, base).isApprox(base, 0.0));
}

}  // namespace
}  // namespace ambf_arms::test
