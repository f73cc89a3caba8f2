// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/node_interfaces/node_topics_interface.hpp"

namespace rclcpp::node_interfaces {

class NodeTopics : public NodeTopicsInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeTopics)

  NodeTopics(NodeBaseInterface * node_base, NodeTimersInterface * node_timers)
  : node_base_(node_base), node_timers_(node_timers) {}

  PublisherBase::SharedPtr create_publisher(
    const std::string & topic_name, const PublisherFactory & factory, const QoS & qos) override {
    return factory.create_typed_publisher(node_base_, topic_name, qos);
  }
  void add_publisher(PublisherBase::SharedPtr publisher, CallbackGroup::SharedPtr callback_group) override;
  SubscriptionBase::SharedPtr create_subscription(
    const std::string & topic_name, const SubscriptionFactory & factory, const QoS & qos) override {
    return factory.create_typed_subscription(node_base_, topic_name, qos);
  }
  void add_subscription(SubscriptionBase::SharedPtr subscription, CallbackGroup::SharedPtr callback_group) override;
  NodeBaseInterface * get_node_base_interface() const override { return node_base_; }
  NodeTimersInterface * get_node_timers_interface() const override { return node_timers_; }
  std::string resolve_topic_name(const std::string & name, bool only_expand = false) const override {
    return node_base_->resolve_topic_or_service_name(name, false, only_expand);
  }

private:
  NodeBaseInterface * node_base_;
  NodeTimersInterface * node_timers_;
};

}  // namespace rclcpp::node_interfaces
