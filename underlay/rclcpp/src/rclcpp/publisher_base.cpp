#include "rclcpp/publisher_base.hpp"

#include "actual_qos.hpp"
#include "endpoint_events.hpp"
#include "rcl_check.hpp"
#include "rclcpp/expand_topic_or_service_name.hpp"
#include "rclcpp/experimental/intra_process_manager.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rmw/rmw.h"

namespace rclcpp {

using detail::check;

PublisherBase::PublisherBase(node_interfaces::NodeBaseInterface * node_base, const std::string & topic,
  const rosidl_message_type_support_t & type_support, const rcl_publisher_options_t & publisher_options,
  const PublisherEventCallbacks & event_callbacks, bool use_default_callbacks)
: rcl_node_handle_(node_base->get_shared_rcl_node_handle()),
  node_notify_(node_base->get_shared_notify_guard_condition()) {
  auto handle = std::make_unique<rcl_publisher_t>(rcl_get_zero_initialized_publisher());
  const rcl_ret_t ret =
    rcl_publisher_init(handle.get(), rcl_node_handle_.get(), &type_support, topic.c_str(), &publisher_options);
  if (ret == RCL_RET_TOPIC_NAME_INVALID) {
    rcl_reset_error();
    // Throws an exception that shows where the name is wrong.
    expand_topic_or_service_name(topic, node_base->get_name(), node_base->get_namespace());
  }
  check(ret, "could not create publisher");
  publisher_handle_ =
    std::shared_ptr<rcl_publisher_t>(handle.release(), [node_handle = rcl_node_handle_](rcl_publisher_t * publisher) {
      detail::log_failure(
        rcl_publisher_fini(publisher, node_handle.get()), "Error in destruction of rcl publisher handle");
      delete publisher;
    });
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
  add_event_handler(callbacks.deadline_callback, RCL_PUBLISHER_OFFERED_DEADLINE_MISSED);
  add_event_handler(callbacks.liveliness_callback, RCL_PUBLISHER_LIVELINESS_LOST);
  add_event_handler(callbacks.incompatible_qos_callback, RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS);
  add_event_handler(callbacks.incompatible_type_callback, RCL_PUBLISHER_INCOMPATIBLE_TYPE);
  add_event_handler(callbacks.matched_callback, RCL_PUBLISHER_MATCHED);
  if (!use_default_callbacks) { return; }
  const char * logger_name = rcl_node_get_logger_name(rcl_node_handle_.get());
  try {
    if (!callbacks.incompatible_qos_callback) {
      add_event_handler(detail::warn_of_incompatible_qos<QOSOfferedIncompatibleQoSInfo>(logger_name, get_topic_name(),
                          "New subscription discovered on topic '%s', requesting incompatible QoS. No messages "
                          "will be sent to it. Last incompatible policy: %s"),
        RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS, node_notify_.lock());
    }
    if (!callbacks.incompatible_type_callback) {
      add_event_handler(detail::warn_of_incompatible_type(logger_name, get_topic_name(),
                          "Incompatible type on topic '%s', no messages will be sent to it."),
        RCL_PUBLISHER_INCOMPATIBLE_TYPE, node_notify_.lock());
    }
  } catch (const UnsupportedEventTypeException &) {
    // The defaults are a courtesy; a middleware without such events does without.
  }
}

const char * PublisherBase::get_topic_name() const { return rcl_publisher_get_topic_name(publisher_handle_.get()); }

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

bool PublisherBase::is_durability_transient_local() const {
  return get_actual_qos().durability() == DurabilityPolicy::TransientLocal;
}

bool PublisherBase::assert_liveliness() const {
  return rcl_publisher_assert_liveliness(publisher_handle_.get()) == RCL_RET_OK;
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

void PublisherBase::set_on_new_qos_event_callback(
  std::function<void(size_t)> callback, rcl_publisher_event_type_t event_type) {
  if (auto * handler = detail::find_event_handler(event_handlers_, event_type)) {
    handler->set_on_ready_callback(
      callback ? [callback](size_t count, int) { callback(count); } : std::function<void(size_t, int)>());
  }
}

void PublisherBase::clear_on_new_qos_event_callback(rcl_publisher_event_type_t event_type) {
  if (auto * handler = detail::find_event_handler(event_handlers_, event_type)) { handler->clear_on_ready_callback(); }
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
