#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "rclcpp/detail/cpp_callback_trampoline.hpp"
#include "rclcpp/event_handler.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/qos.hpp"

// What publishers and subscriptions do alike with their events.
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

// Executors may hold an event handler for a moment longer than the endpoint lives, so the default
// callbacks refer to names and not to the endpoint.
template <typename InfoT>
std::function<void(InfoT &)> warn_of_incompatible_qos(
  const char * logger_name, const char * topic_name, const char * format) {
  return [logger = get_logger(logger_name), topic = std::string(topic_name), format](InfoT & info) {
    RCLCPP_WARN(logger, format, topic.c_str(), qos_policy_name_from_kind(info.last_policy_kind).c_str());
  };
}

inline IncompatibleTypeCallbackType warn_of_incompatible_type(
  const char * logger_name, const char * topic_name, const char * format) {
  return [logger = get_logger(logger_name), topic = std::string(topic_name), format](
           IncompatibleTypeInfo &) { RCLCPP_WARN(logger, format, topic.c_str()); };
}

template <typename HandlersT, typename EventT>
EventHandlerBase * find_event_handler(const HandlersT & handlers, EventT event_type) {
  auto handler = handlers.find(event_type);
  if (handler == handlers.end()) {
    RCLCPP_WARN(get_logger("rclcpp"), "no handler is registered for this type of event, nothing is done");
    return nullptr;
  }
  return handler->second.get();
}

}  // namespace rclcpp::detail
