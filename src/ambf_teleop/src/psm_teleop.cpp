// SPDX-License-Identifier: BSD-3-Clause
// Orders, and what they change at once; the ticks are in psm_teleop_tick.cpp.
#include "ambf_teleop/psm_teleop.hpp"

#include <cmath>
#include <utility>

namespace ambf_teleop
{

using Kind = TeleopEvent::Kind;

std::string_view to_string(TeleopState state) noexcept
{
  switch (state) {
    case TeleopState::SettingArmsState:
      return "SETTING_ARMS_STATE";
    case TeleopState::AligningMtm:
      return "ALIGNING_MTM";
    case TeleopState::Enabled:
      return "ENABLED";
    default:
      return "DISABLED";
  }
}

std::optional<std::string> what_is_wrong(const PsmTeleopParameters & p)
{
  const auto above = [](double value) { return std::isfinite(value) && value > 0.0; };
  const auto at_least = [](double value) { return std::isfinite(value) && value >= 0.0; };
  if (!above(p.scale)) { return "scale: expected a number above 0"; }
  if (!at_least(p.start_orientation_tolerance)) {
    return "start_orientation_tolerance: expected a number not below 0";
  }
  if (!at_least(p.start_gripper_threshold)) {
    return "start_gripper_threshold: expected a number not below 0";
  }
  if (!at_least(p.start_roll_threshold)) {
    return "start_roll_threshold: expected a number not below 0";
  }
  if (!above(p.jaw.rate)) { return "jaw_rate: expected a number above 0"; }
  if (!above(p.jaw.rate_after_clutch)) {
    return "jaw_rate_after_clutch: expected a number above 0";
  }
  if (!above(p.jaw.gripper_max - p.jaw.gripper_zero)) {
    return "gripper_max: expected an angle above gripper_zero";
  }
  if (!above(p.jaw.jaw_max) || !std::isfinite(p.jaw.jaw_min) || p.jaw.jaw_min > 0.0) {
    return "jaw_min, jaw_max: expected an angle not above 0, and one above 0";
  }
  if (p.alignment == Alignment::Drive && !p.hand_has_motors) {
    return "alignment: found drive, but this hand has no motors; expected wait or none";
  }
  return {};
}

PsmTeleop::PsmTeleop(std::string name, const PsmTeleopParameters & parameters)
: name_(std::move(name)), parameters_(parameters)
{
  mapping_.workspace_scale = parameters.scale;
  events_.reserve(16);
}

void PsmTeleop::say(Kind kind, std::string text)
{
  events_.push_back({kind, false, 0.0, name_ + ": " + std::move(text)});
}

void PsmTeleop::tell(Kind kind, bool flag) { events_.push_back({kind, flag, 0.0, {}}); }

void PsmTeleop::tell_all()
{
  events_.push_back({Kind::CurrentState, false, 0.0, std::string(to_string(state_))});
  events_.push_back({Kind::DesiredState, false, 0.0, std::string(to_string(desired_))});
  events_.push_back({Kind::Scale, false, scale(), {}});
  tell(Kind::Following, following_);
  tell(Kind::RotationLocked, parameters_.rotation_locked);
  tell(Kind::TranslationLocked, parameters_.translation_locked);
  tell(Kind::AlignMtm, parameters_.alignment != Alignment::None);
}

void PsmTeleop::want(TeleopState state)
{
  resuming_ = false;
  events_.push_back({Kind::DesiredState, false, 0.0, std::string(to_string(state))});
  if (desired_ == state) { return; }
  desired_ = state;
  // Whoever enables it shows that somebody is there.
  active_ = false;
  say(Kind::Status, "set desired state to " + std::string(to_string(state)));
}

void PsmTeleop::state_command(std::string_view command)
{
  if (command == "enable") {
    want(TeleopState::Enabled);
  } else if (command == "disable") {
    want(TeleopState::Disabled);
  } else if (command == "align_MTM" || command == "align_mtm") {
    want(TeleopState::AligningMtm);
  } else {
    say(
      Kind::Warning, "found the state command '" + std::string(command) +
                       "', expected enable, disable or align_MTM");
  }
}

void PsmTeleop::set_scale(double scale)
{
  if (!std::isfinite(scale) || scale <= 0.0) {
    say(Kind::Warning, "found a scale of " + std::to_string(scale) + ", expected a number above 0");
    return;
  }
  parameters_.scale = scale;
  mapping_.workspace_scale = scale;  // the map begins anew where the hand is by now
  events_.push_back({Kind::Scale, false, scale, {}});
}

void PsmTeleop::lock_rotation(bool lock)
{
  parameters_.rotation_locked = lock;
  tell(Kind::RotationLocked, lock);
  frozen_ = last_hand_;
  forget_handle(pair_);
  // A hand that was free to turn is not aligned any more.
  restart_ = restart_ || (!lock && parameters_.alignment != Alignment::None);
}

void PsmTeleop::lock_translation(bool lock)
{
  parameters_.translation_locked = lock;
  tell(Kind::TranslationLocked, lock);
  frozen_ = last_hand_;
  forget_handle(pair_);
}

void PsmTeleop::set_align_mtm(bool align)
{
  if (align && parameters_.alignment == Alignment::None) {
    parameters_.alignment = parameters_.hand_has_motors ? Alignment::Drive : Alignment::Wait;
    restart_ = true;
  } else if (!align) {
    parameters_.alignment = Alignment::None;
  }
  tell(Kind::AlignMtm, parameters_.alignment != Alignment::None);
}

void PsmTeleop::arm_error(std::string_view text)
{
  if (state_ == TeleopState::Disabled) { return; }
  give_up("received from arm [" + std::string(text) + "]", false);
}

void PsmTeleop::give_up(const std::string & why, bool gone)
{
  say(Kind::Error, why);
  const bool wanted = desired_ == TeleopState::Enabled;
  was_active_ = active_;
  stop_following();
  want(TeleopState::Disabled);
  resuming_ = wanted && parameters_.resume;
  gone_ = gone;
  if (resuming_) { say(Kind::Status, "goes on when hand and arm are ready again"); }
}

void PsmTeleop::stop_following()
{
  stopped_ = stopped_ || following_;
  if (!following_) { return; }
  following_ = false;
  tell(Kind::Following, false);
}

}  // namespace ambf_teleop
