#include "rclcpp/subscription_base.hpp"

#include <memory>
#include <string>
#include <vector>

#include "rclcpp/detail/cpp_callback_trampoline.hpp"
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

// Executors may hold an event handler for a moment longer than the subscription lives, so the
// default callbacks refer to names and not to the subscription.
QOSRequestedIncompatibleQoSCallbackType warn_of_incompatible_qos(
  const std::string & logger_name, const std::string & topic_name)
{
  return [logger_name, topic_name](QOSRequestedIncompatibleQoSInfo & info) {
           RCLCPP_WARN(
             rclcpp::get_logger(logger_name),
             "New publisher discovered on topic '%s', offering incompatible QoS. "
             "No messages will be received from it. Last incompatible policy: %s",
             topic_name.c_str(), qos_policy_name_from_kind(info.last_policy_kind).c_str());
         };
}

IncompatibleTypeCallbackType warn_of_incompatible_type(
  const std::string & logger_name, const std::string & topic_name)
{
  return [logger_name, topic_name](IncompatibleTypeInfo &) {
           RCLCPP_WARN(
             rclcpp::get_logger(logger_name),
             "Incompatible type on topic '%s', no messages will be received from it.",
             topic_name.c_str());
         };
}

}  // namespace

SubscriptionBase::SubscriptionBase(
  node_interfaces::NodeBaseInterface * node_base,
  const rosidl_message_type_support_t & type_support_handle, const std::string & topic_name,
  const rcl_subscription_options_t & subscription_options,
  const SubscriptionEventCallbacks & event_callbacks, bool use_default_callbacks,
  DeliveredMessageKind delivered_message_kind)
: node_base_(node_base),
  node_handle_(node_base->get_shared_rcl_node_handle()),
  type_support_(type_support_handle),
  delivered_message_kind_(delivered_message_kind)
{
  auto finalize = [node_handle = node_handle_](rcl_subscription_t * subscription) {
      if (rcl_subscription_fini(subscription, node_handle.get()) != RCL_RET_OK) {
        RCLCPP_ERROR(
          rclcpp::get_node_logger(node_handle.get()).get_child("rclcpp"),
          "Error in destruction of rcl subscription handle: %s", rcl_get_error_string().str);
        rcl_reset_error();
      }
      delete subscription;
    };
  auto handle = std::make_unique<rcl_subscription_t>(rcl_get_zero_initialized_subscription());
  const rcl_ret_t ret = rcl_subscription_init(
    handle.get(), node_handle_.get(), &type_support_, topic_name.c_str(), &subscription_options);
  if (ret != RCL_RET_OK) {
    if (ret == RCL_RET_TOPIC_NAME_INVALID) {
      const std::string node_name = rcl_node_get_name(node_handle_.get());
      const std::string node_namespace = rcl_node_get_namespace(node_handle_.get());
      rcl_reset_error();
      // Throws an exception that shows where the name is wrong.
      expand_topic_or_service_name(topic_name, node_name, node_namespace);
    }
    exceptions::throw_from_rcl_error(ret, "could not create subscription");
  }
  subscription_handle_ = std::shared_ptr<rcl_subscription_t>(handle.release(), finalize);
  bind_event_callbacks(event_callbacks, use_default_callbacks);
}

SubscriptionBase::~SubscriptionBase()
{
  if (on_new_message_callback_) {
    try {
      clear_on_new_message_callback();
    } catch (const std::exception & exc) {
      RCLCPP_ERROR(rclcpp::get_logger("rclcpp"), "%s", exc.what());
    }
  }
  if (!use_intra_process_) {
    return;
  }
  // Without a manager the context is gone, and with it all intra-process communication.
  if (auto ipm = weak_ipm_.lock()) {
    ipm->remove_subscription(intra_process_subscription_id_);
  }
}

void SubscriptionBase::bind_event_callbacks(
  const SubscriptionEventCallbacks & event_callbacks, bool use_default_callbacks)
{
  if (event_callbacks.deadline_callback) {
    add_event_handler(
      event_callbacks.deadline_callback, RCL_SUBSCRIPTION_REQUESTED_DEADLINE_MISSED);
  }
  if (event_callbacks.liveliness_callback) {
    add_event_handler(event_callbacks.liveliness_callback, RCL_SUBSCRIPTION_LIVELINESS_CHANGED);
  }
  const char * logger_name = rcl_node_get_logger_name(node_handle_.get());
  const auto notify = node_base_->get_shared_notify_guard_condition();
  try {
    if (event_callbacks.incompatible_qos_callback) {
      add_event_handler(
        event_callbacks.incompatible_qos_callback, RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS);
    } else if (use_default_callbacks) {
      add_event_handler(
        warn_of_incompatible_qos(logger_name, get_topic_name()),
        RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS, notify);
    }
    if (event_callbacks.incompatible_type_callback) {
      add_event_handler(
        event_callbacks.incompatible_type_callback, RCL_SUBSCRIPTION_INCOMPATIBLE_TYPE);
    } else if (use_default_callbacks) {
      add_event_handler(
        warn_of_incompatible_type(logger_name, get_topic_name()),
        RCL_SUBSCRIPTION_INCOMPATIBLE_TYPE, notify);
    }
  } catch (const UnsupportedEventTypeException & exc) {
    if (event_callbacks.incompatible_qos_callback || event_callbacks.incompatible_type_callback) {
      RCLCPP_WARN(
        rclcpp::get_node_logger(node_handle_.get()).get_child("rclcpp"),
        "The middleware does not support an event of subscription '%s': %s", get_topic_name(),
        exc.what());
    }
  }
  if (event_callbacks.message_lost_callback) {
    add_event_handler(event_callbacks.message_lost_callback, RCL_SUBSCRIPTION_MESSAGE_LOST);
  }
  if (event_callbacks.matched_callback) {
    add_event_handler(event_callbacks.matched_callback, RCL_SUBSCRIPTION_MATCHED);
  }
}

