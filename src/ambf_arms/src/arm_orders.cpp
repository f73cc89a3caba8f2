// SPDX-License-Identifier: BSD-3-Clause
// What clients command an arm to do, and why it may be refused.

#include <algorithm>
#include <cmath>
#include <utility>

#include "ambf_arms/arm_control.hpp"
#include "ambf_arms/pose.hpp"

namespace ambf_arms
{
namespace
{

std::string wrong_size(std::size_t found, std::size_t expected)
{
  return "found " + std::to_string(found) + " values, expected " + std::to_string(expected) +
         (expected == 1 ? "" : ", one per joint");
}

}  // namespace

// Refusals

bool ArmControl::ready(ArmOrder order, bool cartesian)
{
  if (!state_.ready()) {
    happened(state_.not_ready(to_string(order), now_, options_.warning_period));
    return false;
  }
  if (!measured_once_) {
    refuse(order, "the machine does not answer");
    return false;
  }
  if (!cartesian || cartesian_ready()) { return true; }
  refuse(
    order, tool_present_ ? "the tool needs to be inserted past the cannula"
                         : "there is no tool, and without one the tip cannot be commanded");
  return false;
}

void ArmControl::refuse(ArmOrder order, const std::string & why)
{
  double & last = refused_at_[static_cast<std::size_t>(order)];
  if (now_ - last < options_.warning_period) { return; }
  last = now_;
  tell(ControlEvent::Kind::Warning, arm_.name() + ": " + to_string(order) + ", " + why);
}

void ArmControl::refuse_size(ArmOrder order, std::size_t found, std::size_t expected)
{
  if (!ready(order)) { return; }
  refuse(order, wrong_size(found, expected));
  if (order == ArmOrder::MoveJp || order == ArmOrder::MoveJr || order == ArmOrder::JawMoveJp) {
    not_reached();
  }
}

bool ArmControl::fits(ArmOrder order, const JointVector & values)
{
  if (values.size() != arm_.joints()) {
    refuse(
      order,
      wrong_size(static_cast<std::size_t>(values.size()), static_cast<std::size_t>(arm_.joints())));
    return false;
  }
  if (!values.allFinite()) {
    refuse(order, to_string(Refusal::NotFinite));
    return false;
  }
  return true;
}

bool ArmControl::fits(ArmOrder order, double value)
{
  if (!std::isfinite(value)) { refuse(order, to_string(Refusal::NotFinite)); }
  return std::isfinite(value);
}

bool ArmControl::fits(ArmOrder order, const Vector6 & wrench)
{
  if (!wrench.allFinite()) { refuse(order, to_string(Refusal::NotFinite)); }
  return wrench.allFinite();
}

bool ArmControl::has_jaw(ArmOrder order)
{
  if (!drives_jaw_) { refuse(order, "this arm has no jaw"); }
  return drives_jaw_;
}

// Positions

void ArmControl::servo_jp(const JointVector & position, const JointVector & velocity)
{
  if (!ready(ArmOrder::ServoJp) || !fits(ArmOrder::ServoJp, position)) { return; }
  if (velocity.size() != 0 && !fits(ArmOrder::ServoJp, velocity)) { return; }
  enter(ControlMode::Position);
  const Eigen::Index n = arm_.joints();
  JointVector clipped = position;
  arm_.clip_joints(clipped);
  set_.position.head(n) = clipped;
  set_.velocity.setZero();
  if (velocity.size() == n) { set_.velocity.head(n) = velocity; }
  set_.acceleration.setZero();
}

void ArmControl::servo_jr(const JointVector & change)
{
  if (!ready(ArmOrder::ServoJr) || !fits(ArmOrder::ServoJr, change)) { return; }
  enter(ControlMode::Position);
  const Eigen::Index n = arm_.joints();
  JointVector goal = set_.position.head(n) + change;
  arm_.clip_joints(goal);
  set_.position.head(n) = goal;
  set_.velocity.setZero();
}

void ArmControl::servo_cp(const Result<Eigen::Isometry3d> & goal)
{
  if (!ready(ArmOrder::ServoCp, true)) { return; }
  if (!goal) {
    refuse(ArmOrder::ServoCp, to_string(goal.error()));
    return;
  }
  const auto solution = arm_.inverse(*goal, measured_.position);
  if (!solution) {
    // The one place where a stream of poses ends a console's teleoperation.
    tell(
      ControlEvent::Kind::Error,
      arm_.name() + ": servo_cp, no solution: " + to_string(solution.error()));
    return;
  }
  enter(ControlMode::Position);
  set_.position.head(arm_.joints()) = solution->q;
  set_.velocity.setZero();
  set_.acceleration.setZero();
}

void ArmControl::move_jp(const JointVector & goal)
{
  if (!ready(ArmOrder::MoveJp)) { return; }
  if (!fits(ArmOrder::MoveJp, goal)) {
    not_reached();
    return;
  }
  JointVector all = move_base();
  JointVector clipped = goal;
  arm_.clip_joints(clipped);
  all.head(arm_.joints()) = clipped;
  start_move(all);
}

void ArmControl::move_jr(const JointVector & change)
{
  if (!ready(ArmOrder::MoveJr)) { return; }
  if (!fits(ArmOrder::MoveJr, change)) {
    not_reached();
    return;
  }
  JointVector all = move_base();
  JointVector clipped = all.head(arm_.joints()) + change;
  arm_.clip_joints(clipped);
  all.head(arm_.joints()) = clipped;
  start_move(all);
}

void ArmControl::move_cp(const Result<Eigen::Isometry3d> & goal)
{
  if (!ready(ArmOrder::MoveCp, true)) { return; }
  if (!goal) {
    refuse(ArmOrder::MoveCp, to_string(goal.error()));
    not_reached();
    return;
  }
  // A pose that is far from where the arm is may need another start.
  const auto solution = arm_.inverse(*goal, measured_.position, restarts_of_moves);
  if (!solution) {
    if (mode_ == ControlMode::Follow) {
      end_follow(FollowCode::InvalidGoal, "a move without a solution has taken its place");
    } else if (mode_ == ControlMode::Move) {
      end_move(false);
    } else {
      not_reached();
    }
    tell(
      ControlEvent::Kind::Error,
      arm_.name() + ": move_cp, no solution: " + to_string(solution.error()));
    return;
  }
  if (const auto off = how_far_off(arm_, *solution); !off.empty()) {
    tell(
      ControlEvent::Kind::Status,
      arm_.name() + ": move_cp, the arm goes as near as its limits let it: " + off);
  }
  JointVector all = move_base();
  all.head(arm_.joints()) = solution->q;
  start_move(all);
}

void ArmControl::hold()
{
  if (!ready(ArmOrder::Hold)) { return; }
  enter(ControlMode::Position);
  set_.velocity.setZero();
}

// Jaw

void ArmControl::jaw_servo_jp(double position)
{
  if (!has_jaw(ArmOrder::JawServoJp) || !ready(ArmOrder::JawServoJp)) { return; }
  if (!fits(ArmOrder::JawServoJp, position)) { return; }
  const Eigen::Index n = arm_.joints();
  jaw_effort_mode_ = false;
  if (mode_ == ControlMode::Follow && follow_.moves_jaw) { enter(ControlMode::Position); }
  // On the way the jaw keeps to the trajectory of all; else it is where it is told to be.
  if (mode_ == ControlMode::Move) {
    JointVector all = trajectory_.goal();
    all[n] = clip_jaw(position);
    if (trajectory_.plan(set_, all, all_limits(), ratio_)) { move_time_ = 0.0; }
    return;
  }
  if (in_force()) { enter(ControlMode::Position); }
  set_.position[n] = clip_jaw(position);
  set_.velocity[n] = 0.0;
}

void ArmControl::jaw_move_jp(double goal)
{
  if (!has_jaw(ArmOrder::JawMoveJp) || !ready(ArmOrder::JawMoveJp)) { return; }
  if (!fits(ArmOrder::JawMoveJp, goal)) {
    not_reached();
    return;
  }
  // Somebody else's trajectory and a move of the jaw cannot both be the arm's.
  if (in_force() || mode_ == ControlMode::Follow) { enter(ControlMode::Position); }
  JointVector all = move_base();
  all[arm_.joints()] = clip_jaw(goal);
  start_move(all);
}

bool ArmControl::jaw_servo_jf(double effort)
{
  if (!has_jaw(ArmOrder::JawServoJf) || !ready(ArmOrder::JawServoJf)) { return false; }
  if (!fits(ArmOrder::JawServoJf, effort)) { return false; }
  // The arm stays where it is told to be. A real one would have all of its joints in effort mode.
  const bool goes_on = in_force() || (mode_ == ControlMode::Follow && !follow_.moves_jaw);
  enter(goes_on ? mode_ : ControlMode::Position);
  const double most = arm_.jaw()->effort;
  jaw_effort_mode_ = true;
  jaw_effort_ = most > 0.0 ? std::clamp(effort, -most, most) : effort;
  return true;
}

// Forces

bool ArmControl::servo_jf(const JointVector & effort)
{
  if (!ready(ArmOrder::ServoJf) || !fits(ArmOrder::ServoJf, effort)) { return false; }
  enter(ControlMode::JointEffort);
  asked_effort_ = effort.cwiseMin(arm_.effort_limits()).cwiseMax(-arm_.effort_limits());
  return true;
}

bool ArmControl::body_servo_cf(const Vector6 & wrench)
{
  if (!ready(ArmOrder::BodyServoCf, true) || !fits(ArmOrder::BodyServoCf, wrench)) { return false; }
  enter(ControlMode::BodyForce);
  wrench_ = wrench;
  return true;
}

bool ArmControl::spatial_servo_cf(const Vector6 & wrench)
{
  if (!ready(ArmOrder::SpatialServoCf, true) || !fits(ArmOrder::SpatialServoCf, wrench)) {
    return false;
  }
  enter(ControlMode::SpatialForce);
  wrench_ = wrench;
  return true;
}

bool ArmControl::servo_ci(const CartesianImpedance & law)
{
  if (!ready(ArmOrder::ServoCi, true)) { return false; }
  // The law checks itself: what cannot be computed now cannot be computed later.
  const auto tip = arm_.forward(measured_.position);
  const auto tried = tip ? impedance_wrench(law, *tip, Vector6::Zero())
                         : Result<Vector6>(tl::unexpected(tip.error()));
  if (!tried) {
    refuse(ArmOrder::ServoCi, to_string(tried.error()));
    return false;
  }
  enter(ControlMode::Impedance);
  impedance_ = law;
  return true;
}

void ArmControl::free()
{
  if (!ready(ArmOrder::Free)) { return; }
  unlock_orientation();
  wrench_.setZero();
  enter(ControlMode::Free);
}

void ArmControl::lock_orientation(const Result<Eigen::Isometry3d> & orientation)
{
  if (!ready(ArmOrder::LockOrientation)) { return; }
  if (arm_.kind() != ArmKind::Mtm) {
    refuse(ArmOrder::LockOrientation, "only an MTM can hold an orientation while it floats");
    return;
  }
  if (!orientation) {
    refuse(ArmOrder::LockOrientation, to_string(orientation.error()));
    return;
  }
  if (!locked_) { locked_joints_ = measured_.position; }
  locked_ = arm_.base_frame().linear().transpose() * orientation->linear();
  add_flag(ControlEvent::Kind::OrientationLocked, true);
}

void ArmControl::unlock_orientation()
{
  if (!locked_) { return; }
  locked_.reset();
  add_flag(ControlEvent::Kind::OrientationLocked, false);
}

// Settings

void ArmControl::set_ratio(double ratio)
{
  if (!(ratio > 0.0 && ratio <= 1.0)) {
    refuse(ArmOrder::SetRatio, to_string(Refusal::BadRatio));
    return;
  }
  ratio_ = {ratio, ratio};
  add_ratio();
}

void ArmControl::set_ratio_v(double ratio)
{
  if (!(ratio > 0.0 && ratio <= 1.0)) {
    refuse(ArmOrder::SetRatio, to_string(Refusal::BadRatio));
    return;
  }
  ratio_.velocity = ratio;
  add_ratio();
}

void ArmControl::set_ratio_a(double ratio)
{
  if (!(ratio > 0.0 && ratio <= 1.0)) {
    refuse(ArmOrder::SetRatio, to_string(Refusal::BadRatio));
    return;
  }
  ratio_.acceleration = ratio;
  add_ratio();
}

void ArmControl::set_base_frame(
  const Result<Eigen::Isometry3d> & frame, const std::string & reference)
{
  if (!frame) {
    refuse(ArmOrder::SetBaseFrame, to_string(frame.error()));
    return;
  }
  if (const auto set = arm_.set_base_frame(*frame, reference); !set) {
    refuse(ArmOrder::SetBaseFrame, to_string(set.error()));
    return;
  }
  tell(ControlEvent::Kind::BaseFrame, arm_.reference());
}

void ArmControl::set_tool(std::string_view name)
{
  Arm changed = arm_;
  if (const auto set = changed.set_tool(name); !set) {
    tell(ControlEvent::Kind::Warning, set.error());
    return;
  }
  wanted_tool_ = changed.tool();
  wanted_present_ = true;
  begin_engaging();
  if (!tools_by_owner_) { tool_engaged(); }
}

void ArmControl::emulate_tool_present(bool present)
{
  if (present == wanted_present_) { return; }
  wanted_present_ = present;
  begin_engaging();
  // Without a tool there is no tip to command, from now on.
  if (!present) { tool_present_ = false; }
  if (!tools_by_owner_) { tool_engaged(); }
}

void ArmControl::begin_engaging()
{
  if (mode_ == ControlMode::Follow) { end_follow(FollowCode::InvalidGoal, "another tool"); }
  if (mode_ == ControlMode::Move && !homing_) { end_move(false); }
  if (in_force()) { enter(ControlMode::Position); }
  jaw_effort_mode_ = false;
  tool_pending_ = true;
  if (wanted_present_ || tools_by_owner_) { happened(state_.engaging(true)); }
}

void ArmControl::tool_missing()
{
  if (!tool_pending_) { begin_engaging(); }
}

void ArmControl::tool_engaged()
{
  tool_pending_ = false;
  tool_present_ = wanted_present_;
  if (arm_.tool() != wanted_tool_ && !arm_.set_tool(wanted_tool_)) { wanted_tool_ = arm_.tool(); }
  size_setpoint();
  JointVector clipped = setpoint();
  arm_.clip_joints(clipped);
  set_.position.head(arm_.joints()) = clipped;
  if (drives_jaw_) { set_.position[arm_.joints()] = clip_jaw(jaw_setpoint()); }
  turns_unknown_ = true;
  if (homing_) { start_homing(); }
  tell(ControlEvent::Kind::Tool, std::string(tool()));
  happened(state_.engaging(false));
}

void ArmControl::tool_refused(const std::string & why)
{
  tell(ControlEvent::Kind::Warning, arm_.name() + ": the tool is not exchanged: " + why);
  wanted_tool_ = arm_.tool();
  wanted_present_ = true;
}

}  // namespace ambf_arms
