// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/placement.hpp"

#include <numbers>
#include <random>

#include <gtest/gtest.h>

using namespace ambf_adf;
using Eigen::Isometry3d;
using Eigen::Vector3d;

namespace
{

std::mt19937 random_source(3);

double uniform(double low, double high)
{
  return std::uniform_real_distribution<double>(low, high)(random_source);
}

Vector3d direction()
{
  Vector3d v;
  do {
    v = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
  } while (v.norm() < 0.1);
  return v.normalized();
}

Vector3d point() { return {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}; }

Joint random_joint(JointType type)
{
  Joint joint;
  joint.type = type;
  joint.parent = "p";
  joint.child = "c";
  joint.parent_pivot = point();
  joint.child_pivot = point();
  joint.parent_axis = direction();
  // Parallel and opposite axes are the usual case in files.
  const double kind = uniform(0, 3);
  joint.child_axis = kind < 1   ? joint.parent_axis
                     : kind < 2 ? Vector3d(-joint.parent_axis)
                                : direction();
  joint.child_offset = uniform(-3, 3);
  return joint;
}

Isometry3d random_pose()
{
  Pose pose;
  pose.position = point();
  pose.rpy = {uniform(-3, 3), uniform(-1.5, 1.5), uniform(-3, 3)};
  return pose.isometry();
}

// Rounding of a dozen double operations on numbers of order one.
constexpr double tolerance = 1e-12;

}  // namespace

TEST(RotationBetween, TurnsTheFirstDirectionOntoTheSecond)
{
  for (int i = 0; i < 2000; ++i) {
    const Vector3d a = direction();
    const Vector3d b = i % 3 == 0 ? Vector3d(-a) : direction();
    const Eigen::Matrix3d r = rotation_between(3.0 * a, 0.1 * b);
    EXPECT_LT((r * a - b).norm(), tolerance);
    EXPECT_NEAR(r.determinant(), 1.0, tolerance);
  }
}

TEST(RotationBetween, OppositeAxesTurnAboutTheAxisThatFilesRelyOn)
{
  const Vector3d z = Vector3d::UnitZ(), x = Vector3d::UnitX();
  // z -> -z is half a turn about z x x = y.
  EXPECT_LT((rotation_between(z, -z) * x - -x).norm(), tolerance);
  EXPECT_LT((rotation_between(z, -z) * Vector3d::UnitY() - Vector3d::UnitY()).norm(), tolerance);
  // x -> -x is half a turn about x x y = z.
  EXPECT_LT((rotation_between(x, -x) * z - z).norm(), tolerance);
}

TEST(Placement, PivotsMeetAndAxesAlignForEveryJointValue)
{
  for (const JointType type :
       {JointType::Revolute, JointType::Continuous, JointType::Prismatic, JointType::Fixed,
        JointType::TorsionSpring, JointType::LinearSpring}) {
    for (int i = 0; i < 300; ++i) {
      const Joint joint = random_joint(type);
      const double q = type == JointType::Fixed ? 0.0 : uniform(-3, 3), sp = uniform(0.5, 2),
                   sc = uniform(0.5, 2);
      const Isometry3d t_pc = child_in_parent(joint, q, sp, sc);
      EXPECT_LT((t_pc.linear() * joint.child_axis - joint.parent_axis).norm(), tolerance);
      const Vector3d gap = t_pc * (sc * joint.child_pivot) - sp * joint.parent_pivot;
      const bool slides = type == JointType::Prismatic || type == JointType::LinearSpring;
      EXPECT_LT((gap - (slides ? q : 0.0) * joint.parent_axis).norm(), tolerance);
    }
  }
}

TEST(Placement, FitFindsTheJointValueThatPlacedTheChild)
{
  for (const JointType type : {JointType::Revolute, JointType::Prismatic, JointType::Fixed}) {
    for (int i = 0; i < 500; ++i) {
      const Joint joint = random_joint(type);
      const double q = type == JointType::Fixed ? 0.0 : uniform(-3.1, 3.1);
      const Isometry3d t_wp = random_pose();
      const JointFit fit = fit_joint(joint, t_wp, t_wp * child_in_parent(joint, q));
      EXPECT_NEAR(fit.q, q, 1e-10);
      EXPECT_LT(fit.position_error, tolerance);
      EXPECT_LT(fit.angle_error, 1e-7);  // acos near 1 has half the digits
    }
  }
}

TEST(Placement, SwappingParentAndChildKeepsTheJointInPlace)
{
  for (const JointType type : {JointType::Revolute, JointType::Prismatic, JointType::Fixed}) {
    for (int i = 0; i < 500; ++i) {
      const Joint joint = random_joint(type);
      const Joint swapped = swap_parent_and_child(joint);
      const double q = type == JointType::Fixed ? 0.0 : uniform(-3, 3);
      const Isometry3d round = child_in_parent(joint, q) * child_in_parent(swapped, q);
      EXPECT_LT((round.matrix() - Eigen::Matrix4d::Identity()).norm(), 1e-7) << to_string(type);
    }
  }
}

TEST(Pose, RollPitchYawSurvivesTheMatrix)
{
  for (int i = 0; i < 1000; ++i) {
    const Isometry3d t = random_pose();
    EXPECT_LT((Pose::from(t).isometry().matrix() - t.matrix()).norm(), tolerance);
  }
  Pose upright;
  upright.rpy = {0.3, std::numbers::pi / 2, 0.7};
  EXPECT_LT((Pose::from(upright.isometry()).rotation() - upright.rotation()).norm(), 1e-8);
}
