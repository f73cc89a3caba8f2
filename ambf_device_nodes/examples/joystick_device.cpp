// SPDX-License-Identifier: BSD-3-Clause
#include <rclcpp_components/register_node_macro.hpp>

#include "ambf_device_nodes/device_node.hpp"
#include "joystick_driver.hpp"

class JoystickDevice : public ambf_device_nodes::DeviceNode
{
public:
  explicit JoystickDevice(const rclcpp::NodeOptions & options)
  : DeviceNode("joystick_device", options, {.device = "joystick", .rate = 500.0})
  {
    start(std::make_unique<JoystickDriver>(stick_));
  }
  // The driver uses the stick: the loop ends before the stick is gone.
  ~JoystickDevice() override { stop(); }

private:
  VendorStick stick_;
};
RCLCPP_COMPONENTS_REGISTER_NODE(JoystickDevice)
