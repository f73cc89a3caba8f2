// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_waitables_interface.hpp"

namespace rclcpp::node_interfaces {

class NodeWaitables : public NodeWaitablesInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeWaitables)

  explicit NodeWaitables(NodeBaseInterface * node_base) : node_base_(node_base) {}

  void add_waitable(Waitable::SharedPtr waitable, CallbackGroup::SharedPtr group) override;
  void remove_waitable(Waitable::SharedPtr waitable, CallbackGroup::SharedPtr group) noexcept override;

private:
  NodeBaseInterface * node_base_;
};

}  // namespace rclcpp::node_interfaces
