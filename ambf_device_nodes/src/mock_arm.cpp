// SPDX-License-Identifier: BSD-3-Clause
#include "mock_arm.hpp"

#include <algorithm>
#include <cmath>

namespace ambf_device_nodes
{

const char * to_crtk(ArmState state) noexcept
{
  switch (state) {
    case ArmState::Enabled:
      return "ENABLED";
    case ArmState::Paused:
      return "PAUSED";
    case ArmState::Fault:
      return "FAULT";
    case ArmState::Disabled:
    case ArmState::Unknown:
      break;
  }
  return "DISABLED";
}

bool MockArm::command(const std::string & word, double time, std::string & why)
{
  if (word == "enable") {
    // Also from FAULT: the way to try again.
    state_ = ArmState::Enabled;
  } else if (word == "disable") {
    state_ = ArmState::Disabled;
    stop();
  } else if (word == "pause" || word == "resume") {
    const ArmState from = word == "pause" ? ArmState::Enabled : ArmState::Paused;
    if (state_ != from) {
      why = word + " needs the state " + to_crtk(from) + ", the arm is " + to_crtk(state_);
      return false;
    }
    state_ = word == "pause" ? ArmState::Paused : ArmState::Enabled;
    if (word == "pause") { stop(); }
  } else if (word == "home") {
    if (state_ == ArmState::Fault) {
      why = "home needs an arm that is enabled, this one is in FAULT";
      return false;
    }
    state_ = ArmState::Enabled;  // the dVRK powers an arm that it homes
    homing_ = !homed_;
    homed_at_ = time + parameters_.homing_time;
  } else if (word == "unhome") {
    homed_ = false;
    stop();
  } else {
    why = "'" + word + "' is none of enable, disable, pause, resume, home, unhome";
    return false;
  }
  return true;
}

bool MockArm::servo(const ambf_teleop::Wrench & wrench, double time)
{
  if (!is_ready() || !is_finite(wrench)) { return false; }
  let_go();
  applied_ = wrench;
  servo_time_ = time;
  return true;
}

bool MockArm::servo_joints(const std::array<double, 7> & efforts, double time)
{
  const bool finite =
    std::all_of(efforts.begin(), efforts.end(), [](double one) { return std::isfinite(one); });
  if (!is_ready() || !finite) { return false; }
  let_go();
  efforts_ = efforts;
  servo_time_ = time;
  return true;
}

bool MockArm::update(double time)
{
  if (time - servo_time_ > parameters_.servo_timeout) { let_go(); }
  if (homing_ && time >= homed_at_) {
    homing_ = false;
    homed_ = true;
    return true;
  }
  return false;
}

void MockArm::stop()
{
  let_go();
  homing_ = false;
}

}  // namespace ambf_device_nodes
