// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/detail/qos_parameters.hpp"
#include "rclcpp/node_interfaces/get_node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/get_node_topics_interface.hpp"

namespace rclcpp {

template <typename MessageT, typename CallbackT, typename AllocatorT = std::allocator<void>,
  typename SubscriptionT = Subscription<MessageT, AllocatorT>,
  typename MessageMemoryStrategyT = typename SubscriptionT::MessageMemoryStrategyType>
std::shared_ptr<SubscriptionT> create_subscription(
  const node_interfaces::NodeParametersInterface::SharedPtr & node_parameters,
  const node_interfaces::NodeTopicsInterface::SharedPtr & node_topics, const std::string & topic_name, const QoS & qos,
  CallbackT && callback,
  const SubscriptionOptionsWithAllocator<AllocatorT> & options = SubscriptionOptionsWithAllocator<AllocatorT>(),
  typename MessageMemoryStrategyT::SharedPtr msg_mem_strat = MessageMemoryStrategyT::create_default()) {
  const auto & overriding = options.qos_overriding_options;
  const QoS actual_qos = overriding.get_policy_kinds().empty()
                           ? qos
                           : detail::declare_qos_parameters(overriding, *node_parameters,
                               node_topics->resolve_topic_name(topic_name), qos, "subscription");
  auto subscription = node_topics->create_subscription(topic_name,
    create_subscription_factory<MessageT, CallbackT, AllocatorT, SubscriptionT>(
      std::forward<CallbackT>(callback), options, msg_mem_strat),
    actual_qos);
  node_topics->add_subscription(subscription, options.callback_group);
  return std::static_pointer_cast<SubscriptionT>(subscription);
}

/// Create a subscription on any node-like object.
template <typename MessageT, typename CallbackT, typename AllocatorT = std::allocator<void>,
  typename SubscriptionT = Subscription<MessageT, AllocatorT>,
  typename MessageMemoryStrategyT = typename SubscriptionT::MessageMemoryStrategyType, typename NodeT>
std::shared_ptr<SubscriptionT> create_subscription(NodeT & node, const std::string & topic_name, const QoS & qos,
  CallbackT && callback,
  const SubscriptionOptionsWithAllocator<AllocatorT> & options = SubscriptionOptionsWithAllocator<AllocatorT>(),
  typename MessageMemoryStrategyT::SharedPtr msg_mem_strat = MessageMemoryStrategyT::create_default()) {
  return create_subscription<MessageT, CallbackT, AllocatorT, SubscriptionT>(
    node_interfaces::get_node_parameters_interface(node), node_interfaces::get_node_topics_interface(node), topic_name,
    qos, std::forward<CallbackT>(callback), options, msg_mem_strat);
}

}  // namespace rclcpp
