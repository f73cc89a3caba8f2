// SPDX-License-Identifier: BSD-3-Clause
#include "crtk_reading.hpp"

#include <algorithm>

namespace ambf_device_nodes
{

ArmState arm_state_from(const std::string & name) noexcept
{
  return name == "ENABLED"    ? ArmState::Enabled
         : name == "DISABLED" ? ArmState::Disabled
         : name == "PAUSED"   ? ArmState::Paused
         : name == "FAULT"    ? ArmState::Fault
                              : ArmState::Unknown;
}

void note_state(CrtkReading & reading, ArmState state, bool homed, bool busy) noexcept
{
  const bool disabled_it = reading.state == ArmState::Enabled && state != ArmState::Enabled;
  const bool unhomed_it = reading.homed && !homed;
  reading.stopped = reading.stopped || disabled_it || unhomed_it || state == ArmState::Fault;
  reading.state = state;
  reading.homed = homed;
  reading.busy = busy;
}

bool takes_force(const CrtkReading & reading, const CrtkRules & rules) noexcept
{
  return reading.state == ArmState::Enabled && reading.homed && !reading.busy &&
         (reading.operator_present || !rules.needs_operator);
}

ambf_devices::DriverState driver_state(
  const CrtkReading & reading, const CrtkRules & rules) noexcept
{
  ambf_devices::DriverState state;
  state.T_base_tip = reading.T_base_tip;
  state.twist = reading.twist;
  if (!rules.orientation) {
    state.T_base_tip.orientation.setIdentity();
    state.twist.angular.setZero();
  }
  if (rules.gripper) {
    const double share =
      (reading.gripper_angle - rules.gripper_closed) / (rules.gripper_open - rules.gripper_closed);
    state.gripper = std::clamp(share, 0.0, 1.0);  // NaN stays NaN and is refused with the reading
  }
  state.position_clutch = reading.clutch || !takes_force(reading, rules);
  state.camera_clutch = reading.camera;
  state.actions = reading.actions;
  return state;
}

HomingStep next_homing_step(
  const CrtkReading & reading, const CrtkRules & rules, double time, bool may_home,
  const std::string & arm, std::string & words)
{
  if (reading.state == ArmState::Unknown) {
    words = "nothing heard on " + arm +
            "/operating_state; is the console running, on this domain, and is "
            "the parameter 'arm' its name?";
    return HomingStep::Wait;
  }
  if (reading.state == ArmState::Fault) {
    words = arm + " is in FAULT; look at its console, then send enable and home to " + arm +
            "/state_command";
    return HomingStep::Wait;
  }
  if (reading.state == ArmState::Paused) {
    words = arm + " is PAUSED; whoever paused it sends resume to " + arm + "/state_command";
    return HomingStep::Wait;
  }
  if (reading.busy) {
    words = arm + " is on its way home";
    return HomingStep::Wait;
  }
  if (!reading.homed || reading.state == ArmState::Disabled) {
    if (!may_home) {
      words =
        arm +
        " is not enabled and homed, and 'auto_home' does not allow to ask for it; send enable and "
        "home to " +
        arm + "/state_command";
      return HomingStep::Wait;
    }
    words = arm + " was asked to enable and home";
    return reading.state == ArmState::Disabled ? HomingStep::Enable : HomingStep::Home;
  }
  if (reading.pose_time < 0.0 || time - reading.pose_time > rules.lost_after) {
    words = arm + "/measured_cp brings no valid pose (its stamp is zero, or nothing comes)";
    return HomingStep::Wait;
  }
  return HomingStep::Ready;
}

}  // namespace ambf_device_nodes
