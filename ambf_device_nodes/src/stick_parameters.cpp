// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_device_nodes/stick_parameters.hpp"

#include <cstdint>
#include <stdexcept>

#include "ambf_node_support/declared.hpp"

namespace ambf_device_nodes
{

ambf_devices::RateHandParameters declare_stick_parameters(
  rclcpp::Node & node, ambf_devices::RateHandParameters defaults,
  const std::vector<std::string> & modes)
{
  ambf_node_support::Declared declared(node);
  ambf_devices::RateHandParameters p = defaults;
  p.modes.clear();
  const auto texts = declared.words(
    "modes", modes,
    "one per mode: which axis moves what, like 'x=+1 y=+0 z=-3 rz=-2' (x to the person, y right, z "
    "up)");
  for (const std::string & text : texts) {
    const auto mode = ambf_devices::parse_stick_mode(text);
    if (!mode) { throw std::invalid_argument("parameter 'modes': " + mode.error()); }
    p.modes.push_back(*mode);
  }
  if (p.modes.empty()) { throw std::invalid_argument("parameter 'modes': expected at least one"); }

  const auto button = [&](const std::string & name, int fallback, const std::string & text) {
    return declared.whole(
      "button_" + name, fallback, -1, 31, "number of the button: " + text + "; -1: none");
  };
  auto & buttons = p.buttons;
  buttons.position_clutch =
    button("position_clutch", buttons.position_clutch, "position clutch, while held");
  buttons.camera_clutch =
    button("camera_clutch", buttons.camera_clutch, "camera clutch, while held");
  buttons.close_gripper = button("close_gripper", buttons.close_gripper, "closes the gripper");
  buttons.open_gripper = button("open_gripper", buttons.open_gripper, "opens the gripper");
  buttons.next_mode = button("next_mode", buttons.next_mode, "next mode");
  buttons.home = button("home", buttons.home, "hand back to its start");
  buttons.actions = declared.numbers(
    "button_actions", std::vector<std::int64_t>(buttons.actions.begin(), buttons.actions.end()), 0,
    31, "numbers of the buttons that are actions, first to last");

  p.gripper_axis = declared.whole(
    "gripper_axis", p.gripper_axis, -1, static_cast<int>(ambf_devices::most_axes) - 1,
    "trigger that closes the gripper; -1: none");
  p.trigger_rest =
    declared.real("trigger_rest", p.trigger_rest, -1.0, 1.0, "value of the trigger at rest");
  p.trigger_pulled = declared.real(
    "trigger_pulled", p.trigger_pulled, -1.0, 1.0, "value of the trigger when pulled");
  if (p.trigger_rest == p.trigger_pulled) {
    throw std::invalid_argument("parameters 'trigger_rest' and 'trigger_pulled' must differ");
  }
  p.linear_speed =
    declared.real("linear_speed", p.linear_speed, 1e-4, 4.0, "at full deflection [m/s]");
  p.angular_speed =
    declared.real("angular_speed", p.angular_speed, 1e-3, 20.0, "at full deflection [rad/s]");
  p.dead_band = declared.real(
    "stick_dead_band", p.dead_band, 0.0, 0.9, "share of the deflection that does nothing");
  p.curve =
    declared.real("curve", p.curve, 0.5, 5.0, "exponent of the deflection; 1: proportional");
  p.gripper_speed =
    declared.real("gripper_speed", p.gripper_speed, 0.01, 100.0, "by buttons [1/s]");
  p.reach = declared.real(
    "reach", p.reach, 0.001, 10.0, "the hand stays within this box around its start [m]");
  return p;
}

}  // namespace ambf_device_nodes
