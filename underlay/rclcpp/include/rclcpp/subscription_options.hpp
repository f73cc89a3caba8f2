#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rcl/subscription.h"
#include "rclcpp/allocator/allocator_common.hpp"
#include "rclcpp/detail/rmw_implementation_specific_subscription_payload.hpp"
#include "rclcpp/event_handler.hpp"
#include "rclcpp/intra_process_buffer_type.hpp"
#include "rclcpp/intra_process_setting.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/qos_overriding_options.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp
{

class CallbackGroup;

struct SubscriptionOptionsBase
{
  SubscriptionEventCallbacks event_callbacks;
  /// Warn about incompatible QoS when no callback is given for it.
  bool use_default_callbacks = true;
  /// Do not receive what this node's own context publishes.
  bool ignore_local_publications = false;
  rmw_unique_network_flow_endpoints_requirement_t require_unique_network_flow_endpoints =
    RMW_UNIQUE_NETWORK_FLOW_ENDPOINTS_NOT_REQUIRED;
  /// Null: the node's default group.
  std::shared_ptr<rclcpp::CallbackGroup> callback_group = nullptr;
  IntraProcessSetting use_intra_process_comm = IntraProcessSetting::NodeDefault;
  IntraProcessBufferType intra_process_buffer_type = IntraProcessBufferType::CallbackDefault;
  std::shared_ptr<rclcpp::detail::RMWImplementationSpecificSubscriptionPayload>
  rmw_implementation_payload = nullptr;
  QosOverridingOptions qos_overriding_options;
};

template<typename Allocator>
struct SubscriptionOptionsWithAllocator : public SubscriptionOptionsBase
{
  static_assert(
    std::is_void_v<typename std::allocator_traits<Allocator>::value_type>,
    "Subscription allocator value type must be void");

  std::shared_ptr<Allocator> allocator = nullptr;

  SubscriptionOptionsWithAllocator() = default;
  explicit SubscriptionOptionsWithAllocator(
    const SubscriptionOptionsBase & subscription_options_base)
  : SubscriptionOptionsBase(subscription_options_base) {}

  rcl_subscription_options_t to_rcl_subscription_options(const rclcpp::QoS & qos) const
  {
    rcl_subscription_options_t result = rcl_subscription_get_default_options();
    result.allocator = rclcpp::allocator::get_rcl_allocator<void>(*get_allocator());
    result.qos = qos.get_rmw_qos_profile();
    result.rmw_subscription_options.ignore_local_publications = this->ignore_local_publications;
    result.rmw_subscription_options.require_unique_network_flow_endpoints =
      this->require_unique_network_flow_endpoints;
    if (rmw_implementation_payload && rmw_implementation_payload->has_been_customized()) {
      rmw_implementation_payload->modify_rmw_subscription_options(
        result.rmw_subscription_options);
    }
    return result;
  }

  std::shared_ptr<Allocator> get_allocator() const
  {
    if (!this->allocator) {
      if (!own_allocator_) {
        own_allocator_ = std::make_shared<Allocator>();
      }
      return own_allocator_;
    }
    return this->allocator;
  }

private:
  mutable std::shared_ptr<Allocator> own_allocator_;
};

using SubscriptionOptions = SubscriptionOptionsWithAllocator<std::allocator<void>>;

}  // namespace rclcpp
