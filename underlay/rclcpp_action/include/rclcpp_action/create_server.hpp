// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp_action/server.hpp"

namespace rclcpp_action {

/// Make an action server on the interfaces of a node.
/**
 * \param handle_goal decides whether a goal is accepted.
 * \param handle_cancel decides whether a goal may be canceled.
 * \param handle_accepted gets the goal handle; it must not block.
 * \param group the callback group, or nullptr for the default one of the node.
 */
template <typename ActionT> typename Server<ActionT>::SharedPtr create_server(
  rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base_interface,
  rclcpp::node_interfaces::NodeClockInterface::SharedPtr node_clock_interface,
  rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging_interface,
  rclcpp::node_interfaces::NodeWaitablesInterface::SharedPtr node_waitables_interface, const std::string & name,
  typename Server<ActionT>::GoalCallback handle_goal, typename Server<ActionT>::CancelCallback handle_cancel,
  typename Server<ActionT>::AcceptedCallback handle_accepted,
  const rcl_action_server_options_t & options = rcl_action_server_get_default_options(),
  rclcpp::CallbackGroup::SharedPtr group = nullptr) {
  return detail::add_waitable(
    new Server<ActionT>(node_base_interface, node_clock_interface, node_logging_interface, name, options,
      std::move(handle_goal), std::move(handle_cancel), std::move(handle_accepted)),
    node_waitables_interface, group);
}

/// Make an action server on a node.
template <typename ActionT, typename NodeT> typename Server<ActionT>::SharedPtr create_server(NodeT node,
  const std::string & name, typename Server<ActionT>::GoalCallback handle_goal,
  typename Server<ActionT>::CancelCallback handle_cancel, typename Server<ActionT>::AcceptedCallback handle_accepted,
  const rcl_action_server_options_t & options = rcl_action_server_get_default_options(),
  rclcpp::CallbackGroup::SharedPtr group = nullptr) {
  return create_server<ActionT>(node->get_node_base_interface(), node->get_node_clock_interface(),
    node->get_node_logging_interface(), node->get_node_waitables_interface(), name, std::move(handle_goal),
    std::move(handle_cancel), std::move(handle_accepted), options, group);
}

}  // namespace rclcpp_action
