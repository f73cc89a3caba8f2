// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/publisher_base.hpp"

#include "actual_qos.hpp"
#include "endpoint_events.hpp"
#include "rclcpp/experimental/intra_process_manager.hpp"

namespace rclcpp {

using detail::check;

template class detail::EventSource<rcl_publisher_t, rcl_publisher_event_type_t, rcl_publisher_event_init>;

PublisherBase::PublisherBase(node_interfaces::NodeBaseInterface * node_base, const std::string & topic,
  const rosidl_message_type_support_t & type_support, const rcl_publisher_options_t & publisher_options,
  const PublisherEventCallbacks & event_callbacks, bool use_default_callbacks)
: rcl_node_handle_(node_base->get_shared_rcl_node_handle()),
  publisher_handle_(detail::make_handle(*node_base, topic, type_support, publisher_options,
    rcl_get_zero_initialized_publisher(), rcl_publisher_init, rcl_publisher_fini, "could not create publisher",
    "Error in destruction of rcl publisher handle")),
  node_notify_(node_base->get_shared_notify_guard_condition()) {
  check(rmw_get_gid_for_publisher(rcl_publisher_get_rmw_handle(publisher_handle_.get()), &rmw_gid_),
    "failed to get publisher gid");
  bind_event_callbacks(event_callbacks, use_default_callbacks);
}

PublisherBase::~PublisherBase() {
  event_handlers_.clear();
  // Without a manager the context is gone, and with it all intra-process communication.
  if (auto ipm = weak_ipm_.lock()) { ipm->remove_publisher(intra_process_publisher_id_); }
}

void PublisherBase::bind_event_callbacks(const PublisherEventCallbacks & callbacks, bool use_default_callbacks) {
  const auto & handle = publisher_handle_;
  add_event_handler(handle, callbacks.deadline_callback, RCL_PUBLISHER_OFFERED_DEADLINE_MISSED);
  add_event_handler(handle, callbacks.liveliness_callback, RCL_PUBLISHER_LIVELINESS_LOST);
  add_event_handler(handle, callbacks.incompatible_qos_callback, RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS);
  add_event_handler(handle, callbacks.incompatible_type_callback, RCL_PUBLISHER_INCOMPATIBLE_TYPE);
  add_event_handler(handle, callbacks.matched_callback, RCL_PUBLISHER_MATCHED);
  if (!use_default_callbacks) { return; }
  add_default_event_handlers(handle, callbacks, RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS, RCL_PUBLISHER_INCOMPATIBLE_TYPE,
    node_notify_.lock(), get_logger(rcl_node_get_logger_name(rcl_node_handle_.get())), get_topic_name(),
    "New subscription discovered on topic '%s', requesting incompatible QoS. No messages will be sent to it. "
    "Last incompatible policy: %s",
    "Incompatible type on topic '%s', no messages will be sent to it.");
}

size_t PublisherBase::get_queue_size() const {
  const rcl_publisher_options_t * options = rcl_publisher_get_options(publisher_handle_.get());
  if (!options) { check(RCL_RET_ERROR, "failed to get publisher options"); }
  return options->qos.depth;
}

size_t PublisherBase::get_subscription_count() const {
  size_t count = 0;
  const rcl_ret_t ret = rcl_publisher_get_subscription_count(publisher_handle_.get(), &count);
  if (ret != RCL_RET_OK) { throw_unless_shut_down(ret, "failed to get subscription count"); }
  return count;
}

size_t PublisherBase::get_intra_process_subscription_count() const {
  if (!intra_process_is_enabled_) { return 0; }
  auto ipm = weak_ipm_.lock();
  if (!ipm) {
    throw std::runtime_error("intra process subscriber count called after destruction of intra process manager");
  }
  return ipm->get_subscription_count(intra_process_publisher_id_);
}

QoS PublisherBase::get_actual_qos() const {
  return detail::actual_qos(rcl_publisher_get_actual_qos(publisher_handle_.get()), "publisher");
}

bool PublisherBase::operator==(const rmw_gid_t * gid) const {
  bool result = false;
  check(rmw_compare_gids_equal(gid, &rmw_gid_, &result), "failed to compare gids");
  return result;
}

void PublisherBase::setup_intra_process(uint64_t intra_process_publisher_id, IntraProcessManagerSharedPtr ipm) {
  intra_process_publisher_id_ = intra_process_publisher_id;
  weak_ipm_ = ipm;
  intra_process_is_enabled_ = true;
}

size_t PublisherBase::lowest_available_ipm_capacity() const {
  auto ipm = weak_ipm_.lock();
  return ipm ? ipm->lowest_available_capacity(intra_process_publisher_id_) : 0;
}

void PublisherBase::throw_unless_shut_down(rcl_ret_t ret, const char * what) const {
  if (ret == RCL_RET_PUBLISHER_INVALID && rcl_publisher_is_valid_except_context(publisher_handle_.get())) {
    rcl_context_t * context = rcl_publisher_get_context(publisher_handle_.get());
    if (context && !rcl_context_is_valid(context)) {
      rcl_reset_error();
      return;
    }
  }
  check(ret, what);
}

bool PublisherBase::wait_for_all_acked_impl(std::chrono::nanoseconds timeout) const {
  const rcl_ret_t ret =
    rcl_publisher_wait_for_all_acked(publisher_handle_.get(), timeout.count() < 0 ? -1 : timeout.count());
  if (ret == RCL_RET_TIMEOUT) {
    rcl_reset_error();
    return false;
  }
  check(ret, "failed to wait for acknowledgements");
  return true;
}

}  // namespace rclcpp
