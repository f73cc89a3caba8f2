// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "ambf_devices/driver.hpp"

namespace ambf_device_nodes
{

enum class ArmState : std::uint8_t
{
  Unknown,  ///< nothing heard yet
  Disabled,
  Enabled,
  Paused,
  Fault,
};

ArmState arm_state_from(const std::string & name) noexcept;

/// What the topics of a CRTK arm and its console said last. Times: arrival, steady clock [s];
/// negative: never.
struct CrtkReading
{
  ArmState state = ArmState::Unknown;
  bool homed = false;
  bool busy = false;
  bool stopped = false;  ///< it was up, and somebody or something took it down; stays so
  ambf_teleop::Pose T_base_tip;
  ambf_teleop::Twist twist;
  double gripper_angle = 0.0;                          ///< [rad]
  double heard = -1.0;                                 ///< any measured_cp
  double pose_time = -1.0;                             ///< a valid one: its stamp is not zero
  std::uint64_t poses = 0;                             ///< valid ones so far
  std::array<double, 7> joints{}, joint_velocities{};  ///< of a master [rad, rad/s]
  double joints_time = -1.0;
  bool clutch = false;
  bool camera = false;
  bool operator_present = false;
  std::uint32_t actions = 0;
};

struct CrtkRules
{
  bool orientation = true;  ///< false: a Falcon
  bool gripper = true;
  bool needs_operator = false;  ///< no motion and no force without operator_present
  double gripper_closed = 0.0;  ///< [rad]
  double gripper_open = 1.05;   ///< [rad]
  double lost_after = 1.0;      ///< silence of measured_cp [s]
};

/// An event of operating_state.
void note_state(CrtkReading & reading, ArmState state, bool homed, bool busy) noexcept;

/// Only an arm that is enabled and homed is given force.
bool takes_force(const CrtkReading & reading, const CrtkRules & rules) noexcept;

/// The driver's view. While the arm does not take force the hand counts as clutched: no force is
/// computed, and what comes afterwards starts without a jump.
ambf_devices::DriverState driver_state(
  const CrtkReading & reading, const CrtkRules & rules) noexcept;

enum class HomingStep : std::uint8_t
{
  Wait,    ///< not there yet, nothing to ask for
  Enable,  ///< ask for it
  Home,
  Ready,
};

/// What to do next on the way to an arm that can be used; `words` say what is missing.
HomingStep next_homing_step(
  const CrtkReading & reading, const CrtkRules & rules, double time, bool may_home,
  const std::string & arm, std::string & words);

}  // namespace ambf_device_nodes
