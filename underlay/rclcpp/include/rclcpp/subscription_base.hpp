// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rcl/subscription.h"
#include "rclcpp/detail/event_source.hpp"
#include "rclcpp/experimental/subscription_intra_process_base.hpp"
#include "rclcpp/message_info.hpp"
#include "rclcpp/serialized_message.hpp"

namespace rclcpp {

/// In which form an executor takes a subscription's messages.
enum class DeliveredMessageKind : uint8_t { INVALID = 0, ROS_MESSAGE = 1, SERIALIZED_MESSAGE = 2 };

/// Everything of a subscription that does not depend on its message type.
class SubscriptionBase
: public detail::EventSource<rcl_subscription_t, rcl_subscription_event_type_t, rcl_subscription_event_init>,
  public std::enable_shared_from_this<SubscriptionBase> {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(SubscriptionBase)

  using IntraProcessManagerWeakPtr = std::weak_ptr<experimental::IntraProcessManager>;

  SubscriptionBase(node_interfaces::NodeBaseInterface * node_base,
    const rosidl_message_type_support_t & type_support_handle, const std::string & topic_name,
    const rcl_subscription_options_t & subscription_options, const SubscriptionEventCallbacks & event_callbacks,
    bool use_default_callbacks, DeliveredMessageKind delivered_message_kind = DeliveredMessageKind::ROS_MESSAGE);
  virtual ~SubscriptionBase();

  void bind_event_callbacks(const SubscriptionEventCallbacks & event_callbacks, bool use_default_callbacks);

  const char * get_topic_name() const { return rcl_subscription_get_topic_name(subscription_handle_.get()); }
  std::shared_ptr<rcl_subscription_t> get_subscription_handle() { return subscription_handle_; }
  std::shared_ptr<const rcl_subscription_t> get_subscription_handle() const { return subscription_handle_; }
  /// The QoS after the middleware has filled in its defaults.
  QoS get_actual_qos() const;

  /// Take the next message from the middleware; false: there was none.
  bool take_type_erased(void * message_out, MessageInfo & message_info_out);
  bool take_serialized(SerializedMessage & message_out, MessageInfo & message_info_out);

  virtual std::shared_ptr<void> create_message() = 0;
  virtual std::shared_ptr<SerializedMessage> create_serialized_message() = 0;
  virtual void handle_message(std::shared_ptr<void> & message, const MessageInfo & message_info) = 0;
  virtual void handle_serialized_message(
    const std::shared_ptr<SerializedMessage> & serialized_message, const MessageInfo & message_info) = 0;
  virtual void return_message(std::shared_ptr<void> & message) = 0;
  virtual void return_serialized_message(std::shared_ptr<SerializedMessage> & message) = 0;

  const rosidl_message_type_support_t & get_message_type_support_handle() const { return type_support_; }
  bool is_serialized() const { return delivered_message_kind_ == DeliveredMessageKind::SERIALIZED_MESSAGE; }
  DeliveredMessageKind get_delivered_message_kind() const { return delivered_message_kind_; }
  size_t get_publisher_count() const;

  void setup_intra_process(uint64_t intra_process_subscription_id, IntraProcessManagerWeakPtr weak_ipm);
  /// What an executor waits on for messages of this process; null without intra-process.
  Waitable::SharedPtr get_intra_process_waitable() const { return subscription_intra_process_; }
  /// \param pointer_to_subscription_part this, the intra-process waitable or an event handler
  bool exchange_in_use_by_wait_set_state(void * pointer_to_subscription_part, bool in_use_state);

  /// The callback gets the number of new messages; it runs in a thread of the middleware.
  void set_on_new_message_callback(std::function<void(size_t)> callback);
  void clear_on_new_message_callback();
  void set_on_new_intra_process_message_callback(std::function<void(size_t)> callback);
  void clear_on_new_intra_process_message_callback();

protected:
  bool matches_any_intra_process_publishers(const rmw_gid_t * sender_gid) const;

  node_interfaces::NodeBaseInterface * const node_base_;
  std::shared_ptr<rcl_node_t> node_handle_;
  std::recursive_mutex callback_mutex_;
  // It must outlive the handle, whose middleware thread may be about to call it.
  std::function<void(size_t)> on_new_message_callback_{nullptr};
  std::shared_ptr<rcl_subscription_t> subscription_handle_;
  bool use_intra_process_{false};
  uint64_t intra_process_subscription_id_{0};
  std::shared_ptr<experimental::SubscriptionIntraProcessBase> subscription_intra_process_;

private:
  rosidl_message_type_support_t type_support_;
  DeliveredMessageKind delivered_message_kind_;
  std::atomic<bool> subscription_in_use_by_wait_set_{false};
};

}  // namespace rclcpp
