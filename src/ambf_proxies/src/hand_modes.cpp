// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_proxies/hand_modes.hpp"

#include <algorithm>

namespace ambf_proxies
{
namespace
{

std::uint32_t bit(int button) noexcept { return button >= 0 && button < 32 ? 1u << button : 0u; }

/// By how much one press changes what a mode changes: AMBF's steps.
constexpr double opening_step = 0.1;
constexpr double proxy_linear_stiffness_step = 10.0;  // [N/m]
constexpr double proxy_step = 1.0;                    // the other gains of the hold
constexpr double haptic_linear_step = 5.0;            // [N/m]
constexpr double haptic_angular_step = 1.0;           // [N m/rad]

void change(HandChanges & c, double sign) noexcept
{
  switch (c.mode) {
    case HandMode::Clutch:
      break;
    case HandMode::Gripper:
      c.opening = std::clamp(c.opening + sign * opening_step, -1.0, 1.0);
      break;
    case HandMode::ProxyLinearStiffness:
      c.proxy_linear_stiffness += sign * proxy_linear_stiffness_step;
      break;
    case HandMode::ProxyAngularStiffness:
      c.proxy_angular_stiffness += sign * proxy_step;
      break;
    case HandMode::ProxyLinearDamping:
      c.proxy_linear_damping += sign * proxy_step;
      break;
    case HandMode::ProxyAngularDamping:
      c.proxy_angular_damping += sign * proxy_step;
      break;
    case HandMode::HapticLinearStiffness:
      c.haptic_linear += sign * haptic_linear_step;
      break;
    case HandMode::HapticAngularStiffness:
      c.haptic_angular += sign * haptic_angular_step;
      break;
  }
}

void add(Eigen::Vector3d & gain, double change) noexcept
{
  for (double & one : gain) {
    if (one > 0.0) { one = std::max(0.0, one + change); }
  }
}

}  // namespace

const char * to_string(HandMode mode) noexcept
{
  switch (mode) {
    case HandMode::Clutch:
      return "position clutch and camera clutch";
    case HandMode::Gripper:
      return "close and open the gripper";
    case HandMode::ProxyLinearStiffness:
      return "linear stiffness of the hold on the proxy";
    case HandMode::ProxyAngularStiffness:
      return "angular stiffness of the hold on the proxy";
    case HandMode::ProxyLinearDamping:
      return "linear damping of the hold on the proxy";
    case HandMode::ProxyAngularDamping:
      return "angular damping of the hold on the proxy";
    case HandMode::HapticLinearStiffness:
      return "linear stiffness that the hand feels";
    case HandMode::HapticAngularStiffness:
      return "angular stiffness that the hand feels";
  }
  return "unknown";
}

HandChanges after_press(
  HandChanges changes, const Buttons & buttons, std::uint32_t pressed) noexcept
{
  const auto is_down = [pressed](int button) { return (pressed & bit(button)) != 0; };
  const int way = (is_down(buttons.next_mode) ? 1 : 0) - (is_down(buttons.prev_mode) ? 1 : 0);
  if (way != 0) {
    const int mode = (static_cast<int>(changes.mode) + way + hand_modes) % hand_modes;
    changes.mode = static_cast<HandMode>(mode);
    return changes;
  }
  if (is_down(buttons.position_clutch)) { change(changes, -1.0); }
  if (is_down(buttons.camera_clutch)) { change(changes, 1.0); }
  return changes;
}

ambf_teleop::ProxyGains with_changes(
  ambf_teleop::ProxyGains gains, const HandChanges & changes) noexcept
{
  add(gains.linear_stiffness, changes.proxy_linear_stiffness);
  add(gains.angular_stiffness, changes.proxy_angular_stiffness);
  add(gains.linear_damping, changes.proxy_linear_damping);
  add(gains.angular_damping, changes.proxy_angular_damping);
  return gains;
}

bool raises(const HandChanges & now, const HandChanges & before) noexcept
{
  return now.proxy_linear_stiffness > before.proxy_linear_stiffness ||
         now.proxy_angular_stiffness > before.proxy_angular_stiffness ||
         now.proxy_linear_damping > before.proxy_linear_damping ||
         now.proxy_angular_damping > before.proxy_angular_damping;
}

std::uint32_t clutch_actions(const Buttons & buttons, HandMode mode) noexcept
{
  return mode == HandMode::Clutch ? bit(buttons.position_clutch) | bit(buttons.camera_clutch) : 0u;
}

}  // namespace ambf_proxies
