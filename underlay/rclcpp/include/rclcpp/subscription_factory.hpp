// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/subscription.hpp"

namespace rclcpp {

/// Makes a subscription of a type that NodeTopics need not know.
struct SubscriptionFactory {
  using SubscriptionFactoryFunction = std::function<SubscriptionBase::SharedPtr(
    node_interfaces::NodeBaseInterface * node_base, const std::string & topic_name, const QoS & qos)>;

  const SubscriptionFactoryFunction create_typed_subscription;
};

template <typename MessageT, typename CallbackT, typename AllocatorT,
  typename SubscriptionT = Subscription<MessageT, AllocatorT>>
SubscriptionFactory create_subscription_factory(CallbackT && callback,
  const SubscriptionOptionsWithAllocator<AllocatorT> & options,
  typename SubscriptionT::MessageMemoryStrategyType::SharedPtr msg_mem_strat) {
  AnySubscriptionCallback<MessageT, AllocatorT> any_callback(*options.get_allocator());
  any_callback.template set<std::decay_t<CallbackT>>(std::forward<CallbackT>(callback));
  return {[options, msg_mem_strat, any_callback](auto * node_base, const std::string & topic_name, const QoS & qos) {
    return std::make_shared<SubscriptionT>(
      node_base, get_message_type_support_handle<MessageT>(), topic_name, qos, any_callback, options, msg_mem_strat);
  }};
}

}  // namespace rclcpp
