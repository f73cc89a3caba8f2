// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rcl/publisher.h"
#include "rclcpp/allocator/allocator_common.hpp"
#include "rclcpp/event_handler.hpp"
#include "rclcpp/intra_process_buffer_type.hpp"
#include "rclcpp/intra_process_setting.hpp"
#include "rclcpp/qos_overriding_options.hpp"

namespace rclcpp {

class CallbackGroup;

struct PublisherOptionsBase {
  IntraProcessSetting use_intra_process_comm = IntraProcessSetting::NodeDefault;
  /// How a transient_local publisher keeps its history for late intra-process readers.
  IntraProcessBufferType intra_process_buffer_type = IntraProcessBufferType::SharedPtr;
  PublisherEventCallbacks event_callbacks;
  /// Warn about incompatible QoS when no callback is given for it.
  bool use_default_callbacks = true;
  /// Null: the node's default group.
  std::shared_ptr<CallbackGroup> callback_group;
  QosOverridingOptions qos_overriding_options;
};

template <typename Allocator> struct PublisherOptionsWithAllocator : public PublisherOptionsBase {
  static_assert(std::is_void_v<typename std::allocator_traits<Allocator>::value_type>,
    "Publisher allocator value type must be void");

  std::shared_ptr<Allocator> allocator = nullptr;

  PublisherOptionsWithAllocator() = default;
  explicit PublisherOptionsWithAllocator(const PublisherOptionsBase & base) : PublisherOptionsBase(base) {}

  template <typename MessageT> rcl_publisher_options_t to_rcl_publisher_options(const QoS & qos) const {
    rcl_publisher_options_t result = rcl_publisher_get_default_options();
    result.qos = qos.get_rmw_qos_profile();
    return result;
  }

  std::shared_ptr<Allocator> get_allocator() const { return allocator ? allocator : std::make_shared<Allocator>(); }
};

using PublisherOptions = PublisherOptionsWithAllocator<std::allocator<void>>;

}  // namespace rclcpp
