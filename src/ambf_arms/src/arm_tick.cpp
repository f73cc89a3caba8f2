// SPDX-License-Identifier: BSD-3-Clause
// What an arm does as time goes on, and what it tells about its tip.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "ambf_arms/arm_control.hpp"
#include "ambf_arms/pose.hpp"

namespace ambf_arms
{
namespace
{

constexpr double arm_degree = std::numbers::pi / 180.0;

/// How far from home an arm may come to rest: 3 degrees; an MTM 4, its roll 6.
double homing_tolerance(const Arm & arm, int joint) noexcept
{
  if (arm.slides(joint)) { return 0.002; }
  if (arm.kind() != ArmKind::Mtm) { return 3.0 * arm_degree; }
  return (joint == 6 ? 6.0 : 4.0) * arm_degree;
}

/// What a person reads who wrote the model: most often its gains do not hold its weight.
std::string missed_home(const Arm & arm, int joint, double position)
{
  char numbers[128];
  std::snprintf(
    numbers, sizeof numbers, "' is at %.4g, not at %.4g (%.2g allowed)", position,
    arm.home()[joint], homing_tolerance(arm, joint));
  return "did not reach its home position: joint '" +
         arm.joint_names()[static_cast<std::size_t>(joint)] + numbers +
         "; is it blocked, or are its gains too low (set_joint_gains) to hold its weight "
         "(set_gravity_compensation)?";
}

/// The PSM's bounds of its PID files; other arms turn as slowly as its first joints.
double tracking_tolerance(const Arm & arm, int joint) noexcept
{
  if (arm.slides(joint)) { return 0.05; }
  return arm.kind() == ArmKind::Psm && joint > 2 ? 0.6 : 0.5;
}

}  // namespace

void ArmControl::tick(double dt)
{
  if (!(dt >= 0.0)) { dt = 0.0; }
  find_weight();
  if (mode_ == ControlMode::Off) { set_at_measured(); }
  if (mode_ == ControlMode::Move) { tick_move(dt); }
  if (mode_ == ControlMode::Follow) { tick_follow(dt); }
  if (in_force()) { tick_force(dt); }
  if (arm_.kind() == ArmKind::Mtm) { tick_gripper(dt); }
  if (options_.tracking_fault) { watch_tracking(); }
  fill_drives();
}

void ArmControl::tick_move(double dt)
{
  // Nobody is at home who was never seen: homing begins when the machine is measured.
  if (homing_ && !measured_once_) { return; }
  move_time_ += dt;
  trajectory_.sample(move_time_, set_);
  if (move_time_ < trajectory_.duration()) { return; }
  if (!homing_) {
    end_move(true);
    return;
  }
  const int stray = joint_not_at_home();
  if (stray < 0) {
    homing_ = false;
    mode_ = ControlMode::Position;
    happened(state_.homing_done());
  } else if (move_time_ > trajectory_.duration() + options_.homing_patience) {
    homing_ = false;
    mode_ = ControlMode::Position;
    happened(state_.homing_failed(missed_home(arm_, stray, measured_.position[stray])));
  }
}

int ArmControl::joint_not_at_home() const noexcept
{
  for (int i = 0; i < arm_.joints(); ++i) {
    if (std::abs(measured_.position[i] - arm_.home()[i]) > homing_tolerance(arm_, i)) { return i; }
  }
  return -1;
}

void ArmControl::tick_force(double dt)
{
  force_age_ += dt;
  if (options_.force_timeout > 0.0 && force_age_ > options_.force_timeout) {
    force_client_gone();
    if (!in_force()) { return; }
  }
  // Who takes over begins where the arm is.
  const Eigen::Index n = arm_.joints();
  set_.position.head(n) = measured_.position;
  set_.velocity.head(n) = measured_.velocity;
  set_.acceleration.setZero();
  find_force_efforts();
  if (locked_) { tick_locked(dt); }
}

void ArmControl::find_weight() noexcept
{
  if (!dynamics_ || gravity_.isZero()) {
    weight_.setZero();
    return;
  }
  dynamics_->gravity_efforts(measured_.position, gravity_, weight_);
}

void ArmControl::find_force_efforts() noexcept
{
  efforts_ = zeros(arm_.joints());
  TipMotion motion;
  if (!arm_.motion(measured_.position, motion)) { return; }
  const Eigen::Matrix3d R_reference_tip = arm_.base_frame().linear() * motion.tip.linear();
  Jacobian jacobian;
  Vector6 wrench = wrench_;
  const auto to_tip_axes = [&] {
    wrench.head<3>() = R_reference_tip.transpose() * Eigen::Vector3d(wrench.head<3>());
    wrench.tail<3>() = R_reference_tip.transpose() * Eigen::Vector3d(wrench.tail<3>());
  };
  switch (mode_) {
    case ControlMode::JointEffort:
      efforts_ = asked_effort_;
      break;
    case ControlMode::BodyForce:
      body_jacobian(motion, jacobian);
      if (absolute_) { to_tip_axes(); }
      efforts_of_wrench(jacobian, wrench, efforts_);
      break;
    case ControlMode::SpatialForce:
      spatial_jacobian(motion, jacobian);
      efforts_of_wrench(jacobian, wrench, efforts_);
      break;
    case ControlMode::Impedance: {
      const Vector6 local = motion.jacobian * measured_.velocity;
      Vector6 velocity;
      velocity << arm_.base_frame().linear() * local.head<3>(),
        arm_.base_frame().linear() * local.tail<3>();
      const auto pushed = impedance_wrench(impedance_, arm_.base_frame() * motion.tip, velocity);
      if (!pushed) { break; }
      wrench = *pushed;
      to_tip_axes();
      body_jacobian(motion, jacobian);
      efforts_of_wrench(jacobian, wrench, efforts_);
      break;
    }
    default:
      break;
  }
  efforts_ = efforts_.cwiseMin(arm_.effort_limits()).cwiseMax(-arm_.effort_limits());
  // Efforts of a wrench that is not finite are not commanded at all.
  if (!efforts_.allFinite()) { efforts_.setZero(); }
  // Efforts that are commanded joint by joint are all there is, as the dVRK has it.
  if (gravity_on_ && mode_ != ControlMode::JointEffort) { efforts_ += weight_; }
}

void ArmControl::tick_locked(double dt)
{
  // The first three joints float; the wrist turns so that the handle keeps its orientation.
  Eigen::Isometry3d goal = Eigen::Isometry3d::Identity();
  const auto tip = arm_.forward_local(measured_.position);
  if (!tip) { return; }
  goal.linear() = *locked_;
  goal.translation() = tip->translation();
  const auto solution = arm_.inverse_local(goal, measured_.position);
  if (!solution) { return; }
  for (Eigen::Index i = 3; i < arm_.joints(); ++i) {
    const double most = arm_.limits().velocity[i] * dt;
    locked_joints_[i] += std::clamp(solution->q[i] - locked_joints_[i], -most, most);
  }
}

void ArmControl::tick_gripper(double dt)
{
  if (!arm_.jaw()) { return; }
  // Simulated fingers rest a little above their stop.
  constexpr double closed_at = 1e-3, open_at = 1e-2, pinch_after = 0.2;
  const double angle = measured_.jaw_position;
  const bool closed = gripper_closed_ ? angle < open_at : angle <= closed_at;
  if (closed != gripper_closed_) {
    gripper_closed_ = closed;
    gripper_closed_for_ = 0.0;
    gripper_pinched_ = false;
    if (valid()) { add_flag(ControlEvent::Kind::GripperClosed, closed); }
  }
  if (!closed || gripper_pinched_) { return; }
  gripper_closed_for_ += dt;
  if (gripper_closed_for_ >= pinch_after) {
    gripper_pinched_ = true;
    if (valid()) { add_flag(ControlEvent::Kind::GripperPinch, true); }
  }
}

void ArmControl::watch_tracking()
{
  if (mode_ != ControlMode::Position && !moving()) { return; }
  for (int i = 0; i < arm_.joints(); ++i) {
    if (std::abs(set_.position[i] - measured_.position[i]) <= tracking_tolerance(arm_, i)) {
      continue;
    }
    fail("PID tracking error, joint " + arm_.joint_names()[static_cast<std::size_t>(i)]);
    return;
  }
}

void ArmControl::fill_drives() noexcept
{
  const Eigen::Index n = arm_.joints();
  drives_.values.resize(n);
  const bool force = in_force();
  if (!force) { efforts_ = zeros(n); }
  for (Eigen::Index i = 0; i < n; ++i) {
    Drive & drive = drives_.modes[static_cast<std::size_t>(i)];
    if (mode_ == ControlMode::Off) {
      drive = Drive::Off;
      drives_.values[i] = 0.0;
    } else if (force && locked_ && mode_ != ControlMode::JointEffort && i >= 3) {
      drive = Drive::Position;
      drives_.values[i] = locked_joints_[i];
      set_.position[i] = locked_joints_[i];
    } else {
      drive = force ? Drive::Effort : Drive::Position;
      drives_.values[i] = force ? efforts_[i] : set_.position[i];
    }
  }
  drives_.jaw_mode = Drive::Off;
  drives_.jaw = 0.0;
  if (!drives_jaw_ || mode_ == ControlMode::Off) { return; }
  drives_.jaw_mode = jaw_effort_mode_ ? Drive::Effort : Drive::Position;
  drives_.jaw = jaw_effort_mode_ ? jaw_effort_ : set_.position[n];
  if (jaw_effort_mode_) { set_.position[n] = measured_.jaw_position; }
}

void read_setpoint(const ArmControl & control, ArmReadings & out) noexcept
{
  const Arm & arm = control.arm();
  if (const auto tip = arm.forward_local(control.setpoint())) {
    out.local_setpoint_cp = *tip;
    out.setpoint_cp = arm.base_frame() * *tip;
  }
}

void read(const ArmControl & control, ArmReadings & out) noexcept
{
  read_setpoint(control, out);
  const Arm & arm = control.arm();
  const MeasuredArm & measured = control.measured();
  TipMotion motion;
  if (!arm.motion(measured.position, motion)) { return; }
  out.local_measured_cp = motion.tip;
  out.measured_cp = arm.base_frame() * motion.tip;
  body_jacobian(motion, out.body_jacobian);
  spatial_jacobian(motion, out.spatial_jacobian);
  const Vector6 velocity = motion.jacobian * measured.velocity;
  const Eigen::Matrix3d & R_reference_base = arm.base_frame().linear();
  out.measured_cv << R_reference_base * velocity.head<3>(), R_reference_base * velocity.tail<3>();
  out.local_measured_cv = out.body_jacobian * measured.velocity;
  JointVector effort = measured.effort;
  if (control.gravity_compensation()) { effort -= control.gravity_efforts(); }
  Vector6 wrench = wrench_of_efforts(out.body_jacobian, effort);
  if (control.force_absolute()) {
    const Eigen::Matrix3d & R_reference_tip = out.measured_cp.linear();
    wrench.head<3>() = R_reference_tip * Eigen::Vector3d(wrench.head<3>());
    wrench.tail<3>() = R_reference_tip * Eigen::Vector3d(wrench.tail<3>());
  }
  out.body_measured_cf = wrench;
  out.spatial_measured_cf = wrench_of_efforts(out.spatial_jacobian, effort);
}

}  // namespace ambf_arms