const char * SubscriptionBase::get_topic_name() const
{
  return rcl_subscription_get_topic_name(subscription_handle_.get());
}

std::shared_ptr<rcl_subscription_t> SubscriptionBase::get_subscription_handle()
{
  return subscription_handle_;
}

std::shared_ptr<const rcl_subscription_t> SubscriptionBase::get_subscription_handle() const
{
  return subscription_handle_;
}

const std::unordered_map<
  rcl_subscription_event_type_t, std::shared_ptr<rclcpp::EventHandlerBase>> &
SubscriptionBase::get_event_handlers() const
{
  return event_handlers_;
}

rclcpp::QoS SubscriptionBase::get_actual_qos() const
{
  const rmw_qos_profile_t * qos = rcl_subscription_get_actual_qos(subscription_handle_.get());
  if (!qos) {
    const std::string message =
      "failed to get qos settings: " + std::string(rcl_get_error_string().str);
    rcl_reset_error();
    throw std::runtime_error(message);
  }
  return rclcpp::QoS(rclcpp::QoSInitialization::from_rmw(*qos), *qos);
}

bool SubscriptionBase::take_type_erased(void * message_out, rclcpp::MessageInfo & info_out)
{
  const rcl_ret_t ret = rcl_take(
    subscription_handle_.get(), message_out, &info_out.get_rmw_message_info(), nullptr);
  if (ret == RCL_RET_SUBSCRIPTION_TAKE_FAILED) {
    return false;
  }
  if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret);
  }
  return true;
}

bool SubscriptionBase::take_serialized(
  rclcpp::SerializedMessage & message_out, rclcpp::MessageInfo & message_info_out)
{
  const rcl_ret_t ret = rcl_take_serialized_message(
    subscription_handle_.get(), &message_out.get_rcl_serialized_message(),
    &message_info_out.get_rmw_message_info(), nullptr);
  if (ret == RCL_RET_SUBSCRIPTION_TAKE_FAILED) {
    return false;
  }
  if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret);
  }
  return true;
}

const rosidl_message_type_support_t & SubscriptionBase::get_message_type_support_handle() const
{
  return type_support_;
}

bool SubscriptionBase::is_serialized() const
{
  return delivered_message_kind_ == DeliveredMessageKind::SERIALIZED_MESSAGE;
}

DeliveredMessageKind SubscriptionBase::get_delivered_message_kind() const
{
  return delivered_message_kind_;
}

size_t SubscriptionBase::get_publisher_count() const
{
  size_t count = 0;
  const rcl_ret_t ret = rcl_subscription_get_publisher_count(subscription_handle_.get(), &count);
  if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "failed to get publisher count");
  }
  return count;
}

bool SubscriptionBase::can_loan_messages() const
{
  return false;
}

void SubscriptionBase::setup_intra_process(
  uint64_t intra_process_subscription_id, IntraProcessManagerWeakPtr weak_ipm)
{
  intra_process_subscription_id_ = intra_process_subscription_id;
  weak_ipm_ = weak_ipm;
  use_intra_process_ = true;
}

rclcpp::Waitable::SharedPtr SubscriptionBase::get_intra_process_waitable() const
{
  return subscription_intra_process_;
}

bool SubscriptionBase::exchange_in_use_by_wait_set_state(
  void * pointer_to_subscription_part, bool in_use_state)
{
  if (pointer_to_subscription_part == nullptr) {
    throw std::invalid_argument("pointer_to_subscription_part is unexpectedly nullptr");
  }
  if (pointer_to_subscription_part == this) {
    return subscription_in_use_by_wait_set_.exchange(in_use_state);
  }
  if (pointer_to_subscription_part == get_intra_process_waitable().get()) {
    return intra_process_subscription_waitable_in_use_by_wait_set_.exchange(in_use_state);
  }
  for (const auto & [event_type, handler] : event_handlers_) {
    if (pointer_to_subscription_part == handler.get()) {
      return handler->exchange_in_use_by_wait_set_state(in_use_state);
    }
  }
  throw std::runtime_error("given pointer_to_subscription_part does not match any part");
}

