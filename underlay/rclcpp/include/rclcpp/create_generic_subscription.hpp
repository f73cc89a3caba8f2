// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/generic_subscription.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"

namespace rclcpp {

template <typename CallbackT, typename AllocatorT = std::allocator<void>>
std::shared_ptr<GenericSubscription> create_generic_subscription(
  node_interfaces::NodeTopicsInterface::SharedPtr topics_interface, const std::string & topic_name,
  const std::string & topic_type, const QoS & qos, CallbackT && callback,
  const SubscriptionOptionsWithAllocator<AllocatorT> & options = SubscriptionOptionsWithAllocator<AllocatorT>()) {
  auto ts_lib = get_typesupport_library(topic_type, "rosidl_typesupport_cpp");
  AnySubscriptionCallback<SerializedMessage, AllocatorT> any_callback(*options.get_allocator());
  any_callback.template set<std::decay_t<CallbackT>>(std::forward<CallbackT>(callback));
  const SubscriptionFactory factory{[&](auto * node_base, const std::string & name, const QoS & actual_qos) {
    return std::make_shared<GenericSubscription>(
      node_base, ts_lib, name, topic_type, actual_qos, any_callback, options);
  }};
  auto subscription = topics_interface->create_subscription(topic_name, factory, qos);
  topics_interface->add_subscription(subscription, options.callback_group);
  return std::static_pointer_cast<GenericSubscription>(subscription);
}

}  // namespace rclcpp
