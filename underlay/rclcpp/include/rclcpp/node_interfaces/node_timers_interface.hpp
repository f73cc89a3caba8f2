// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/callback_group.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"

namespace rclcpp::node_interfaces {

class NodeTimersInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeTimersInterface)

  virtual ~NodeTimersInterface() = default;
  /// A null group means the default group of the node.
  virtual void add_timer(TimerBase::SharedPtr timer, CallbackGroup::SharedPtr callback_group) = 0;
};

}  // namespace rclcpp::node_interfaces

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeTimersInterface, timers)
