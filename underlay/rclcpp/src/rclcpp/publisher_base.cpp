#include "rclcpp/publisher_base.hpp"

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "rcl/event.h"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/expand_topic_or_service_name.hpp"
#include "rclcpp/experimental/intra_process_manager.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rcpputils/scope_exit.hpp"

namespace rclcpp
{

namespace
{

// Executors may hold an event handler for a moment longer than the publisher lives, so the default
// callbacks refer to names and not to the publisher.
QOSOfferedIncompatibleQoSCallbackType warn_of_incompatible_qos(
  const std::string & logger_name, const std::string & topic_name)
{
  return [logger_name, topic_name](QOSOfferedIncompatibleQoSInfo & info) {
           RCLCPP_WARN(
             rclcpp::get_logger(logger_name),
             "New subscription discovered on topic '%s', requesting incompatible QoS. "
             "No messages will be sent to it. Last incompatible policy: %s",
             topic_name.c_str(), qos_policy_name_from_kind(info.last_policy_kind).c_str());
         };
}

IncompatibleTypeCallbackType warn_of_incompatible_type(
  const std::string & logger_name, const std::string & topic_name)
{
  return [logger_name, topic_name](IncompatibleTypeInfo &) {
           RCLCPP_WARN(
             rclcpp::get_logger(logger_name),
             "Incompatible type on topic '%s', no messages will be sent to it.",
             topic_name.c_str());
         };
}

}  // namespace

PublisherBase::PublisherBase(
  node_interfaces::NodeBaseInterface * node_base, const std::string & topic,
  const rosidl_message_type_support_t & type_support,
  const rcl_publisher_options_t & publisher_options,
  const PublisherEventCallbacks & event_callbacks, bool use_default_callbacks)
: rcl_node_handle_(node_base->get_shared_rcl_node_handle()),
  node_notify_(node_base->get_shared_notify_guard_condition())
{
  auto finalize = [node_handle = rcl_node_handle_](rcl_publisher_t * publisher) {
      if (rcl_publisher_fini(publisher, node_handle.get()) != RCL_RET_OK) {
        RCLCPP_ERROR(
          rclcpp::get_node_logger(node_handle.get()).get_child("rclcpp"),
          "Error in destruction of rcl publisher handle: %s", rcl_get_error_string().str);
        rcl_reset_error();
      }
      delete publisher;
    };
  auto handle = std::make_unique<rcl_publisher_t>(rcl_get_zero_initialized_publisher());
  rcl_ret_t ret = rcl_publisher_init(
    handle.get(), rcl_node_handle_.get(), &type_support, topic.c_str(), &publisher_options);
  if (ret != RCL_RET_OK) {
    if (ret == RCL_RET_TOPIC_NAME_INVALID) {
      const std::string node_name = rcl_node_get_name(rcl_node_handle_.get());
      const std::string node_namespace = rcl_node_get_namespace(rcl_node_handle_.get());
      rcl_reset_error();
      // Throws an exception that shows where the name is wrong.
      expand_topic_or_service_name(topic, node_name, node_namespace);
    }
    exceptions::throw_from_rcl_error(ret, "could not create publisher");
  }
  publisher_handle_ = std::shared_ptr<rcl_publisher_t>(handle.release(), finalize);

  rmw_publisher_t * rmw_handle = rcl_publisher_get_rmw_handle(publisher_handle_.get());
  if (!rmw_handle) {
    const std::string message = "failed to get rmw handle: " + std::string(rcl_get_error_string().str);
    rcl_reset_error();
    throw std::runtime_error(message);
  }
  if (rmw_get_gid_for_publisher(rmw_handle, &rmw_gid_) != RMW_RET_OK) {
    const std::string message = "failed to get publisher gid: " + std::string(rcl_get_error_string().str);
    rmw_reset_error();
    throw std::runtime_error(message);
  }
  bind_event_callbacks(event_callbacks, use_default_callbacks);
}

PublisherBase::~PublisherBase()
{
  event_handlers_.clear();
  if (!intra_process_is_enabled_) {
    return;
  }
  // Without a manager the context is gone, and with it all intra-process communication.
  if (auto ipm = weak_ipm_.lock()) {
    ipm->remove_publisher(intra_process_publisher_id_);
  }
}

void PublisherBase::bind_event_callbacks(
  const PublisherEventCallbacks & event_callbacks, bool use_default_callbacks)
{
  if (event_callbacks.deadline_callback) {
    add_event_handler(event_callbacks.deadline_callback, RCL_PUBLISHER_OFFERED_DEADLINE_MISSED);
  }
  if (event_callbacks.liveliness_callback) {
    add_event_handler(event_callbacks.liveliness_callback, RCL_PUBLISHER_LIVELINESS_LOST);
  }
  const char * logger_name = rcl_node_get_logger_name(rcl_node_handle_.get());
  try {
    if (event_callbacks.incompatible_qos_callback) {
      add_event_handler(
        event_callbacks.incompatible_qos_callback, RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS);
    } else if (use_default_callbacks) {
      add_event_handler(
        warn_of_incompatible_qos(logger_name, get_topic_name()),
        RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS, node_notify_.lock());
    }
    if (event_callbacks.incompatible_type_callback) {
      add_event_handler(
        event_callbacks.incompatible_type_callback, RCL_PUBLISHER_INCOMPATIBLE_TYPE);
    } else if (use_default_callbacks) {
      add_event_handler(
        warn_of_incompatible_type(logger_name, get_topic_name()),
        RCL_PUBLISHER_INCOMPATIBLE_TYPE, node_notify_.lock());
    }
  } catch (const UnsupportedEventTypeException & exc) {
    if (event_callbacks.incompatible_qos_callback || event_callbacks.incompatible_type_callback) {
      RCLCPP_WARN(
        rclcpp::get_node_logger(rcl_node_handle_.get()).get_child("rclcpp"),
        "The middleware does not support an event of publisher '%s': %s", get_topic_name(),
        exc.what());
    }
  }
  if (event_callbacks.matched_callback) {
    add_event_handler(event_callbacks.matched_callback, RCL_PUBLISHER_MATCHED);
  }
}

const char * PublisherBase::get_topic_name() const
{
  return rcl_publisher_get_topic_name(publisher_handle_.get());
}

size_t PublisherBase::get_queue_size() const
{
  const rcl_publisher_options_t * options = rcl_publisher_get_options(publisher_handle_.get());
  if (!options) {
    const std::string message = "failed to get publisher options: " + std::string(rcl_get_error_string().str);
    rcl_reset_error();
    throw std::runtime_error(message);
  }
  return options->qos.depth;
}

const rmw_gid_t & PublisherBase::get_gid() const
{
  return rmw_gid_;
}

std::shared_ptr<rcl_publisher_t> PublisherBase::get_publisher_handle()
{
  return publisher_handle_;
}

std::shared_ptr<const rcl_publisher_t> PublisherBase::get_publisher_handle() const
{
  return publisher_handle_;
}

const std::unordered_map<
  rcl_publisher_event_type_t, std::shared_ptr<rclcpp::EventHandlerBase>> &
PublisherBase::get_event_handlers() const
{
  return event_handlers_;
}

size_t PublisherBase::get_subscription_count() const
{
  size_t count = 0;
  const rcl_ret_t ret = rcl_publisher_get_subscription_count(publisher_handle_.get(), &count);
  if (ret == RCL_RET_PUBLISHER_INVALID) {
    rcl_reset_error();
    if (rcl_publisher_is_valid_except_context(publisher_handle_.get())) {
      // The context has been shut down.
      return 0;
    }
  }
  if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "failed to get subscription count");
  }
  return count;
}

