// SPDX-License-Identifier: BSD-3-Clause
#include <memory>

#include "ambf_device_nodes/device_node.hpp"
#include "ambf_device_nodes/stick_parameters.hpp"
#include "ambf_node_support/component.hpp"
#include "spacenav_driver.hpp"

namespace ambf_device_nodes
{

/// A space mouse (3Dconnexion) through spacenavd.
class SpaceNavDevice : public DeviceNode
{
public:
  explicit SpaceNavDevice(const rclcpp::NodeOptions & options)
  : DeviceNode("spacenav_device", options, {.device = "spacenav", .rate = 100.0})
  {
    const double full = Declared(*this).real(
      "full_deflection", 350.0, 1.0, 1e5, "what the daemon reports at full deflection");
    ambf_devices::RateHandParameters hand;
    hand.buttons.position_clutch = 0;
    hand.buttons.camera_clutch = 1;
    hand.dead_band = 0.05;
    hand = declare_stick_parameters(*this, hand, {"x=-2 y=+0 z=+1 rx=-5 ry=+3 rz=+4"});
    start(std::make_unique<SpaceNavDriver>(full, hand, parameters().loop.rate));
  }
};

}  // namespace ambf_device_nodes

AMBF_NODE_COMPONENT(ambf_device_nodes, SpaceNavDevice)
