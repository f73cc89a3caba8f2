// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "rcl/node.h"
#include "rclcpp/callback_group.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"

namespace rclcpp::node_interfaces {

/// Name, context, rcl handle and callback groups of a node.
class NodeBaseInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeBaseInterface)

  virtual ~NodeBaseInterface() = default;

  virtual const char * get_name() const = 0;
  virtual const char * get_namespace() const = 0;
  virtual const char * get_fully_qualified_name() const = 0;
  virtual Context::SharedPtr get_context() = 0;
  virtual rcl_node_t * get_rcl_node_handle() = 0;
  virtual const rcl_node_t * get_rcl_node_handle() const = 0;
  virtual std::shared_ptr<rcl_node_t> get_shared_rcl_node_handle() = 0;
  virtual std::shared_ptr<const rcl_node_t> get_shared_rcl_node_handle() const = 0;

  virtual CallbackGroup::SharedPtr create_callback_group(
    CallbackGroupType group_type, bool automatically_add_to_executor_with_node = true) = 0;
  virtual CallbackGroup::SharedPtr get_default_callback_group() = 0;
  virtual bool callback_group_in_node(CallbackGroup::SharedPtr group) = 0;

  using CallbackGroupFunction = std::function<void(CallbackGroup::SharedPtr)>;
  virtual void for_each_callback_group(const CallbackGroupFunction & func) = 0;

  virtual std::atomic_bool & get_associated_with_executor_atomic() = 0;

  /// Triggered when entities of the node change. Throws when the node has been shut down.
  virtual GuardCondition & get_notify_guard_condition() = 0;
  virtual GuardCondition::SharedPtr get_shared_notify_guard_condition() = 0;
  virtual void trigger_notify_guard_condition() = 0;

  virtual bool get_use_intra_process_default() const = 0;
  virtual bool get_enable_topic_statistics_default() const = 0;

  virtual std::string resolve_topic_or_service_name(
    const std::string & name, bool is_service, bool only_expand = false) const = 0;
};

}  // namespace rclcpp::node_interfaces

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeBaseInterface, base)
