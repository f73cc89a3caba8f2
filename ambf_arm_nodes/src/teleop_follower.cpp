// SPDX-License-Identifier: BSD-3-Clause
#include "teleop_follower.hpp"

#include <cmath>
#include <utility>

#include "crtk_convert.hpp"
#include "crtk_qos.hpp"
#include "teleop_convert.hpp"

namespace ambf_arm_nodes
{

TeleopFollower::TeleopFollower(
  rclcpp::Node & node, const std::string & arm, double timeout, bool wants_force,
  std::function<void(const std::string &)> on_error)
: timeout_(timeout), watch_(node, arm, timeout, std::move(on_error))
{
  listen_to_setpoints(node, arm);
  listen_to_upheavals(node, arm);
  if (wants_force) {
    measured_cf_ = node.create_subscription<WrenchStamped>(
      arm + "/body/measured_cf", qos::stream(), [this](WrenchStamped::ConstSharedPtr wrench) {
        const auto & f = wrench->wrench.force;
        const Eigen::Vector3d force(f.x, f.y, f.z);
        if (force.allFinite()) { body_force_ = force; }
      });
    measured_cp_ = node.create_subscription<PoseStamped>(
      arm + "/measured_cp", qos::stream(), [this](PoseStamped::ConstSharedPtr pose) {
        if (const auto tip = to_teleop_pose(pose->pose)) { R_reference_tip_ = tip->orientation; }
      });
  }
  servo_jaw_.position.resize(1);
  servo_cp_ = node.create_publisher<PoseStamped>(arm + "/servo_cp", qos::stream());
  jaw_servo_jp_ = node.create_publisher<JointState>(arm + "/jaw/servo_jp", qos::stream());
  hold_ = node.create_publisher<std_msgs::msg::Empty>(arm + "/hold", qos::orders());
}

void TeleopFollower::listen_to_setpoints(rclcpp::Node & node, const std::string & arm)
{
  setpoint_cp_ = node.create_subscription<PoseStamped>(
    arm + "/setpoint_cp", qos::periodic(), [this](PoseStamped::ConstSharedPtr pose) {
      setpoint_ = *pose;
      has_setpoint_ = true;
      watch_.heard();
      take_setpoint();
    });
  local_setpoint_cp_ = node.create_subscription<PoseStamped>(
    arm + "/local/setpoint_cp", qos::periodic(), [this](PoseStamped::ConstSharedPtr pose) {
      local_ = *pose;
      has_local_ = true;
      take_setpoint();
    });
  jaw_setpoint_js_ = node.create_subscription<JointState>(
    arm + "/jaw/setpoint_js", qos::periodic(), [this](JointState::ConstSharedPtr jaw) {
      jaw_.reset();
      if (jaw->position.size() == 1 && std::isfinite(jaw->position[0])) { jaw_ = jaw->position[0]; }
    });
}

void TeleopFollower::listen_to_upheavals(rclcpp::Node & node, const std::string & arm)
{
  tool_type_ = node.create_subscription<std_msgs::msg::String>(
    arm + "/tool_type", qos::value(), [this](std_msgs::msg::String::ConstSharedPtr tool) {
      if (tool_ && *tool_ != tool->data) { ++upheavals_; }
      tool_ = tool->data;
    });
  time_ = node.create_subscription<Time>(
    arm + "/sim_time", qos::stream(), [this](Time::ConstSharedPtr time) {
      const double now = seconds(*time);
      // A world that was reset has put the arm elsewhere.
      if (sim_time_ && now < *sim_time_) { ++upheavals_; }
      sim_time_ = now;
    });
}

void TeleopFollower::take_setpoint()
{
  // Both are told together: those of one stamp belong to each other.
  if (!has_setpoint_ || (has_local_ && local_.header.stamp != setpoint_.header.stamp)) { return; }
  const auto in_reference = to_teleop_pose(setpoint_.pose);
  const auto in_base = has_local_ ? to_teleop_pose(local_.pose) : in_reference;
  const auto & stamp = setpoint_.header.stamp;
  valid_ = in_reference && in_base && (stamp.sec != 0 || stamp.nanosec != 0);
  if (!valid_) { return; }
  T_reference_setpoint_ = *in_reference;
  T_base_setpoint_ = *in_base;
  T_reference_base_ =
    has_local_ ? *in_reference * ambf_teleop::inverse(*in_base) : ambf_teleop::Pose{};
  if (reference_ != setpoint_.header.frame_id) {
    reference_ = setpoint_.header.frame_id;
    ++upheavals_;
  }
  setpoint_at_ = steady_seconds();
  ++setpoints_;
}

ambf_teleop::TeleopFollower TeleopFollower::read() const
{
  ambf_teleop::TeleopFollower out;
  out.arm = watch_.state();
  out.valid = valid_ && steady_seconds() - setpoint_at_ <= timeout_;
  out.setpoints = setpoints_;
  out.T_base_setpoint = T_base_setpoint_;
  out.T_reference_base = T_reference_base_;
  out.jaw = jaw_;
  out.upheavals = upheavals_;
  return out;
}

void TeleopFollower::obey(const ambf_teleop::TeleopOutput & out)
{
  if (out.enable_follower) { watch_.command("enable"); }
  if (out.home_follower) { watch_.command("home"); }
  if (out.hold_follower) { hold_->publish(std_msgs::msg::Empty()); }
  if (out.servo) {
    // Without a frame, as the console sends it.
    fill(servo_.pose, out.T_reference_goal);
    servo_cp_->publish(servo_);
  }
  if (out.jaw) {
    servo_jaw_.position[0] = *out.jaw;
    jaw_servo_jp_->publish(servo_jaw_);
  }
}

Eigen::Vector3d TeleopFollower::force_at_tip() const { return R_reference_tip_ * body_force_; }

}  // namespace ambf_arm_nodes
