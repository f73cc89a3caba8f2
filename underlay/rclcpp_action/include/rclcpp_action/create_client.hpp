// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp_action/client.hpp"

namespace rclcpp_action {

/// Make an action client on the interfaces of a node.
/**
 * \param group the callback group, or nullptr for the default one of the node.
 */
template <typename ActionT> typename Client<ActionT>::SharedPtr create_client(
  rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base_interface,
  rclcpp::node_interfaces::NodeGraphInterface::SharedPtr node_graph_interface,
  rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging_interface,
  rclcpp::node_interfaces::NodeWaitablesInterface::SharedPtr node_waitables_interface, const std::string & name,
  rclcpp::CallbackGroup::SharedPtr group = nullptr,
  const rcl_action_client_options_t & options = rcl_action_client_get_default_options()) {
  return detail::add_waitable(
    new Client<ActionT>(node_base_interface, node_graph_interface, node_logging_interface, name, options),
    node_waitables_interface, group);
}

/// Make an action client on a node.
template <typename ActionT, typename NodeT> typename Client<ActionT>::SharedPtr create_client(NodeT node,
  const std::string & name, rclcpp::CallbackGroup::SharedPtr group = nullptr,
  const rcl_action_client_options_t & options = rcl_action_client_get_default_options()) {
  return create_client<ActionT>(node->get_node_base_interface(), node->get_node_graph_interface(),
    node->get_node_logging_interface(), node->get_node_waitables_interface(), name, group, options);
}

}  // namespace rclcpp_action
