// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"

namespace rclcpp::node_interfaces {

class NodeTypeDescriptionsInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeTypeDescriptionsInterface)

  virtual ~NodeTypeDescriptionsInterface() = default;
};

}  // namespace rclcpp::node_interfaces

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeTypeDescriptionsInterface, type_descriptions)
