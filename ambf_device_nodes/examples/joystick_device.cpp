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
    static VendorStick
      stick;  // outlives the loop, which ends with the node; a member here would not
    start(std::make_unique<JoystickDriver>(stick));
  }
};
RCLCPP_COMPONENTS_REGISTER_NODE(JoystickDevice)
