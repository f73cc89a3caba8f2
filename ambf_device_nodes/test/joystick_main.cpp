// SPDX-License-Identifier: BSD-3-Clause
// The example of docs/devices.md as a program.
#include "../examples/joystick_device.cpp"
#include "ambf_node_support/run_alone.hpp"

int main(int argc, char ** argv)
{
  return ambf_node_support::run_alone(argc, argv, [](const rclcpp::NodeOptions & options) {
    return std::make_shared<JoystickDevice>(options);
  });
}
