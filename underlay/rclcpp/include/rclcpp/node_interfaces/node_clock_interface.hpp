// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/clock.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"

namespace rclcpp::node_interfaces {

class NodeClockInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeClockInterface)

  virtual ~NodeClockInterface() = default;
  virtual Clock::SharedPtr get_clock() = 0;
  virtual Clock::ConstSharedPtr get_clock() const = 0;
};

}  // namespace rclcpp::node_interfaces

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeClockInterface, clock)
