#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "rclcpp/any_subscription_callback.hpp"
#include "rclcpp/get_message_type_support_handle.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/subscription.hpp"
#include "rclcpp/subscription_options.hpp"

namespace rclcpp
{

/// Makes a subscription of a type that NodeTopics need not know.
struct SubscriptionFactory
{
  using SubscriptionFactoryFunction = std::function<
    rclcpp::SubscriptionBase::SharedPtr(
      rclcpp::node_interfaces::NodeBaseInterface * node_base, const std::string & topic_name,
      const rclcpp::QoS & qos)>;

  const SubscriptionFactoryFunction create_typed_subscription;
};

template<
  typename MessageT, typename CallbackT, typename AllocatorT,
  typename SubscriptionT = rclcpp::Subscription<MessageT, AllocatorT>,
  typename MessageMemoryStrategyT = typename SubscriptionT::MessageMemoryStrategyType>
SubscriptionFactory create_subscription_factory(
  CallbackT && callback, const rclcpp::SubscriptionOptionsWithAllocator<AllocatorT> & options,
  typename MessageMemoryStrategyT::SharedPtr msg_mem_strat)
{
  AnySubscriptionCallback<MessageT, AllocatorT> any_subscription_callback(
    *options.get_allocator());
  any_subscription_callback.template set<std::decay_t<CallbackT>>(
    std::forward<CallbackT>(callback));
  return SubscriptionFactory{
    [options, msg_mem_strat, any_subscription_callback](
      rclcpp::node_interfaces::NodeBaseInterface * node_base, const std::string & topic_name,
      const rclcpp::QoS & qos) -> rclcpp::SubscriptionBase::SharedPtr
    {
      return std::make_shared<SubscriptionT>(
        node_base, rclcpp::get_message_type_support_handle<MessageT>(), topic_name, qos,
        any_subscription_callback, options, msg_mem_strat);
    }};
}

}  // namespace rclcpp
