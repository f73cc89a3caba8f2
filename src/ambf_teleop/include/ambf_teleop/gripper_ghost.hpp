// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace ambf_teleop
{

/// How the angle of a master's gripper becomes the angle between a tool's fingers [rad]. Both are
/// straight lines through 0: an angle of the gripper below `gripper_zero` squeezes.
struct JawParameters
{
  double gripper_zero = 0.0;                 ///< where the jaw is at 0
  double gripper_max = 1.0471975512;         ///< where the jaw is at `jaw_max`, 60 degrees
  double jaw_min = 0.0;                      ///< never below it
  double jaw_max = 1.0471975512;             ///< [rad]
  double rate = 12.566370614;                ///< of the gripper's angle, once they agree [rad/s]
  double rate_after_clutch = 0.62831853072;  ///< until they agree [rad/s]
  double agree = 0.034906585;                ///< within 2 degrees they do
};

double jaw_of(const JawParameters & parameters, double gripper) noexcept;
double gripper_of(const JawParameters & parameters, double jaw) noexcept;

/// A gripper that begins where the jaw is and comes to the hand's at a limited rate, so that a jaw
/// never jumps when a hand engages (sawIntuitiveResearchKit calls it the ghost).
struct GripperGhost
{
  double angle = 0.0;   ///< of the gripper that the jaw follows [rad]
  bool agreed = false;  ///< since it began
};

/// The ghost of a jaw that stands at `jaw`.
GripperGhost start_ghost(const JawParameters & parameters, double jaw) noexcept;

/// One tick: the ghost goes towards the hand's gripper; returns what the jaw is to be asked.
double follow_gripper(
  const JawParameters & parameters, GripperGhost & ghost, double gripper, double dt) noexcept;

}  // namespace ambf_teleop
