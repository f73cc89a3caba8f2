// SPDX-License-Identifier: BSD-3-Clause
// Events, modes and the operating state of an arm under control.

#include "ambf_arms/arm_control.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace ambf_arms
{

const char * to_string(ArmOrder order) noexcept
{
  switch (order) {
    case ArmOrder::ServoJp:
      return "servo_jp";
    case ArmOrder::ServoJr:
      return "servo_jr";
    case ArmOrder::ServoJf:
      return "servo_jf";
    case ArmOrder::ServoCp:
      return "servo_cp";
    case ArmOrder::BodyServoCf:
      return "body/servo_cf";
    case ArmOrder::SpatialServoCf:
      return "spatial/servo_cf";
    case ArmOrder::ServoCi:
      return "servo_ci";
    case ArmOrder::MoveJp:
      return "move_jp";
    case ArmOrder::MoveJr:
      return "move_jr";
    case ArmOrder::MoveCp:
      return "move_cp";
    case ArmOrder::JawServoJp:
      return "jaw/servo_jp";
    case ArmOrder::JawMoveJp:
      return "jaw/move_jp";
    case ArmOrder::JawServoJf:
      return "jaw/servo_jf";
    case ArmOrder::Hold:
      return "hold";
    case ArmOrder::Free:
      return "free";
    case ArmOrder::LockOrientation:
      return "lock_orientation";
    case ArmOrder::UnlockOrientation:
      return "unlock_orientation";
    case ArmOrder::SetRatio:
      return "trajectory_j/set_ratio";
    case ArmOrder::SetBaseFrame:
      return "set_base_frame";
    case ArmOrder::SetTool:
      return "set_tool_type";
    case ArmOrder::FollowJointTrajectory:
      return "follow_joint_trajectory";
    case ArmOrder::count:
      break;
  }
  return "?";
}

ArmControl::ArmControl(Arm arm, const ControlOptions & options)
: arm_(std::move(arm)), options_(options), state_(arm_.name()), wanted_tool_(arm_.tool())
{
  const int n = arm_.joints();
  events_.reserve(64);
  refused_at_.fill(-1e300);
  measured_ = {zeros(n), zeros(n), zeros(n), 0.0, 0.0, 0.0};
  asked_effort_ = efforts_ = weight_ = drives_.values = zeros(n);
  size_setpoint();
  if (arm_.mechanism()) { dynamics_.emplace(arm_.mechanism()->links, n); }
}

void ArmControl::size_setpoint()
{
  const Eigen::Index n = arm_.joints();
  drives_jaw_ = arm_.jaw() && arm_.kind() != ArmKind::Mtm && n < max_joints;
  const Eigen::Index all = n + (drives_jaw_ ? 1 : 0);
  const Eigen::Index old = set_.position.size();
  for (JointVector * v : {&set_.position, &set_.velocity, &set_.acceleration}) {
    v->conservativeResize(all);
    for (Eigen::Index i = old; i < all; ++i) { (*v)[i] = 0.0; }
  }
  if (drives_jaw_ && old < all) { set_.position[n] = clip_jaw(measured_.jaw_position); }
}

bool ArmControl::valid() const noexcept
{
  return state_.is_homed() && measured_once_ &&
         (state_.mode() == OperatingMode::Enabled || state_.mode() == OperatingMode::Paused);
}

bool ArmControl::cartesian_ready() const noexcept
{
  return tool_present_ && arm_.cartesian_ready(measured_.position);
}

std::string_view ArmControl::tool() const noexcept
{
  return tool_present_ ? std::string_view(arm_.tool()) : std::string_view();
}

ControlEvent ArmControl::state_event() const
{
  ControlEvent event;
  event.mode = state_.mode();
  event.homed = state_.is_homed();
  event.busy = state_.is_busy();
  return event;
}

// Events

void ArmControl::tell(ControlEvent::Kind kind, std::string text)
{
  ControlEvent event;
  event.kind = kind;
  event.text = std::move(text);
  add(std::move(event));
}

void ArmControl::add_flag(ControlEvent::Kind kind, bool flag)
{
  ControlEvent event;
  event.kind = kind;
  event.flag = flag;
  add(std::move(event));
}

void ArmControl::add_ratio()
{
  ControlEvent event;
  event.kind = ControlEvent::Kind::Ratio;
  event.ratio = ratio_;
  add(std::move(event));
}

void ArmControl::happened(const ArmEvents & events)
{
  for (const ArmEvent & event : events) {
    switch (event.kind) {
      case ArmEvent::Kind::Action:
        act(event.action);
        break;
      case ArmEvent::Kind::StateChanged:
        add(state_event());
        break;
      case ArmEvent::Kind::DesiredState:
        tell(ControlEvent::Kind::DesiredState, event.text);
        break;
      case ArmEvent::Kind::Status:
        tell(ControlEvent::Kind::Status, event.text);
        break;
      case ArmEvent::Kind::Warning:
        tell(ControlEvent::Kind::Warning, event.text);
        break;
      case ArmEvent::Kind::Error:
        tell(ControlEvent::Kind::Error, event.text);
        break;
    }
  }
}

void ArmControl::act(ArmAction action)
{
  if (moving() && !homing_) { not_reached(); }
  if (mode_ == ControlMode::Follow) {
    follow_ended(FollowCode::InvalidGoal, "the arm is " + state_.describe());
  }
  homing_ = false;
  switch (action) {
    case ArmAction::PowerOn:
      set_at_measured();
      mode_ = ControlMode::Position;
      break;
    case ArmAction::PowerOff:
      mode_ = ControlMode::Off;
      locked_.reset();
      break;
    case ArmAction::StartHoming:
      start_homing();
      break;
    case ArmAction::Hold:
    case ArmAction::Continue:
    case ArmAction::Unhome:
      if (mode_ == ControlMode::Off) { break; }
      if (in_force()) { set_at_measured(); }
      set_.velocity.setZero();
      set_.acceleration.setZero();
      mode_ = ControlMode::Position;
      break;
  }
}

void ArmControl::state_command(std::string_view command) { happened(state_.command(command)); }

void ArmControl::fail(std::string why)
{
  if (state_.mode() == OperatingMode::Fault) { return; }
  happened(state_.fault(std::move(why)));
}

bool ArmControl::replace_arm(Arm arm)
{
  if (arm.joints() != arm_.joints() || arm.kind() != arm_.kind()) { return false; }
  if (!arm_.tool().empty() && arm.tool() != arm_.tool() && !arm.set_tool(arm_.tool())) {
    return false;
  }
  if (!arm.set_base_frame(arm_.base_frame(), arm_.reference())) { return false; }
  if (mode_ == ControlMode::Follow) {
    end_follow(FollowCode::InvalidGoal, "the arm of the world is another one now");
  }
  arm_ = std::move(arm);
  size_setpoint();
  dynamics_.reset();
  if (arm_.mechanism()) { dynamics_.emplace(arm_.mechanism()->links, arm_.joints()); }
  return true;
}

bool ArmControl::measure(const MeasuredArm & measured)
{
  const Eigen::Index n = arm_.joints();
  if (
    measured.position.size() != n || measured.velocity.size() != n || measured.effort.size() != n ||
    !measured.position.allFinite() || !measured.velocity.allFinite() ||
    !measured.effort.allFinite() || !std::isfinite(measured.jaw_position)) {
    return false;
  }
  measured_ = measured;
  if (turns_unknown_) { align_turns(); }
  if (!measured_once_) {
    measured_once_ = true;
    jumped();
  }
  return true;
}

void ArmControl::align_turns() noexcept
{
  turns_unknown_ = false;
  // A joint that has just been put on is read within half a turn of its zero. Nothing is to move.
  for (int i = 0; i < arm_.joints(); ++i) {
    if (arm_.slides(i)) { continue; }
    constexpr double turn = 2.0 * std::numbers::pi;
    set_.position[i] += turn * std::round((measured_.position[i] - set_.position[i]) / turn);
  }
}

void ArmControl::jumped()
{
  if (mode_ == ControlMode::Follow) {
    end_follow(FollowCode::InvalidGoal, "the arm was put elsewhere");
  }
  if (mode_ == ControlMode::Move && !homing_) { end_move(false); }
  jaw_effort_mode_ = false;
  set_at_measured();
  if (drives_jaw_) { set_.position[arm_.joints()] = clip_jaw(measured_.jaw_position); }
  if (homing_) { start_homing(); }
}

// Modes

bool ArmControl::pushes() const noexcept
{
  switch (mode_) {
    case ControlMode::JointEffort:
      return !asked_effort_.isZero();
    case ControlMode::BodyForce:
    case ControlMode::SpatialForce:
      return !wrench_.isZero();
    default:
      return mode_ == ControlMode::Impedance;
  }
}

bool ArmControl::in_force() const noexcept
{
  return mode_ == ControlMode::JointEffort || mode_ == ControlMode::BodyForce ||
         mode_ == ControlMode::SpatialForce || mode_ == ControlMode::Impedance ||
         mode_ == ControlMode::Free;
}

void ArmControl::set_at_measured()
{
  const Eigen::Index n = arm_.joints();
  JointVector clipped = measured_.position;
  arm_.clip_joints(clipped);
  set_.position.head(n) = clipped;
  set_.velocity.setZero();
  set_.acceleration.setZero();
  // A jaw that squeezes stands at 0 and is asked for less: what is asked stays.
  if (drives_jaw_ && (mode_ == ControlMode::Off || jaw_effort_mode_)) {
    set_.position[n] = clip_jaw(measured_.jaw_position);
  }
}

void ArmControl::enter(ControlMode mode)
{
  if (mode_ == ControlMode::Move && mode != ControlMode::Move) { end_move(false); }
  if (mode_ == ControlMode::Follow && mode != ControlMode::Follow) {
    end_follow(FollowCode::InvalidGoal, "another command moves the arm");
  }
  const bool was_force = in_force();
  mode_ = mode;
  if (was_force && !in_force()) { set_at_measured(); }
  force_age_ = 0.0;
}

void ArmControl::end_move(bool reached)
{
  mode_ = ControlMode::Position;
  set_.velocity.setZero();
  set_.acceleration.setZero();
  add_flag(ControlEvent::Kind::GoalReached, reached);
  happened(state_.moving(false));
}

MotionLimits ArmControl::all_limits() const noexcept
{
  MotionLimits limits = arm_.limits();
  if (!drives_jaw_) { return limits; }
  const Eigen::Index n = arm_.joints();
  for (JointVector * v : {&limits.velocity, &limits.acceleration, &limits.jerk}) {
    v->conservativeResize(n + 1);
  }
  limits.velocity[n] = arm_.jaw()->velocity;
  limits.acceleration[n] = arm_.jaw()->acceleration;
  limits.jerk[n] = arm_.jaw()->jerk;
  return limits;
}

JointVector ArmControl::move_base() const noexcept
{
  return mode_ == ControlMode::Move ? trajectory_.goal() : set_.position;
}

double ArmControl::clip_jaw(double value) const noexcept
{
  return arm_.jaw() ? std::clamp(value, arm_.jaw()->low, arm_.jaw()->high) : 0.0;
}

void ArmControl::start_move(const JointVector & goal)
{
  if (!moving()) {
    enter(ControlMode::Position);
    set_.velocity.setZero();
    set_.acceleration.setZero();
  }
  if (mode_ == ControlMode::Follow) {
    follow_ended(FollowCode::InvalidGoal, "a move has taken its place");
  }
  jaw_effort_mode_ = false;
  if (const auto planned = trajectory_.plan(set_, goal, all_limits(), ratio_); !planned) {
    // Goals and limits were checked: nothing is left that could be refused.
    tell(
      ControlEvent::Kind::Error,
      arm_.name() + ": no trajectory to the goal: " + to_string(planned.error()));
    end_move(false);
    return;
  }
  mode_ = ControlMode::Move;
  move_time_ = 0.0;
  happened(state_.moving(true));
}

void ArmControl::start_homing()
{
  if (mode_ == ControlMode::Off || in_force()) { set_at_measured(); }
  set_.velocity.setZero();
  set_.acceleration.setZero();
  jaw_effort_mode_ = false;
  JointVector goal = set_.position;
  goal.head(arm_.joints()) = arm_.home();
  if (drives_jaw_) { goal[arm_.joints()] = clip_jaw(0.0); }
  if (const auto planned = trajectory_.plan(set_, goal, all_limits()); !planned) {
    happened(
      state_.homing_failed(std::string("no trajectory home: ") + to_string(planned.error())));
    return;
  }
  mode_ = ControlMode::Move;
  homing_ = true;
  move_time_ = 0.0;
  if (!measured_once_) {
    tell(
      ControlEvent::Kind::Warning,
      arm_.name() + ": home, the machine does not answer; the arm homes when it does");
  }
}

void ArmControl::force_client_gone()
{
  // Who was left to float, as a master is, goes on floating.
  if (!pushes()) { return; }
  enter(ControlMode::Position);
  tell(
    ControlEvent::Kind::Status,
    arm_.name() + ": the force has ended, nobody commands it any more; the arm holds");
}

void ArmControl::jaw_force_client_gone()
{
  if (!jaw_effort_mode_) { return; }
  jaw_effort_mode_ = false;
  set_.position[arm_.joints()] = clip_jaw(measured_.jaw_position);
  tell(
    ControlEvent::Kind::Status,
    arm_.name() + ": the jaw holds, nobody commands its effort any more");
}

}  // namespace ambf_arms
