// SPDX-License-Identifier: BSD-3-Clause
// Forces and impedances of an arm under control, and what it tells about its tip.

#include <gtest/gtest.h>

#include "ambf_arms/pose.hpp"
#include "arm_rig.hpp"

namespace ambf_arms::test
{
namespace
{

// Forces

TEST(ArmControl, ABodyForceIsTheTransposedJacobian)
{
  Rig rig;
  rig.home();
  Vector6 wrench;
  wrench << 0.1, 0.2, 0.3, 0.001, 0.002, 0.003;
  rig.control.body_servo_cf(wrench);
  rig.tick();
  ArmReadings readings;
  read(rig.control, readings);
  const JointVector expected = readings.body_jacobian.transpose() * wrench;
  EXPECT_LT((rig.control.drives().values - expected).norm(), 1e-12);
  EXPECT_EQ(rig.control.drives().modes[0], Drive::Effort);
  rig.control.spatial_servo_cf(wrench);
  rig.tick();
  const JointVector spatial = readings.spatial_jacobian.transpose() * wrench;
  EXPECT_LT((rig.control.drives().values - spatial).norm(), 1e-12);
}

TEST(ArmControl, AbsoluteForcesHaveTheAxesOfTheReference)
{
  Rig rig;
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
  frame.linear() = Eigen::AngleAxisd(0.7, Eigen::Vector3d::UnitX()).toRotationMatrix();
  rig.control.set_base_frame(frame, "ECM");
  rig.home();
  rig.control.set_force_absolute(true);
  Vector6 wrench = Vector6::Zero();
  wrench[2] = 0.5;
  rig.control.body_servo_cf(wrench);
  rig.tick();
  ArmReadings readings;
  read(rig.control, readings);
  Vector6 in_tip = Vector6::Zero();
  in_tip.head<3>() = readings.measured_cp.linear().transpose() * wrench.head<3>();
  const JointVector expected = readings.body_jacobian.transpose() * in_tip;
  EXPECT_LT((rig.control.drives().values - expected).norm(), 1e-12);
}

TEST(ArmControl, AForceIsHeldForEverUnlessATimeoutIsSet)
{
  ControlOptions options;
  Vector6 wrench = Vector6::Constant(0.1);
  for (const double timeout : {0.0, 0.03}) {
    options.force_timeout = timeout;
    Rig rig("psm", options);
    rig.home();
    rig.control.body_servo_cf(wrench);
    rig.run(29);
    EXPECT_EQ(rig.control.drives().modes[0], Drive::Effort);
    rig.run(3);
    const bool ended = timeout > 0.0;
    EXPECT_EQ(rig.control.drives().modes[0], ended ? Drive::Position : Drive::Effort);
    if (ended) {
      EXPECT_EQ(rig.control.drives().values, rig.machine.position) << "it holds where it is";
    } else {
      rig.run(3000);
      EXPECT_EQ(rig.control.drives().modes[0], Drive::Effort);
    }
  }
}

TEST(ArmControl, TheForceOfAClientThatIsGoneEnds)
{
  Rig rig;
  rig.home();
  rig.control.body_servo_cf(Vector6::Constant(0.1));
  rig.tick();
  rig.control.force_client_gone();
  rig.tick();
  EXPECT_EQ(rig.control.drives().modes[0], Drive::Position);
  EXPECT_EQ(rig.control.drives().values, rig.machine.position);
  EXPECT_EQ(rig.count(Kind::Status), 1);
  // Who floats is not made stiff: there is no force that could end.
  rig.control.body_servo_cf(Vector6::Zero());
  rig.control.force_client_gone();
  rig.tick();
  EXPECT_EQ(rig.control.drives().modes[0], Drive::Effort);
  EXPECT_EQ(rig.count(Kind::Status), 1);
}

TEST(ArmControl, GravityIsBorneInForceModesAndNotWhenSwitchedOff)
{
  Rig rig("mtm");
  rig.control.set_gravity({0.0, 0.0, -9.81});
  rig.home();
  rig.control.body_servo_cf(Vector6::Zero());
  rig.tick();
  EXPECT_GT(rig.control.drives().values.norm(), 0.01);
  rig.control.use_gravity_compensation(false);
  rig.tick();
  EXPECT_TRUE(rig.control.drives().values.isZero());
}

TEST(ArmControl, FreeMeansNoEffortAndUnlocks)
{
  Rig rig("mtm");
  rig.home();
  rig.control.lock_orientation(Eigen::Isometry3d(rig.tip()));
  rig.control.body_servo_cf(Vector6::Zero());
  EXPECT_TRUE(rig.control.orientation_locked());
  rig.control.free();
  rig.tick();
  EXPECT_FALSE(rig.control.orientation_locked());
  for (int i = 0; i < 7; ++i) {
    EXPECT_EQ(rig.control.drives().modes[static_cast<std::size_t>(i)], Drive::Effort);
    EXPECT_EQ(rig.control.drives().values[i], 0.0);
  }
  EXPECT_EQ(rig.count(Kind::OrientationLocked), 2);
}

TEST(ArmControl, ALockedOrientationIsHeldByTheWristWhileTheArmFloats)
{
  Rig rig("mtm");
  rig.home();
  const Eigen::Isometry3d start = rig.tip();
  rig.control.lock_orientation(start);
  rig.control.body_servo_cf(Vector6::Zero());
  for (int i = 0; i < 300; ++i) {
    rig.machine.position[0] = 0.001 * i;  // a hand moves the master
    rig.machine.position[1] = 0.0005 * i;
    rig.tick();
  }
  rig.run(500);
  EXPECT_EQ(rig.control.drives().modes[0], Drive::Effort);
  EXPECT_EQ(rig.control.drives().modes[5], Drive::Position);
  const auto tip = *rig.control.arm().forward(rig.machine.position);
  EXPECT_LT(angle_between(tip.linear(), start.linear()), 1e-3);
  EXPECT_GT((tip.translation() - start.translation()).norm(), 0.05);
}

TEST(ArmControl, AnImpedancePullsTowardsItsReference)
{
  Rig rig;
  rig.home();
  CartesianImpedance law;
  law.force_position = rig.tip().translation() + Eigen::Vector3d(0.01, 0.0, 0.0);
  for (HalfPlaneGains * gains : {&law.position_positive, &law.position_negative}) {
    gains->p = Eigen::Vector3d::Constant(-100.0);
  }
  rig.control.servo_ci(law);
  rig.tick();
  ArmReadings readings;
  read(rig.control, readings);
  Vector6 pull = Vector6::Zero();
  pull.head<3>() = readings.measured_cp.linear().transpose() * Eigen::Vector3d(1.0, 0.0, 0.0);
  const JointVector expected = readings.body_jacobian.transpose() * pull;
  EXPECT_LT((rig.control.drives().values - expected).norm(), 1e-9);
}

TEST(ArmControl, HoldAfterAForceBeginsWhereTheArmIs)
{
  Rig rig;
  rig.home();
  rig.control.body_servo_cf(Vector6::Zero());
  rig.machine.position[0] = 0.3;
  rig.tick();
  rig.control.hold();
  rig.tick();
  EXPECT_EQ(rig.control.drives().modes[0], Drive::Position);
  EXPECT_DOUBLE_EQ(rig.control.drives().values[0], 0.3);
}

// Readings

TEST(ArmControl, PosesAreInTheReferenceOfTheBaseFrame)
{
  Rig rig;
  rig.home();
  ArmReadings before;
  read(rig.control, before);
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
  frame.translation() = Eigen::Vector3d(1.0, 2.0, 3.0);
  rig.control.set_base_frame(frame, "ECM");
  ArmReadings after;
  read(rig.control, after);
  EXPECT_TRUE(after.measured_cp.isApprox(frame * before.measured_cp));
  EXPECT_TRUE(after.local_measured_cp.isApprox(before.local_measured_cp));
  EXPECT_EQ(rig.text(Kind::BaseFrame), "ECM");
}

TEST(ArmControl, ReadingsOfVelocityAreThoseOfTheMovingTip)
{
  Rig rig;
  rig.home();
  rig.machine.velocity = vector({0.1, -0.2, 0.03, 0.4, 0.5, -0.6});
  rig.control.measure(rig.machine);
  ArmReadings now, later;
  read(rig.control, now);
  const double h = 1e-6;
  rig.machine.position += h * rig.machine.velocity;
  rig.control.measure(rig.machine);
  read(rig.control, later);
  const Eigen::Vector3d difference =
    (later.measured_cp.translation() - now.measured_cp.translation()) / h;
  EXPECT_LT((difference - now.measured_cv.head<3>()).norm(), 1e-5);
}

}  // namespace
}  // namespace ambf_arms::test