std::vector<rclcpp::NetworkFlowEndpoint> SubscriptionBase::get_network_flow_endpoints() const
{
  rcutils_allocator_t allocator = rcutils_get_default_allocator();
  rcl_network_flow_endpoint_array_t array = rcl_get_zero_initialized_network_flow_endpoint_array();
  const rcl_ret_t ret = rcl_subscription_get_network_flow_endpoints(
    subscription_handle_.get(), &allocator, &array);
  if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "error obtaining network flows of subscription");
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

void SubscriptionBase::set_on_new_message_callback(std::function<void(size_t)> callback)
{
  if (!callback) {
    throw std::invalid_argument(
            "The callback passed to set_on_new_message_callback is not callable.");
  }
  // An exception in a thread of the middleware would end the process.
  auto new_callback = [callback](size_t number_of_messages) {
      try {
        callback(number_of_messages);
      } catch (const std::exception & exception) {
        RCLCPP_ERROR_STREAM(
          rclcpp::get_logger("rclcpp"),
          "rclcpp::SubscriptionBase caught an exception in a user-provided callback for the "
          "'on new message' callback: " << exception.what());
      } catch (...) {
        RCLCPP_ERROR(
          rclcpp::get_logger("rclcpp"),
          "rclcpp::SubscriptionBase caught an unhandled exception in a user-provided callback "
          "for the 'on new message' callback");
      }
    };
  const auto set = [this](const std::function<void(size_t)> & target) {
      const rcl_ret_t ret = rcl_subscription_set_on_new_message_callback(
        subscription_handle_.get(),
        detail::cpp_callback_trampoline<std::function<void(size_t)>>, &target);
      if (ret != RCL_RET_OK) {
        exceptions::throw_from_rcl_error(
          ret, "failed to set the on new message callback for subscription");
      }
    };

  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  // Both must exist during the change: first the copy is installed, then the member.
  std::function<void(size_t)> copy = new_callback;
  set(copy);
  on_new_message_callback_ = new_callback;
  set(on_new_message_callback_);
}

void SubscriptionBase::clear_on_new_message_callback()
{
  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  if (on_new_message_callback_) {
    const rcl_ret_t ret = rcl_subscription_set_on_new_message_callback(
      subscription_handle_.get(), nullptr, nullptr);
    if (ret != RCL_RET_OK) {
      exceptions::throw_from_rcl_error(
        ret, "failed to clear the on new message callback for subscription");
    }
    on_new_message_callback_ = nullptr;
  }
}

void SubscriptionBase::set_on_new_intra_process_message_callback(
  std::function<void(size_t)> callback)
{
  if (!use_intra_process_) {
    RCLCPP_WARN(
      rclcpp::get_logger("rclcpp"),
      "Calling set_on_new_intra_process_message_callback for subscription with IPC disabled");
    return;
  }
  if (!callback) {
    throw std::invalid_argument(
            "The callback passed to set_on_new_intra_process_message_callback is not callable.");
  }
  subscription_intra_process_->set_on_ready_callback(
    [callback](size_t count, int) {callback(count);});
}

void SubscriptionBase::clear_on_new_intra_process_message_callback()
{
  if (!use_intra_process_) {
    RCLCPP_WARN(
      rclcpp::get_logger("rclcpp"),
      "Calling clear_on_new_intra_process_message_callback for subscription with IPC disabled");
    return;
  }
  subscription_intra_process_->clear_on_ready_callback();
}

void SubscriptionBase::set_on_new_qos_event_callback(
  std::function<void(size_t)> callback, rcl_subscription_event_type_t event_type)
{
  auto handler = event_handlers_.find(event_type);
  if (handler == event_handlers_.end()) {
    RCLCPP_WARN(
      rclcpp::get_logger("rclcpp"),
      "Calling set_on_new_qos_event_callback for non registered subscription event_type");
    return;
  }
  if (!callback) {
    throw std::invalid_argument(
            "The callback passed to set_on_new_qos_event_callback is not callable.");
  }
  handler->second->set_on_ready_callback([callback](size_t count, int) {callback(count);});
}

void SubscriptionBase::clear_on_new_qos_event_callback(rcl_subscription_event_type_t event_type)
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

bool SubscriptionBase::matches_any_intra_process_publishers(const rmw_gid_t * sender_gid) const
{
  if (!use_intra_process_) {
    return false;
  }
  auto ipm = weak_ipm_.lock();
  if (!ipm) {
    throw std::runtime_error(
            "intra process publisher check called after destruction of intra process manager");
  }
  return ipm->matches_any_publishers(sender_gid);
}

}  // namespace rclcpp
