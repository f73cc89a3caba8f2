// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"

namespace rclcpp::node_interfaces {

/// Puts clients and services into callback groups of the node.
class NodeServicesInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeServicesInterface)

  virtual ~NodeServicesInterface() = default;

  virtual void add_client(ClientBase::SharedPtr client_base_ptr, CallbackGroup::SharedPtr group) = 0;
  virtual void add_service(ServiceBase::SharedPtr service_base_ptr, CallbackGroup::SharedPtr group) = 0;
  virtual std::string resolve_service_name(const std::string & name, bool only_expand = false) const = 0;
};

}  // namespace rclcpp::node_interfaces

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeServicesInterface, services)