size_t PublisherBase::get_intra_process_subscription_count() const
{
  if (!intra_process_is_enabled_) {
    return 0;
  }
  auto ipm = weak_ipm_.lock();
  if (!ipm) {
    throw std::runtime_error(
            "intra process subscriber count called after destruction of intra process manager");
  }
  return ipm->get_subscription_count(intra_process_publisher_id_);
}

bool PublisherBase::is_durability_transient_local() const
{
  return get_actual_qos().durability() == DurabilityPolicy::TransientLocal;
}

bool PublisherBase::assert_liveliness() const
{
  return rcl_publisher_assert_liveliness(publisher_handle_.get()) == RCL_RET_OK;
}

rclcpp::QoS PublisherBase::get_actual_qos() const
{
  const rmw_qos_profile_t * qos = rcl_publisher_get_actual_qos(publisher_handle_.get());
  if (!qos) {
    const std::string message = "failed to get qos settings: " + std::string(rcl_get_error_string().str);
    rcl_reset_error();
    throw std::runtime_error(message);
  }
  return rclcpp::QoS(rclcpp::QoSInitialization::from_rmw(*qos), *qos);
}

bool PublisherBase::can_loan_messages() const
{
  return false;
}

bool PublisherBase::operator==(const rmw_gid_t & gid) const
{
  return *this == &gid;
}

