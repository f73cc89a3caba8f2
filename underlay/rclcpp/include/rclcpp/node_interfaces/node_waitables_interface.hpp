// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/callback_group.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"

namespace rclcpp::node_interfaces {

class NodeWaitablesInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeWaitablesInterface)

  virtual ~NodeWaitablesInterface() = default;

  virtual void add_waitable(Waitable::SharedPtr waitable_ptr, CallbackGroup::SharedPtr group) = 0;
  virtual void remove_waitable(Waitable::SharedPtr waitable_ptr, CallbackGroup::SharedPtr group) noexcept = 0;
};

}  // namespace rclcpp::node_interfaces

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeWaitablesInterface, waitables)
