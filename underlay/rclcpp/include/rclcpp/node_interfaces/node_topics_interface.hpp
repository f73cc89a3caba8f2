// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/node_interfaces/node_timers_interface.hpp"
#include "rclcpp/publisher_factory.hpp"
#include "rclcpp/subscription_factory.hpp"

namespace rclcpp::node_interfaces {

/// Makes publishers and subscriptions and puts them into callback groups of the node.
class NodeTopicsInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeTopicsInterface)

  virtual ~NodeTopicsInterface() = default;

  virtual PublisherBase::SharedPtr create_publisher(
    const std::string & topic_name, const PublisherFactory & publisher_factory, const QoS & qos) = 0;
  virtual void add_publisher(PublisherBase::SharedPtr publisher, CallbackGroup::SharedPtr callback_group) = 0;
  virtual SubscriptionBase::SharedPtr create_subscription(
    const std::string & topic_name, const SubscriptionFactory & subscription_factory, const QoS & qos) = 0;
  virtual void add_subscription(SubscriptionBase::SharedPtr subscription, CallbackGroup::SharedPtr callback_group) = 0;

  virtual NodeBaseInterface * get_node_base_interface() const = 0;
  virtual NodeTimersInterface * get_node_timers_interface() const = 0;
  virtual std::string resolve_topic_name(const std::string & name, bool only_expand = false) const = 0;
};

}  // namespace rclcpp::node_interfaces

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeTopicsInterface, topics)
