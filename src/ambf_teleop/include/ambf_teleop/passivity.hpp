// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ambf_teleop/frames.hpp"

namespace ambf_teleop
{

/// Time-domain passivity of the force a device is given: observer and damping controller after
/// Hannaford and Ryu, "Time-domain passivity control of haptic interfaces", IEEE Trans. Robotics
/// and Automation 18(1), 2002. What the hand put into the virtual world must cover what is stored
/// there; a sampled spring gives back more than it took, and this takes the difference out.
struct PassivityParameters
{
  bool enabled = true;
  double max_damping = 5.0;  ///< [N s/m]; a sampled damper above about mass / period is unstable
  /// Absorbed energy beyond what is stored that counts later [J]. Work against friction of the
  /// virtual world is spent; with a large credit it would hide an instability that comes after it.
  double max_credit = 0.0;
  Eigen::Vector3d axes = Eigen::Vector3d::Ones();  ///< 0: nothing is felt along it, damping neither
};

/// What is known of the virtual world at this tick, in the hand's units.
struct VirtualEnergy
{
  double stored = 0.0;    ///< in its springs [J]: that much it may give back
  double supplied = 0.0;  ///< by the world since the last tick [J]: another person, a motor
};

struct PassivityState
{
  double energy = 0.0;      ///< absorbed from the hand and supplied by the world, not yet spent [J]
  double dissipated = 0.0;  ///< taken out by the controller so far [J]
  Eigen::Vector3d force = Eigen::Vector3d::Zero();     ///< held since the last tick
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< at the last tick
  bool valid = false;
};

/// The observer: adds what the held force cost between the last tick and this one. A device holds
/// its force over a period, so that force times displacement is exact; no velocity is estimated.
double observe_energy(PassivityState & state, const Eigen::Vector3d & position) noexcept;

/// One tick: observes, and adds the damping that takes a deficit out within this period, as far as
/// max_damping goes. `position` and `force` in one frame, the device's base. An input that is not
/// finite gives no force and starts the count anew.
Eigen::Vector3d passive_force(
  const PassivityParameters & parameters, PassivityState & state, const Eigen::Vector3d & position,
  const Eigen::Vector3d & force, const VirtualEnergy & world, double dt) noexcept;

/// The force that was really sent, when limits changed it after passive_force.
void note_sent_force(PassivityState & state, const Eigen::Vector3d & sent) noexcept;

}  // namespace ambf_teleop
