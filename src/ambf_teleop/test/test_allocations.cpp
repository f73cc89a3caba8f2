// SPDX-License-Identifier: BSD-3-Clause
// The functions of the loops do not touch the heap.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "ambf_teleop/camera_clutch.hpp"
#include "ambf_teleop/collaboration.hpp"
#include "ambf_teleop/feedback_law.hpp"
#include "ambf_teleop/force_limits.hpp"
#include "ambf_teleop/gravity.hpp"
#include "ambf_teleop/gripper.hpp"
#include "ambf_teleop/null_space.hpp"
#include "ambf_teleop/passivity.hpp"
#include "ambf_teleop/psm_teleop.hpp"
#include "ambf_teleop/sample_filter.hpp"
#include "ambf_teleop/trajectory.hpp"
#include "ambf_test_support/allocation_count.hpp"

namespace ambf_teleop::test
{
namespace
{

using ambf_test_support::allocations_are_counted;
using ambf_test_support::begin_counting_allocations;
using ambf_test_support::end_counting_allocations;

TEST(Allocations, NoneInADeviceTickAndAProxyStep)
{
  if (!allocations_are_counted) { GTEST_SKIP() << "a sanitizer owns malloc"; }
  ReadingFilter filter;
  PairFrames pair = start_pair(Pose{});
  CameraFrames camera;
  CameraOwner owner;
  ProxyLaw law;
  law.gains.linear_stiffness.setConstant(500.0);
  law.gains.angular_stiffness.setConstant(50.0);
  ProxyErrors proxy_errors;
  FeedbackGains gains;
  gains.linear_stiffness.setConstant(100.0);
  FeedbackErrors feedback_errors;
  PassivityState passivity;
  Wrench sent;
  const std::array<GripperJoint, 2> fingers{GripperJoint{0, 1}, GripperJoint{0, 1}};
  std::array<double, 2> targets{};
  std::array<DeviceLink, 7> links{};
  DeviceJacobian jacobian = DeviceJacobian::Random(6, 7);
  double checksum = 0.0;

  begin_counting_allocations();
  for (int i = 0; i < 1000; ++i) {
    const double t = 0.001 * i;
    DeviceReading reading;
    reading.T_base_tip.position = trajectory_position({}, t);
    reading.time = t;
    reading.sequence = static_cast<std::uint64_t>(i) + 1;
    accept_reading(filter, {}, reading);
    DeviceInput input{handle_in_user({}, filter.last.T_base_tip), i % 50 < 10, i % 70 < 10};
    const bool owned = claim_camera(owner, 0, input.camera_clutch);
    update_camera(camera, {}, input, camera.camera, owned);
    update_reference(pair, {}, input, camera.camera.orientation, 0.001);
    const Wrench on_proxy = proxy_wrench(law, proxy_errors, Pose{}, pair.reference, 0.001);
    FeedbackFrames frames;
    frames.T_base_tip = filter.last.T_base_tip;
    Wrench felt = at_tip(
      frames, feedback_wrench(gains, feedback_errors, frames, Pose{}, pair.reference, 0.001));
    felt.force = passive_force({}, passivity, frames.T_base_tip.position, felt.force, {}, 0.001);
    sent = limited({}, felt, sent, 0.001);
    gripper_targets(0.5, fingers, targets);
    const DeviceTorques torques = gravity_torques(links, Eigen::Vector3d(0, 0, -9.81));
    const Wrench weight = wrench_from_torques(jacobian, torques, 1e-3);
    checksum += on_proxy.force.x() + sent.force.x() + weight.force.z() +
                platform_torque({}, WristAngles::Zero(), 0.0) + targets[0];
  }
  EXPECT_EQ(end_counting_allocations(), 0);
  EXPECT_TRUE(std::isfinite(checksum));
}

TEST(Allocations, NoneWhileAHandLeadsAnArm)
{
  if (!allocations_are_counted) { GTEST_SKIP() << "a sanitizer owns malloc"; }
  PsmTeleopParameters parameters;
  parameters.alignment = Alignment::None;
  parameters.hand_has_motors = false;
  parameters.start_gripper_threshold = 0.0;
  PsmTeleop teleop("hand_arm", parameters);
  TeleopInput in;
  TeleopOutput out;
  in.dt = in.hand.dt = 0.001;
  in.hand.arm = in.follower.arm = {true, true, true, false, false};
  in.hand.fresh = in.hand.moved = in.follower.valid = true;
  in.hand.gripper = in.follower.jaw = 0.5;
  teleop.state_command("enable");
  for (int i = 0; i < 100; ++i) {
    ++in.follower.setpoints;
    teleop.tick(in, out);
  }
  ASSERT_TRUE(teleop.following());
  teleop.take_events([](const TeleopEvent &) {});
  begin_counting_allocations();
  for (int i = 0; i < 1000; ++i) {
    ++in.follower.setpoints;
    in.hand.T_user_handle.position = trajectory_position({}, 0.0001 * i);
    teleop.tick(in, out);
    in.follower.T_base_setpoint = out.T_reference_goal;
  }
  EXPECT_EQ(end_counting_allocations(), 0);
  EXPECT_TRUE(out.servo && out.jaw);
}

}  // namespace
}  // namespace ambf_teleop::test
