// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "ambf_teleop/psm_teleop.hpp"
#include "ambf_teleop/rotation.hpp"

namespace ambf_teleop
{

using Kind = TeleopEvent::Kind;

namespace
{

constexpr std::uint64_t enough_setpoints = 3;
constexpr double same_pose = 1e-9;      // [m], [rad]
constexpr double repeat_orders = 2.0;   // [s]
constexpr double advice_period = 2.0;   // [s]
constexpr double resume_after = 0.5;    // [s]
constexpr double longest_tick = 0.05;   // what a gripper may do after a pause counts no more [s]
constexpr double somebody_share = 0.8;  // of both thresholds together

double gap(const Pose & a, const Pose & b) noexcept
{
  return (a.position - b.position).norm() + angle_between(a.orientation, b.orientation);
}

}  // namespace

bool PsmTeleop::settled() const noexcept
{
  return resting_ >= enough_setpoints && since_command_ >= parameters_.settle;
}

void PsmTeleop::listen(const TeleopInput & input) noexcept
{
  since_command_ += input.dt;
  in_state_ += input.dt;
  since_told_ += input.dt;
  const TeleopFollower & arm = input.follower;
  if (arm.setpoints != setpoints_) {
    const bool same = gap(arm.T_base_setpoint, last_setpoint_) < same_pose;
    resting_ = same ? resting_ + (arm.setpoints - setpoints_) : 0;
    last_setpoint_ = arm.T_base_setpoint;
    setpoints_ = arm.setpoints;
  }
}

const char * PsmTeleop::interruption(const TeleopInput & input) const noexcept
{
  if (input.clutch || input.hand.clutch) { return "a clutch holds the arm"; }
  if (!input.hand.fresh) { return "the hand is silent, the arm holds"; }
  if (input.follower.arm.busy) { return "the arm is busy"; }
  if (!input.follower.valid) { return "the arm does not know where it is"; }
  return nullptr;
}

void PsmTeleop::tick(const TeleopInput & input, TeleopOutput & out)
{
  out = {};
  listen(input);
  if (desired_ == TeleopState::Disabled && state_ != TeleopState::Disabled) {
    stop_following();
    enter(TeleopState::Disabled, out);
  } else if (
    (state_ == TeleopState::AligningMtm || state_ == TeleopState::Enabled) && !check_arms(input)) {
    enter(TeleopState::Disabled, out);
  }
  if (input.hand.moved) { last_hand_ = input.hand.T_user_handle; }
  switch (state_) {
    case TeleopState::Disabled:
      tick_disabled(input, out);
      break;
    case TeleopState::SettingArmsState:
      tick_setting(input, out);
      break;
    case TeleopState::AligningMtm:
      tick_aligning(input, out);
      break;
    case TeleopState::Enabled:
      tick_enabled(input, out);
      break;
  }
  if (stopped_) {
    stopped_ = false;
    out.servo = false;
    out.jaw.reset();
    out.hold_follower = true;
  }
  if (out.servo || out.hold_follower) {
    since_command_ = 0.0;
    resting_ = 0;
  }
}

void PsmTeleop::enter(TeleopState state, TeleopOutput & out)
{
  state_ = state;
  in_state_ = told_at_ = 0.0;
  restart_ = false;
  watching_ = hand_sent_ = false;
  events_.push_back({Kind::CurrentState, false, 0.0, std::string(to_string(state))});
  say(Kind::Status, "current state is " + std::string(to_string(state)));
  if (state == TeleopState::Disabled && parameters_.hand_has_motors) { out.hold_hand = true; }
}

bool PsmTeleop::check_arms(const TeleopInput & input)
{
  const auto check = [this](const TeleopArm & arm, const char * which) {
    if (arm.ready()) { return true; }
    give_up(
      std::string(which) +
        (arm.there ? " is not ENABLED and homed any more" : " does not answer any more"),
      !arm.there);
    return false;
  };
  return check(input.follower.arm, "the arm") && check(input.hand.arm, "the hand");
}

void PsmTeleop::tick_disabled(const TeleopInput & input, TeleopOutput & out)
{
  const TeleopArm & hand = input.hand.arm;
  const TeleopArm & arm = input.follower.arm;
  if (resuming_ && in_state_ >= resume_after) {
    // Who died comes back disabled and is brought up again; what somebody stopped is left to them.
    const bool there = hand.there && arm.there && !hand.fault && !arm.fault;
    if (there && (gone_ || (hand.ready() && arm.ready()))) {
      want(TeleopState::Enabled);
      active_ = was_active_;
    }
  }
  if (desired_ == TeleopState::Disabled) { return; }
  enter(TeleopState::SettingArmsState, out);
  bring_up(input, out);
}

void PsmTeleop::bring_up(const TeleopInput & input, TeleopOutput & out) const
{
  const TeleopArm & hand = input.hand.arm;
  const TeleopArm & arm = input.follower.arm;
  out.enable_follower = !arm.enabled;
  out.home_follower = !arm.homed && !arm.busy;
  out.enable_hand = !hand.enabled;
  out.home_hand = !hand.homed && !hand.busy;
}

void PsmTeleop::tick_setting(const TeleopInput & input, TeleopOutput & out)
{
  if (input.follower.arm.ready() && input.hand.arm.ready()) {
    enter(TeleopState::AligningMtm, out);
    return;
  }
  if (in_state_ > parameters_.patience) {
    const std::string who = !input.follower.arm.ready() ? "the arm" : "the hand";
    give_up("timed out while " + who + " was to be enabled and homed", false);
    enter(TeleopState::Disabled, out);
    return;
  }
  // An arm that was still on its way up has not heard the first of it.
  if (in_state_ - told_at_ >= repeat_orders) {
    told_at_ = in_state_;
    bring_up(input, out);
  }
}

bool PsmTeleop::somebody_holds(const TeleopInput & input, const Eigen::Quaterniond & wanted)
{
  if (active_) { return true; }
  const double gripper = input.hand.gripper.value_or(0.0);
  // Between the y axes of the handle and of what is wanted, as upstream takes it for the roll.
  const Eigen::Vector3d y = Eigen::Vector3d::UnitY();
  const double roll =
    std::acos(std::clamp((wanted * y).dot(input.hand.T_user_handle.orientation * y), -1.0, 1.0));
  if (!watching_) {
    gripper_low_ = gripper_high_ = gripper;
    roll_low_ = roll_high_ = roll;
    watching_ = true;
  }
  gripper_low_ = std::min(gripper_low_, gripper);
  gripper_high_ = std::max(gripper_high_, gripper);
  roll_low_ = std::min(roll_low_, roll);
  roll_high_ = std::max(roll_high_, roll);
  const double turned = roll_high_ - roll_low_;
  const double opened = gripper_high_ - gripper_low_;
  active_ =
    opened >= parameters_.start_gripper_threshold || turned >= parameters_.start_roll_threshold ||
    opened + turned >
      somebody_share * (parameters_.start_gripper_threshold + parameters_.start_roll_threshold);
  return active_;
}

void PsmTeleop::align_hand(const TeleopInput & input, TeleopOutput & out)
{
  if (!parameters_.hand_has_motors || input.clutch || input.hand.clutch) { return; }
  const bool drive = parameters_.alignment == Alignment::Drive;
  const Eigen::Quaterniond wanted =
    drive ? input.R_base_view.conjugate() * input.follower.T_base_setpoint.orientation
          : input.hand.T_user_handle.orientation;
  const bool elsewhere =
    drive && angle_between(wanted, aligned_to_) > parameters_.start_orientation_tolerance;
  if (hand_sent_ && !elsewhere) { return; }
  // Also where it is not to be turned: the hand stays where it is until it leads.
  aligned_to_ = wanted;
  hand_sent_ = true;
  out.move_hand = Pose{input.hand.T_user_handle.position, wanted};
}

void PsmTeleop::tick_aligning(const TeleopInput & input, TeleopOutput & out)
{
  const char * const why = interruption(input);
  if (!input.hand.fresh || !input.follower.valid) { return; }
  align_hand(input, out);
  const Eigen::Quaterniond wanted =
    input.R_base_view.conjugate() * input.follower.T_base_setpoint.orientation;
  const double error = parameters_.alignment == Alignment::None
                         ? 0.0
                         : angle_between(wanted, input.hand.T_user_handle.orientation);
  const bool aligned = error <= parameters_.start_orientation_tolerance;
  // What motors do to a handle shows nobody.
  const bool driven =
    parameters_.alignment == Alignment::Drive && (!aligned || input.hand.arm.busy);
  if (driven) { watching_ = false; }
  const bool held = driven ? active_ : somebody_holds(input, wanted);
  if (desired_ == TeleopState::AligningMtm) { return; }
  if (aligned && held && why == nullptr && !input.hand.arm.busy) {
    if (!settled()) { return; }
    enter(TeleopState::Enabled, out);
    lead(input, out);
    return;
  }
  if (in_state_ - told_at_ < advice_period) { return; }
  told_at_ = in_state_;
  if (!aligned) {
    say(
      Kind::Warning,
      "the hand is turned otherwise than the tip by " +
        std::to_string(static_cast<int>(error * 180.0 / M_PI)) + " degrees" +
        (parameters_.alignment == Alignment::Wait ? "; turn it until they agree" : ""));
  } else if (!held) {
    say(Kind::Warning, "pinch or roll the handle a little, to show that somebody holds it");
  }
}

void PsmTeleop::lead(const TeleopInput & input, TeleopOutput & out)
{
  pair_ = start_pair(input.follower.T_base_setpoint);
  frozen_ = last_hand_ = input.hand.T_user_handle;
  update_reference(pair_, mapping_, {frozen_}, input.R_base_view, 0.0);
  ghost_ = start_ghost(parameters_.jaw, input.follower.jaw.value_or(0.0));
  upheavals_ = input.follower.upheavals;
  following_ = true;
  tell(Kind::Following, true);
  if (!parameters_.hand_has_motors) { return; }
  out.free_hand = true;
  if (parameters_.rotation_locked) {
    out.lock_hand = input.hand.T_user_handle.orientation;
  } else {
    out.unlock_hand = true;
  }
}

void PsmTeleop::interrupt(const char * why, const TeleopInput & input, TeleopOutput & out)
{
  stop_following();
  // A hand that comes and goes is told of now and then.
  const bool clutch = input.clutch || input.hand.clutch;
  told_ = clutch || since_told_ >= advice_period;
  if (told_) {
    since_told_ = 0.0;
    say(clutch ? Kind::Status : Kind::Warning, why);
  }
  if (!parameters_.hand_has_motors) { return; }
  out.free_hand = true;
  if (parameters_.alignment != Alignment::None || parameters_.rotation_locked) {
    out.lock_hand = input.hand.T_user_handle.orientation;
  } else {
    out.unlock_hand = true;
  }
}

void PsmTeleop::tick_enabled(const TeleopInput & input, TeleopOutput & out)
{
  const char * why = interruption(input);
  if (following_ && why == nullptr && input.follower.upheavals != upheavals_) {
    why = "the arm was put elsewhere, or has another tool";
  }
  if (following_ && why == nullptr && (restart_ || desired_ != TeleopState::Enabled)) {
    stop_following();
    enter(restart_ ? TeleopState::SettingArmsState : desired_, out);
    return;
  }
  if (following_ && why != nullptr) {
    interrupt(why, input, out);
    return;
  }
  if (!following_ && why == nullptr) {
    const bool straight =
      parameters_.alignment == Alignment::None && !restart_ && desired_ == TeleopState::Enabled;
    if (straight && !settled()) { return; }
    if (told_) { say(Kind::Status, "hand and arm are back"); }
    told_ = false;
    if (straight) {
      lead(input, out);
    } else {
      enter(TeleopState::SettingArmsState, out);
    }
    return;
  }
  if (!following_) { return; }
  if (input.hand.moved) { follow(input, out); }
}

void PsmTeleop::follow(const TeleopInput & input, TeleopOutput & out)
{
  const Pose & hand = input.hand.T_user_handle;
  Pose handle = hand;
  if (parameters_.translation_locked) { handle.position = frozen_.position; }
  if (parameters_.rotation_locked) { handle.orientation = frozen_.orientation; }
  const bool far =
    pair_.anchored &&
    ((handle.position - pair_.handle.position).norm() > parameters_.jump_distance ||
     angle_between(handle.orientation, pair_.handle.orientation) > parameters_.jump_angle);
  if (far || input.hand.relocated) {
    forget_handle(pair_);
    if (far) { say(Kind::Warning, "the hand jumped, and is taken where it is now"); }
  }
  update_reference(pair_, mapping_, {handle}, input.R_base_view, input.hand.dt);
  out.servo = true;
  out.T_reference_goal = input.follower.T_reference_base * pair_.reference;
  if (parameters_.ignore_jaw || !input.hand.gripper || !input.follower.jaw) { return; }
  out.jaw = follow_gripper(
    parameters_.jaw, ghost_, *input.hand.gripper, std::clamp(input.hand.dt, 0.0, longest_tick));
}

}  // namespace ambf_teleop
