// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"

namespace rclcpp::node_interfaces {

/// Holds the time source of a node; it has nothing to ask it for.
class NodeTimeSourceInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeTimeSourceInterface)

  virtual ~NodeTimeSourceInterface() = default;
};

}  // namespace rclcpp::node_interfaces

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeTimeSourceInterface, time_source)
