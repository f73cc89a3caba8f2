// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "ambf_teleop/proxy_law.hpp"

namespace ambf_proxies
{

/// Which bits of DeviceSample::actions stand for what, beside the sample's own flags; -1: none.
struct Buttons
{
  int position_clutch = -1;  ///< a1 of an input-device file
  int camera_clutch = -1;    ///< a2
  int close_gripper = -1;    ///< g1: pressed is closed, not pressed is open
  int next_mode = -1;
  int prev_mode = -1;
};

/// What the two action buttons a1 and a2 of a hand do; AMBF's modes in AMBF's order. Numbers as in
/// ambf_msgs/ProxyState.
enum class HandMode : std::uint8_t
{
  Clutch,   ///< position clutch and camera clutch, while held
  Gripper,  ///< here and below a1 is less, a2 is more, once per press
  ProxyLinearStiffness,
  ProxyAngularStiffness,
  ProxyLinearDamping,
  ProxyAngularDamping,
  HapticLinearStiffness,
  HapticAngularStiffness,
};

constexpr int hand_modes = 8;

const char * to_string(HandMode mode) noexcept;

/// What a person has set with these buttons, beside what files and parameters say.
struct HandChanges
{
  HandMode mode = HandMode::Clutch;
  double opening = 0.0;                  ///< of the gripper, added to the device's
  double proxy_linear_stiffness = 0.0;   ///< [N/m]
  double proxy_angular_stiffness = 0.0;  ///< [N m/rad]
  double proxy_linear_damping = 0.0;     ///< [N s/m]
  double proxy_angular_damping = 0.0;    ///< [N m s/rad]
  double haptic_linear = 0.0;            ///< [N per proxy metre]
  double haptic_angular = 0.0;           ///< [N m/rad]
};

/// After the buttons whose bits are in `pressed` have gone down.
HandChanges after_press(
  HandChanges changes, const Buttons & buttons, std::uint32_t pressed) noexcept;

/// Gains with the changes in them, none below 0. An axis without a gain stays without: it is left to
/// others.
ambf_teleop::ProxyGains with_changes(
  ambf_teleop::ProxyGains gains, const HandChanges & changes) noexcept;

/// A gain of the hold on the proxy is larger than before.
bool raises(const HandChanges & now, const HandChanges & before) noexcept;

/// Bits of the actions that are clutches in this mode.
std::uint32_t clutch_actions(const Buttons & buttons, HandMode mode) noexcept;

}  // namespace ambf_proxies
