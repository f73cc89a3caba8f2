#include <memory>
#include <stdexcept>
#include <string>

#include <rclcpp_components/register_node_macro.hpp>

#include "ambf_device_nodes/device_node.hpp"
#include "ambf_device_nodes/stick_parameters.hpp"
#include "gamepad_driver.hpp"
#include "keyboard_driver.hpp"

namespace ambf_device_nodes
{
namespace
{

std::unique_ptr<ambf_devices::Driver> make_gamepad(rclcpp::Node & node, double rate)
{
  Declared declared(node);
  GamepadChoice choice;
  choice.index = declared.whole("index", 0, 0, 31, "which of the gamepads that fit the name");
  choice.name = declared.word("name", "", "part of the gamepad's name; empty: any");
  ambf_devices::RateHandParameters hand;
  hand.buttons.position_clutch = 0;  // A
  hand.buttons.camera_clutch = 1;    // B
  hand.buttons.home = 4;             // back
  hand.buttons.next_mode = 6;        // start
  hand.buttons.actions = {2, 3, 9, 10, 11, 12, 13, 14};
  hand.gripper_axis = 5;             // right trigger
  hand = declare_stick_parameters(node, hand, {"x=+1 y=+0 z=-3 rz=-2", "rx=-0 ry=+1 z=-3 rz=-2"});
  return std::make_unique<GamepadDriver>(choice, hand, rate);
}

std::unique_ptr<ambf_devices::Driver> make_keyboard(
  rclcpp::Node & node, const std::string & device, double rate)
{
  Declared declared(node);
  const double per_pixel =
    declared.real("metres_per_pixel", 0.0003, 1e-6, 0.1, "how far the mouse moves the hand [m]");
  ambf_devices::RateHandParameters hand;
  hand.buttons.position_clutch = 0;  // space
  hand.buttons.camera_clutch = 1;    // C
  hand.buttons.close_gripper = 2;    // G
  hand.buttons.open_gripper = 3;     // H
  hand.buttons.home = 4;
  hand.buttons.actions = {5, 6, 7, 8, 9, 10, 11, 12};
  hand.curve = 1.0;
  hand = declare_stick_parameters(node, hand, {"x=+0 y=+1 z=+2 rx=+3 ry=+4 rz=+5"});
  return std::make_unique<KeyboardDriver>(
    device + ": W A S D R F move, I J K L U O turn, G H gripper, space clutch, C camera", per_pixel, hand, rate);
}

}  // namespace

/// Gamepad, or keyboard and mouse, through SDL2.
class SdlDevice : public DeviceNode
{
public:
  explicit SdlDevice(const rclcpp::NodeOptions & options)
  : DeviceNode("sdl_device", options, {.device = "gamepad", .rate = 200.0})
  {
    const auto input = Declared(*this).word("input", "gamepad", "gamepad or keyboard");
    const double rate = parameters().loop.rate;
    if (input == "gamepad") {
      start(make_gamepad(*this, rate));
    } else if (input == "keyboard") {
      start(make_keyboard(*this, parameters().device, rate));
    } else {
      throw std::invalid_argument("parameter 'input': found '" + input + "', expected gamepad or keyboard");
    }
  }
};

}  // namespace ambf_device_nodes

RCLCPP_COMPONENTS_REGISTER_NODE(ambf_device_nodes::SdlDevice)
