// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <stdexcept>
#include <string>

#include "ambf_device_nodes/device_node.hpp"
#include "ambf_device_nodes/stick_parameters.hpp"
#include "ambf_node_support/component.hpp"
#include "any_stick_driver.hpp"

namespace ambf_device_nodes
{
namespace
{

using ambf_devices::RateHandParameters;

GamepadChoice declare_choice(rclcpp::Node & node)
{
  Declared declared(node);
  GamepadChoice choice;
  choice.index = declared.whole("index", 0, 0, 31, "which of the gamepads that fit the name");
  choice.name = declared.word("name", "", "part of the gamepad's name; empty: any");
  return choice;
}

RateHandParameters declare_pad_hand(rclcpp::Node & node)
{
  RateHandParameters hand;
  hand.buttons.position_clutch = 0;  // A
  hand.buttons.camera_clutch = 1;    // B
  hand.buttons.home = 4;             // back
  hand.buttons.next_mode = 6;        // start
  hand.buttons.actions = {2, 3, 9, 10, 11, 12, 13, 14};
  hand.gripper_axis = 5;  // right trigger
  return declare_stick_parameters(node, hand, {"x=+1 y=+0 z=-3 rz=-2", "rx=-0 ry=+1 z=-3 rz=-2"});
}

constexpr const char * key_mode = "x=+0 y=+1 z=+2 rx=+3 ry=+4 rz=+5";

RateHandParameters key_defaults()
{
  RateHandParameters hand;
  hand.buttons.position_clutch = 0;  // space
  hand.buttons.camera_clutch = 1;    // C
  hand.buttons.close_gripper = 2;    // G
  hand.buttons.open_gripper = 3;     // H
  hand.buttons.home = 4;
  hand.buttons.actions = {5, 6, 7, 8, 9, 10, 11, 12};
  hand.curve = 1.0;
  return hand;
}

double declare_metres_per_pixel(rclcpp::Node & node)
{
  return Declared(node).real(
    "metres_per_pixel", 0.0003, 1e-6, 0.1, "how far the mouse moves the hand [m]");
}

std::string key_title(const std::string & device)
{
  return device + ": W A S D R F move, I J K L U O turn, G H gripper, space clutch, C camera";
}

/// The stick's parameters are the pad's; keys have their own mapping, and the pad's speeds and box.
std::unique_ptr<ambf_devices::Driver> make_either(
  rclcpp::Node & node, const std::string & device, double rate)
{
  const RateHandParameters pad = declare_pad_hand(node);
  RateHandParameters keys = key_defaults();
  keys.modes = {*ambf_devices::parse_stick_mode(key_mode)};
  keys.linear_speed = pad.linear_speed;
  keys.angular_speed = pad.angular_speed;
  keys.gripper_speed = pad.gripper_speed;
  keys.reach = pad.reach;
  return std::make_unique<AnyStickDriver>(
    declare_choice(node), pad, key_title(device), declare_metres_per_pixel(node), keys, rate);
}

std::unique_ptr<ambf_devices::Driver> make_driver(
  rclcpp::Node & node, const std::string & input, const std::string & device, double rate)
{
  if (input == "auto") { return make_either(node, device, rate); }
  if (input == "gamepad") {
    return std::make_unique<GamepadDriver>(declare_choice(node), declare_pad_hand(node), rate);
  }
  if (input == "keyboard") {
    return std::make_unique<KeyboardDriver>(
      key_title(device), declare_metres_per_pixel(node),
      declare_stick_parameters(node, key_defaults(), {key_mode}), rate);
  }
  throw std::invalid_argument(
    "parameter 'input': found '" + input + "', expected auto, gamepad or keyboard");
}

}  // namespace

/// Gamepad, or keyboard and mouse, through SDL2.
class SdlDevice : public DeviceNode
{
public:
  explicit SdlDevice(const rclcpp::NodeOptions & options)
  : DeviceNode("sdl_device", options, {.device = "gamepad", .rate = 200.0})
  {
    const auto input = Declared(*this).word(
      "input", "auto",
      "gamepad, keyboard, or auto: a gamepad where there is one, else the keyboard");
    start(make_driver(*this, input, parameters().device, parameters().loop.rate));
  }
};

}  // namespace ambf_device_nodes

AMBF_NODE_COMPONENT(ambf_device_nodes, SdlDevice)