bool PublisherBase::operator==(const rmw_gid_t * gid) const
{
  bool result = false;
  if (rmw_compare_gids_equal(gid, &this->get_gid(), &result) != RMW_RET_OK) {
    const std::string message = "failed to compare gids: " + std::string(rcl_get_error_string().str);
    rmw_reset_error();
    throw std::runtime_error(message);
  }
  return result;
}

void PublisherBase::setup_intra_process(
  uint64_t intra_process_publisher_id, IntraProcessManagerSharedPtr ipm)
{
  intra_process_publisher_id_ = intra_process_publisher_id;
  weak_ipm_ = ipm;
  intra_process_is_enabled_ = true;
}

std::vector<rclcpp::NetworkFlowEndpoint> PublisherBase::get_network_flow_endpoints() const
{
  rcutils_allocator_t allocator = rcutils_get_default_allocator();
  rcl_network_flow_endpoint_array_t array = rcl_get_zero_initialized_network_flow_endpoint_array();
  const rcl_ret_t ret = rcl_publisher_get_network_flow_endpoints(
    publisher_handle_.get(), &allocator, &array);
  if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "error obtaining network flows of publisher");
  }
  RCPPUTILS_SCOPE_EXIT(
  {
    if (rcl_network_flow_endpoint_array_fini(&array) != RCL_RET_OK) {
      rcl_reset_error();
    }
  });
  return std::vector<rclcpp::NetworkFlowEndpoint>(
    array.network_flow_endpoint, array.network_flow_endpoint + array.size);
}

size_t PublisherBase::lowest_available_ipm_capacity() const
{
  auto ipm = intra_process_is_enabled_ ? weak_ipm_.lock() : nullptr;
  if (!ipm) {
    return 0;
  }
  return ipm->lowest_available_capacity(intra_process_publisher_id_);
}

void PublisherBase::set_on_new_qos_event_callback(
  std::function<void(size_t)> callback, rcl_publisher_event_type_t event_type)
{
  auto handler = event_handlers_.find(event_type);
  if (handler == event_handlers_.end()) {
    RCLCPP_WARN(
      rclcpp::get_logger("rclcpp"),
      "Calling set_on_new_qos_event_callback for non registered publisher event_type");
    return;
  }
  if (!callback) {
    throw std::invalid_argument(
            "The callback passed to set_on_new_qos_event_callback is not callable.");
  }
  handler->second->set_on_ready_callback([callback](size_t count, int) {callback(count);});
}

void PublisherBase::clear_on_new_qos_event_callback(rcl_publisher_event_type_t event_type)
{
  auto handler = event_handlers_.find(event_type);
  if (handler == event_handlers_.end()) {
    RCLCPP_WARN(
      rclcpp::get_logger("rclcpp"),
      "Calling clear_on_new_qos_event_callback for non registered event_type");
    return;
  }
  handler->second->clear_on_ready_callback();
}

void PublisherBase::throw_unless_shut_down(rcl_ret_t ret, const char * what) const
{
  if (ret == RCL_RET_PUBLISHER_INVALID) {
    rcl_reset_error();
    if (rcl_publisher_is_valid_except_context(publisher_handle_.get())) {
      rcl_context_t * context = rcl_publisher_get_context(publisher_handle_.get());
      if (context && !rcl_context_is_valid(context)) {
        return;
      }
    }
    throw std::runtime_error(std::string(what) + ": the publisher is invalid");
  }
  exceptions::throw_from_rcl_error(ret, what);
}

bool PublisherBase::wait_for_all_acked_impl(std::chrono::nanoseconds timeout) const
{
  const rcl_ret_t ret = rcl_publisher_wait_for_all_acked(
    publisher_handle_.get(), timeout.count() < 0 ? -1 : timeout.count());
  if (ret == RCL_RET_OK) {
    return true;
  }
  if (ret == RCL_RET_TIMEOUT) {
    rcl_reset_error();
    return false;
  }
  exceptions::throw_from_rcl_error(ret);
}

}  // namespace rclcpp
