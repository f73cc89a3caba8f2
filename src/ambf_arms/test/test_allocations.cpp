// SPDX-License-Identifier: BSD-3-Clause
// What a loop of 1 kHz calls does not touch the heap.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ambf_adf/parse.hpp"
#include "ambf_arms/arm.hpp"
#include "ambf_arms/arm_control.hpp"
#include "ambf_arms/dynamics.hpp"
#include "ambf_arms/impedance.hpp"
#include "ambf_arms/operating_state.hpp"
#include "ambf_arms/pose.hpp"
#include "ambf_arms/trajectory.hpp"
#include "ambf_test_support/allocation_count.hpp"

namespace ambf_arms::test
{
namespace
{

using ambf_test_support::allocations_are_counted;
using ambf_test_support::begin_counting_allocations;
using ambf_test_support::end_counting_allocations;

void loop(const Arm & arm)
{
  Dynamics dynamics =
    arm.mechanism() ? Dynamics(arm.mechanism()->links, arm.joints()) : Dynamics({}, arm.joints());
  OperatingState state(arm.name());
  state.command("enable");
  state.command("home");
  state.homing_done();
  const int n = arm.joints();
  MotionState set{arm.home(), zeros(n), zeros(n)};
  Trajectory trajectory;
  JointImpedance law{zeros(n), zeros(n), JointVector::Constant(n, 1.0)};
  JointVector goal = arm.home();
  goal[0] += 0.2;
  double checksum = 0.0;
  begin_counting_allocations();
  for (int i = 0; i < 200; ++i) {
    // move_jp, servo_cp, what is published, gravity, impedance.
    goal[0] = -goal[0];
    const bool planned = trajectory.plan(set, goal, arm.limits()).has_value();
    trajectory.sample(0.01, set);
    const auto pose = arm.forward(set.position);
    const auto solution = arm.inverse(*pose, set.position);
    TipMotion motion;
    const bool moved = arm.motion(set.position, motion).has_value();
    Jacobian body, spatial;
    body_jacobian(motion, body);
    spatial_jacobian(motion, spatial);
    JointVector effort, weight;
    JointMatrix mass;
    dynamics.gravity_efforts(set.position, Eigen::Vector3d(0, 0, -9.81), weight);
    dynamics.inverse_dynamics(
      set.position, set.velocity, set.acceleration, Eigen::Vector3d(0, 0, -9.81), effort);
    dynamics.mass_matrix(set.position, mass);
    const bool pushed =
      joint_efforts(law, goal, zeros(n), set.position, set.velocity, weight, effort).has_value();
    efforts_of_wrench(body, wrench_of_efforts(body, effort), effort);
    const Vector6 wrench = *impedance_wrench({}, *pose, Vector6::Zero());
    const ArmEvents events = state.moving(i % 2 == 0);
    const auto message = make_pose(pose->translation(), Eigen::Quaterniond(pose->linear()));
    checksum += solution->q[0] + manipulability(body).volume + mass(0, 0) + wrench[0] +
                static_cast<double>(events.size() + planned + moved + pushed) +
                message->translation().x();
  }
  EXPECT_EQ(end_counting_allocations(), 0) << arm.name();
  EXPECT_TRUE(std::isfinite(checksum));
}

/// An arm under control: a stream of poses, ticks, moves that begin and end, what is published.
void control_loop(const Arm & arm)
{
  ArmControl control(arm);
  control.set_gravity({0.0, 0.0, -9.81});
  const int n = arm.joints();
  MeasuredArm measured{arm.home(), zeros(n), zeros(n), 0.0, 0.0, 0.0};
  control.measure(measured);
  control.state_command("enable");
  control.state_command("home");
  const auto tick = [&] {
    control.tick(0.001);
    measured.position = control.setpoint();
    control.measure(measured);
    control.take_events([](const ControlEvent &) {});
  };
  for (int i = 0; i < 10; ++i) { tick(); }
  ASSERT_TRUE(control.state().ready());
  JointVector goal = arm.home();
  double checksum = 0.0;
  ArmReadings readings;
  JointTrajectoryGoal points;
  points.joints = arm.joint_names();
  for (int i = 1; i <= 10; ++i) {
    points.points.push_back({0.01 * i, {}, {}, {}});
    points.points.back().positions.assign(arm.home().data(), arm.home().data() + n);
  }
  ASSERT_TRUE(control.follow(points, follow_defaults(arm, control.drives_jaw())).has_value());
  begin_counting_allocations();
  for (int i = 0; i < 600; ++i) {
    read(control, readings);
    if (i == 0) { EXPECT_EQ(control.mode(), ControlMode::Follow); }
    if (i >= 150 && i < 200) { control.servo_cp(readings.setpoint_cp); }
    if (i == 200) { control.move_jp(goal += JointVector::Constant(n, 0.001)); }
    if (i == 400) { control.body_servo_cf(Vector6::Zero()); }
    tick();
    checksum += readings.measured_cp.translation().x();
  }
  EXPECT_EQ(end_counting_allocations(), 0) << arm.name();
  EXPECT_TRUE(std::isfinite(checksum));
}

TEST(Allocations, NoneInATickOfAnyArm)
{
  if (!allocations_are_counted) { GTEST_SKIP() << "a sanitizer owns malloc"; }
  for (const char * name : {"psm", "ecm", "mtm"}) {
    const auto described =
      parse_arms_file(std::string(AMBF_DESCRIPTION_FOLDER) + "/arms/" + name + ".yaml");
    ASSERT_TRUE(described.has_value()) << to_string(described.error());
    const auto model = ambf_adf::parse_file(described->arms[0].model);
    ASSERT_TRUE(model.has_value());
    auto arm = Arm::make(described->arms[0], &*model);
    ASSERT_TRUE(arm.has_value()) << to_string(arm.error());
    loop(*arm);
    control_loop(*arm);
    ArmDescription generic = described->arms[0];
    generic.kind = ArmKind::Generic;
    generic.tool = generic.endoscope = "";
    arm = Arm::make(generic, &*model);
    ASSERT_TRUE(arm.has_value()) << to_string(arm.error());
    loop(*arm);
  }
}

}  // namespace
}  // namespace ambf_arms::test
