// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/subscription_base.hpp"

#include "actual_qos.hpp"
#include "new_event_callback.hpp"
#include "rclcpp/experimental/intra_process_manager.hpp"

namespace rclcpp {

using detail::check;

template class detail::EventSource<rcl_subscription_t, rcl_subscription_event_type_t, rcl_subscription_event_init>;

SubscriptionBase::SubscriptionBase(node_interfaces::NodeBaseInterface * node_base,
  const rosidl_message_type_support_t & type_support_handle, const std::string & topic_name,
  const rcl_subscription_options_t & subscription_options, const SubscriptionEventCallbacks & event_callbacks,
  bool use_default_callbacks, DeliveredMessageKind delivered_message_kind)
: node_base_(node_base),
  node_handle_(node_base->get_shared_rcl_node_handle()),
  subscription_handle_(detail::make_handle(*node_base, topic_name, type_support_handle, subscription_options,
    rcl_get_zero_initialized_subscription(), rcl_subscription_init, rcl_subscription_fini,
    "could not create subscription", "Error in destruction of rcl subscription handle")),
  type_support_(type_support_handle),
  delivered_message_kind_(delivered_message_kind) {
  bind_event_callbacks(event_callbacks, use_default_callbacks);
}

SubscriptionBase::~SubscriptionBase() {
  if (on_new_message_callback_) {
    detail::log_failure(rcl_subscription_set_on_new_message_callback(subscription_handle_.get(), nullptr, nullptr),
      "failed to clear a callback");
  }
  // Without a manager the context is gone, and with it all intra-process communication.
  if (auto ipm = weak_ipm_.lock()) { ipm->remove_subscription(intra_process_subscription_id_); }
}

void SubscriptionBase::bind_event_callbacks(const SubscriptionEventCallbacks & callbacks, bool use_default_callbacks) {
  const auto & handle = subscription_handle_;
  add_event_handler(handle, callbacks.deadline_callback, RCL_SUBSCRIPTION_REQUESTED_DEADLINE_MISSED);
  add_event_handler(handle, callbacks.liveliness_callback, RCL_SUBSCRIPTION_LIVELINESS_CHANGED);
  add_event_handler(handle, callbacks.incompatible_qos_callback, RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS);
  add_event_handler(handle, callbacks.incompatible_type_callback, RCL_SUBSCRIPTION_INCOMPATIBLE_TYPE);
  add_event_handler(handle, callbacks.message_lost_callback, RCL_SUBSCRIPTION_MESSAGE_LOST);
  add_event_handler(handle, callbacks.matched_callback, RCL_SUBSCRIPTION_MATCHED);
  if (!use_default_callbacks) { return; }
  add_default_event_handlers(handle, callbacks, RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS,
    RCL_SUBSCRIPTION_INCOMPATIBLE_TYPE, node_base_->get_shared_notify_guard_condition(),
    get_logger(rcl_node_get_logger_name(node_handle_.get())), get_topic_name(),
    "New publisher discovered on topic '%s', offering incompatible QoS. No messages will be sent to it. "
    "Last incompatible policy: %s",
    "Incompatible type on topic '%s', no messages will be received from it.");
}

QoS SubscriptionBase::get_actual_qos() const {
  return detail::actual_qos(rcl_subscription_get_actual_qos(subscription_handle_.get()), "subscription");
}

bool SubscriptionBase::take_type_erased(void * message_out, MessageInfo & info_out) {
  const rcl_ret_t ret = rcl_take(subscription_handle_.get(), message_out, &info_out.get_rmw_message_info(), nullptr);
  if (ret != RCL_RET_SUBSCRIPTION_TAKE_FAILED) { check(ret, "failed to take a message"); }
  return ret == RCL_RET_OK;
}

bool SubscriptionBase::take_serialized(SerializedMessage & message_out, MessageInfo & info_out) {
  const rcl_ret_t ret = rcl_take_serialized_message(
    subscription_handle_.get(), &message_out.get_rcl_serialized_message(), &info_out.get_rmw_message_info(), nullptr);
  if (ret != RCL_RET_SUBSCRIPTION_TAKE_FAILED) { check(ret, "failed to take a serialized message"); }
  return ret == RCL_RET_OK;
}

size_t SubscriptionBase::get_publisher_count() const {
  size_t count = 0;
  check(rcl_subscription_get_publisher_count(subscription_handle_.get(), &count), "failed to get publisher count");
  return count;
}

void SubscriptionBase::setup_intra_process(
  uint64_t intra_process_subscription_id, IntraProcessManagerWeakPtr weak_ipm) {
  intra_process_subscription_id_ = intra_process_subscription_id;
  weak_ipm_ = weak_ipm;
  use_intra_process_ = true;
}

bool SubscriptionBase::exchange_in_use_by_wait_set_state(void * part, bool in_use_state) {
  if (part == nullptr) { throw std::invalid_argument("pointer_to_subscription_part is unexpectedly nullptr"); }
  if (part == this) { return subscription_in_use_by_wait_set_.exchange(in_use_state); }
  if (part == subscription_intra_process_.get()) {
    return subscription_intra_process_->exchange_in_use_by_wait_set_state(in_use_state);
  }
  for (const auto & [event_type, handler] : event_handlers_) {
    if (part == handler.get()) { return handler->exchange_in_use_by_wait_set_state(in_use_state); }
  }
  throw std::runtime_error("given pointer_to_subscription_part does not match any part");
}

void SubscriptionBase::set_on_new_message_callback(std::function<void(size_t)> callback) {
  detail::replace_new_event_callback(callback_mutex_, on_new_message_callback_,
    detail::without_exceptions("set_on_new_message_callback", callback), rcl_subscription_set_on_new_message_callback,
    subscription_handle_.get(), "failed to set the on new message callback for subscription");
}

void SubscriptionBase::clear_on_new_message_callback() {
  detail::replace_new_event_callback(callback_mutex_, on_new_message_callback_, nullptr,
    rcl_subscription_set_on_new_message_callback, subscription_handle_.get(),
    "failed to set the on new message callback for subscription");
}

void SubscriptionBase::set_on_new_intra_process_message_callback(std::function<void(size_t)> callback) {
  if (!use_intra_process_) {
    RCLCPP_WARN(
      get_logger("rclcpp"), "Calling set_on_new_intra_process_message_callback for subscription with IPC disabled");
    return;
  }
  subscription_intra_process_->set_on_ready_callback(detail::without_entity(callback));
}

void SubscriptionBase::clear_on_new_intra_process_message_callback() {
  if (use_intra_process_) { subscription_intra_process_->clear_on_ready_callback(); }
}

bool SubscriptionBase::matches_any_intra_process_publishers(const rmw_gid_t * sender_gid) const {
  if (!use_intra_process_) { return false; }
  auto ipm = weak_ipm_.lock();
  if (!ipm) {
    throw std::runtime_error("intra process publisher check called after destruction of intra process manager");
  }
  return ipm->matches_any_publishers(sender_gid);
}

}  // namespace rclcpp
