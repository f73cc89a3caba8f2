// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rcl/subscription.h"
#include "rclcpp/allocator/allocator_common.hpp"
#include "rclcpp/event_handler.hpp"
#include "rclcpp/intra_process_buffer_type.hpp"
#include "rclcpp/intra_process_setting.hpp"
#include "rclcpp/qos_overriding_options.hpp"

namespace rclcpp {

class CallbackGroup;

struct SubscriptionOptionsBase {
  IntraProcessSetting use_intra_process_comm = IntraProcessSetting::NodeDefault;
  IntraProcessBufferType intra_process_buffer_type = IntraProcessBufferType::CallbackDefault;
  SubscriptionEventCallbacks event_callbacks;
  /// Warn about incompatible QoS when no callback is given for it.
  bool use_default_callbacks = true;
  /// Do not receive what this node's own context publishes.
  bool ignore_local_publications = false;
  /// Null: the node's default group.
  std::shared_ptr<CallbackGroup> callback_group;
  QosOverridingOptions qos_overriding_options;
};

template <typename Allocator> struct SubscriptionOptionsWithAllocator : public SubscriptionOptionsBase {
  static_assert(std::is_void_v<typename std::allocator_traits<Allocator>::value_type>,
    "Subscription allocator value type must be void");

  std::shared_ptr<Allocator> allocator = nullptr;

  SubscriptionOptionsWithAllocator() = default;
  explicit SubscriptionOptionsWithAllocator(const SubscriptionOptionsBase & base) : SubscriptionOptionsBase(base) {}

  rcl_subscription_options_t to_rcl_subscription_options(const QoS & qos) const {
    rcl_subscription_options_t result = rcl_subscription_get_default_options();
    result.qos = qos.get_rmw_qos_profile();
    result.rmw_subscription_options.ignore_local_publications = ignore_local_publications;
    return result;
  }

  std::shared_ptr<Allocator> get_allocator() const { return allocator ? allocator : std::make_shared<Allocator>(); }
};

using SubscriptionOptions = SubscriptionOptionsWithAllocator<std::allocator<void>>;

}  // namespace rclcpp
