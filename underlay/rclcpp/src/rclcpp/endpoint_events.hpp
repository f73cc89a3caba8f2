// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rcl_check.hpp"
#include "rclcpp/detail/cpp_callback_trampoline.hpp"
#include "rclcpp/detail/event_source.hpp"
#include "rclcpp/expand_topic_or_service_name.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"

// What publishers and subscriptions do alike.
namespace rclcpp::detail {

/// rmw calls back in its own threads, where an exception would end the process.
template <typename CallbackT, typename... ArgsT>
std::function<void(size_t)> without_exceptions(const std::string & who, CallbackT callback, ArgsT... args) {
  if (!callback) { throw std::invalid_argument("The callback passed to " + who + " is not callable."); }
  return [who, callback, args...](size_t count) {
    try {
      callback(count, args...);
    } catch (const std::exception & exception) {
      RCLCPP_ERROR_STREAM(
        get_logger("rclcpp"), "caught an exception in the callback given to " << who << ": " << exception.what());
    } catch (...) { RCLCPP_ERROR_STREAM(get_logger("rclcpp"), "caught an exception in the callback given to " << who); }
  };
}

inline std::function<void(size_t, int)> without_entity(const std::function<void(size_t)> & callback) {
  if (!callback) { return nullptr; }
  return [callback](size_t count, int) { callback(count); };
}

/// Make the rcl handle of an endpoint; it finalises itself.
template <typename HandleT, typename OptionsT>
std::shared_ptr<HandleT> make_handle(node_interfaces::NodeBaseInterface & node_base, const std::string & topic,
  const rosidl_message_type_support_t & type_support, const OptionsT & options, HandleT zero,
  rcl_ret_t (*init)(
    HandleT *, const rcl_node_t *, const rosidl_message_type_support_t *, const char *, const OptionsT *),
  rcl_ret_t (*fini)(HandleT *, rcl_node_t *), const char * init_failure, const char * fini_failure) {
  auto node = node_base.get_shared_rcl_node_handle();
  auto handle = std::make_unique<HandleT>(zero);
  const rcl_ret_t ret = init(handle.get(), node.get(), &type_support, topic.c_str(), &options);
  if (ret == RCL_RET_TOPIC_NAME_INVALID) {
    rcl_reset_error();
    // Throws an exception that shows where the name is wrong.
    expand_topic_or_service_name(topic, node_base.get_name(), node_base.get_namespace());
  }
  check(ret, init_failure);
  return std::shared_ptr<HandleT>(handle.release(), [node, fini, fini_failure](HandleT * old) {
    log_failure(fini(old, node.get()), fini_failure);
    delete old;
  });
}

#define RCLCPP_DETAIL_OF_EVENT_SOURCE \
  template <typename HandleT, typename EventTypeT, rcl_ret_t (*init)(rcl_event_t *, const HandleT *, EventTypeT)>

RCLCPP_DETAIL_OF_EVENT_SOURCE
template <typename CallbacksT> void EventSource<HandleT, EventTypeT, init>::add_default_event_handlers(
  const std::shared_ptr<HandleT> & parent, const CallbacksT & callbacks, EventTypeT incompatible_qos,
  EventTypeT incompatible_type, const GuardCondition::SharedPtr & notify, const Logger & logger,
  const std::string & topic, const char * qos_warning, const char * type_warning) {
  // Executors may hold an event handler for a moment longer than the endpoint lives, so the callbacks
  // refer to names and not to the endpoint.
  decltype(callbacks.incompatible_qos_callback) warn_of_qos = [=](auto & info) {
    RCLCPP_WARN(logger, qos_warning, topic.c_str(), qos_policy_name_from_kind(info.last_policy_kind).c_str());
  };
  IncompatibleTypeCallbackType warn_of_type = [=](auto &) { RCLCPP_WARN(logger, type_warning, topic.c_str()); };
  try {
    if (!callbacks.incompatible_qos_callback) { add_event_handler(parent, warn_of_qos, incompatible_qos, notify); }
    if (!callbacks.incompatible_type_callback) { add_event_handler(parent, warn_of_type, incompatible_type, notify); }
  } catch (const UnsupportedEventTypeException &) {
    // The defaults are a courtesy; a middleware without such events does without.
  }
}

RCLCPP_DETAIL_OF_EVENT_SOURCE
EventHandlerBase * EventSource<HandleT, EventTypeT, init>::find_event_handler(EventTypeT event_type) const {
  const auto handler = event_handlers_.find(event_type);
  if (handler != event_handlers_.end()) { return handler->second.get(); }
  RCLCPP_WARN(get_logger("rclcpp"), "no handler is registered for this type of event, nothing is done");
  return nullptr;
}

RCLCPP_DETAIL_OF_EVENT_SOURCE
void EventSource<HandleT, EventTypeT, init>::set_on_new_qos_event_callback(
  std::function<void(size_t)> callback, EventTypeT event_type) {
  if (auto * handler = find_event_handler(event_type)) { handler->set_on_ready_callback(without_entity(callback)); }
}

RCLCPP_DETAIL_OF_EVENT_SOURCE
void EventSource<HandleT, EventTypeT, init>::clear_on_new_qos_event_callback(EventTypeT event_type) {
  if (auto * handler = find_event_handler(event_type)) { handler->clear_on_ready_callback(); }
}

}  // namespace rclcpp::detail
