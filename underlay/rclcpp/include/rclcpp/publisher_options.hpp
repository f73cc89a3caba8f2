#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rcl/publisher.h"
#include "rclcpp/allocator/allocator_common.hpp"
#include "rclcpp/detail/rmw_implementation_specific_publisher_payload.hpp"
#include "rclcpp/event_handler.hpp"
#include "rclcpp/intra_process_buffer_type.hpp"
#include "rclcpp/intra_process_setting.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/qos_overriding_options.hpp"

namespace rclcpp
{

class CallbackGroup;

struct PublisherOptionsBase
{
  IntraProcessSetting use_intra_process_comm = IntraProcessSetting::NodeDefault;
  /// How a transient_local publisher keeps its history for late intra-process readers.
  IntraProcessBufferType intra_process_buffer_type = IntraProcessBufferType::SharedPtr;
  PublisherEventCallbacks event_callbacks;
  /// Warn about incompatible QoS when no callback is given for it.
  bool use_default_callbacks = true;
  rmw_unique_network_flow_endpoints_requirement_t require_unique_network_flow_endpoints =
    RMW_UNIQUE_NETWORK_FLOW_ENDPOINTS_NOT_REQUIRED;
  /// In which the event callbacks run; null: the node's default group.
  std::shared_ptr<rclcpp::CallbackGroup> callback_group;
  std::shared_ptr<rclcpp::detail::RMWImplementationSpecificPublisherPayload>
  rmw_implementation_payload = nullptr;
  QosOverridingOptions qos_overriding_options;
};

template<typename Allocator>
struct PublisherOptionsWithAllocator : public PublisherOptionsBase
{
  static_assert(
    std::is_void_v<typename std::allocator_traits<Allocator>::value_type>,
    "Publisher allocator value type must be void");

  std::shared_ptr<Allocator> allocator = nullptr;

  PublisherOptionsWithAllocator() = default;
  explicit PublisherOptionsWithAllocator(const PublisherOptionsBase & publisher_options_base)
  : PublisherOptionsBase(publisher_options_base) {}

  template<typename MessageT>
  rcl_publisher_options_t to_rcl_publisher_options(const rclcpp::QoS & qos) const
  {
    rcl_publisher_options_t result = rcl_publisher_get_default_options();
    result.allocator = rclcpp::allocator::get_rcl_allocator<void>(*get_allocator());
    result.qos = qos.get_rmw_qos_profile();
    result.rmw_publisher_options.require_unique_network_flow_endpoints =
      this->require_unique_network_flow_endpoints;
    if (rmw_implementation_payload && rmw_implementation_payload->has_been_customized()) {
      rmw_implementation_payload->modify_rmw_publisher_options(result.rmw_publisher_options);
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

using PublisherOptions = PublisherOptionsWithAllocator<std::allocator<void>>;

}  // namespace rclcpp
