#pragma once

#include <memory>
#include <string>
#include <utility>

#include "rclcpp/detail/qos_parameters.hpp"
#include "rclcpp/node_interfaces/get_node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/get_node_topics_interface.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/subscription_factory.hpp"
#include "rclcpp/subscription_options.hpp"

namespace rclcpp
{

namespace detail
{

template<typename MessageT, typename AllocatorT, typename SubscriptionT, typename CallbackT>
std::shared_ptr<SubscriptionT> create_subscription(
  const std::shared_ptr<node_interfaces::NodeParametersInterface> & node_parameters,
  const std::shared_ptr<node_interfaces::NodeTopicsInterface> & node_topics,
  const std::string & topic_name, const rclcpp::QoS & qos, CallbackT && callback,
  const rclcpp::SubscriptionOptionsWithAllocator<AllocatorT> & options,
  typename SubscriptionT::MessageMemoryStrategyType::SharedPtr msg_mem_strat)
{
  const rclcpp::QoS actual_qos = options.qos_overriding_options.get_policy_kinds().empty() ?
    qos : declare_qos_parameters(
    options.qos_overriding_options, node_parameters,
    node_topics->resolve_topic_name(topic_name), qos, SubscriptionQosParametersTraits{});
  auto factory = create_subscription_factory<MessageT, CallbackT, AllocatorT, SubscriptionT>(
    std::forward<CallbackT>(callback), options, msg_mem_strat);
  auto subscription = node_topics->create_subscription(topic_name, factory, actual_qos);
  node_topics->add_subscription(subscription, options.callback_group);
  return std::static_pointer_cast<SubscriptionT>(subscription);
}

}  // namespace detail

/// Create a subscription on any node-like object.
template<
  typename MessageT, typename CallbackT, typename AllocatorT = std::allocator<void>,
  typename SubscriptionT = rclcpp::Subscription<MessageT, AllocatorT>,
  typename MessageMemoryStrategyT = typename SubscriptionT::MessageMemoryStrategyType,
  typename NodeT>
std::shared_ptr<SubscriptionT> create_subscription(
  NodeT & node, const std::string & topic_name, const rclcpp::QoS & qos, CallbackT && callback,
  const rclcpp::SubscriptionOptionsWithAllocator<AllocatorT> & options =
  rclcpp::SubscriptionOptionsWithAllocator<AllocatorT>(),
  typename MessageMemoryStrategyT::SharedPtr msg_mem_strat =
  MessageMemoryStrategyT::create_default())
{
  return detail::create_subscription<MessageT, AllocatorT, SubscriptionT>(
    node_interfaces::get_node_parameters_interface(node),
    node_interfaces::get_node_topics_interface(node), topic_name, qos,
    std::forward<CallbackT>(callback), options, msg_mem_strat);
}

template<
  typename MessageT, typename CallbackT, typename AllocatorT = std::allocator<void>,
  typename SubscriptionT = rclcpp::Subscription<MessageT, AllocatorT>,
  typename MessageMemoryStrategyT = typename SubscriptionT::MessageMemoryStrategyType>
std::shared_ptr<SubscriptionT> create_subscription(
  rclcpp::node_interfaces::NodeParametersInterface::SharedPtr & node_parameters,
  rclcpp::node_interfaces::NodeTopicsInterface::SharedPtr & node_topics,
  const std::string & topic_name, const rclcpp::QoS & qos, CallbackT && callback,
  const rclcpp::SubscriptionOptionsWithAllocator<AllocatorT> & options =
  rclcpp::SubscriptionOptionsWithAllocator<AllocatorT>(),
  typename MessageMemoryStrategyT::SharedPtr msg_mem_strat =
  MessageMemoryStrategyT::create_default())
{
  return detail::create_subscription<MessageT, AllocatorT, SubscriptionT>(
    node_parameters, node_topics, topic_name, qos, std::forward<CallbackT>(callback), options,
    msg_mem_strat);
}

}  // namespace rclcpp
