// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>

#include "rcl/publisher.h"
#include "rclcpp/detail/event_source.hpp"

namespace rclcpp {

/// Everything of a publisher that does not depend on its message type.
class PublisherBase : public detail::EventSource<rcl_publisher_t, rcl_publisher_event_type_t, rcl_publisher_event_init>,
                      public std::enable_shared_from_this<PublisherBase> {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(PublisherBase)

  using IntraProcessManagerSharedPtr = std::shared_ptr<experimental::IntraProcessManager>;

  PublisherBase(node_interfaces::NodeBaseInterface * node_base, const std::string & topic,
    const rosidl_message_type_support_t & type_support, const rcl_publisher_options_t & publisher_options,
    const PublisherEventCallbacks & event_callbacks, bool use_default_callbacks);
  virtual ~PublisherBase();

  void bind_event_callbacks(const PublisherEventCallbacks & event_callbacks, bool use_default_callbacks);

  const char * get_topic_name() const { return rcl_publisher_get_topic_name(publisher_handle_.get()); }
  size_t get_queue_size() const;
  const rmw_gid_t & get_gid() const { return rmw_gid_; }
  std::shared_ptr<rcl_publisher_t> get_publisher_handle() { return publisher_handle_; }
  std::shared_ptr<const rcl_publisher_t> get_publisher_handle() const { return publisher_handle_; }

  /// Matched subscriptions, in this process and elsewhere.
  size_t get_subscription_count() const;
  /// Those of them that get messages without going through the middleware.
  size_t get_intra_process_subscription_count() const;
  bool is_durability_transient_local() const {
    return get_actual_qos().durability() == DurabilityPolicy::TransientLocal;
  }
  /// For LivelinessPolicy::ManualByTopic: say that the publisher is alive.
  RCUTILS_WARN_UNUSED bool assert_liveliness() const {
    return rcl_publisher_assert_liveliness(publisher_handle_.get()) == RCL_RET_OK;
  }
  /// The QoS after the middleware has filled in its defaults.
  QoS get_actual_qos() const;
  bool operator==(const rmw_gid_t & gid) const { return *this == &gid; }
  bool operator==(const rmw_gid_t * gid) const;
  void setup_intra_process(uint64_t intra_process_publisher_id, IntraProcessManagerSharedPtr ipm);
  /// Free places in the fullest of the intra-process subscriptions' buffers.
  size_t lowest_available_ipm_capacity() const;

  /// Wait until all matched readers have acknowledged all messages; negative: without limit.
  template <typename DurationRepT = int64_t, typename DurationT = std::milli> bool wait_for_all_acked(
    std::chrono::duration<DurationRepT, DurationT> timeout = std::chrono::duration<DurationRepT, DurationT>(-1)) const {
    return wait_for_all_acked_impl(std::chrono::duration_cast<std::chrono::nanoseconds>(timeout));
  }

protected:
  /// Publishing after shutdown is silently ignored, any other failure is an exception.
  void throw_unless_shut_down(rcl_ret_t ret, const char * what) const;

  std::shared_ptr<rcl_node_t> rcl_node_handle_;
  std::shared_ptr<rcl_publisher_t> publisher_handle_;
  bool intra_process_is_enabled_{false};
  uint64_t intra_process_publisher_id_{0};
  rmw_gid_t rmw_gid_;
  std::weak_ptr<GuardCondition> node_notify_;

private:
  RCLCPP_DISABLE_COPY(PublisherBase)

  bool wait_for_all_acked_impl(std::chrono::nanoseconds timeout) const;
};

}  // namespace rclcpp
