// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <unordered_map>

#include "rclcpp/event_handler.hpp"
#include "rclcpp/logger.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/type_support_decl.hpp"

namespace rclcpp::node_interfaces {
class NodeBaseInterface;
}

namespace rclcpp::experimental {
class IntraProcessManager;
}

namespace rclcpp::detail {

/// The QoS events of a publisher or subscription.
template <typename HandleT, typename EventTypeT, rcl_ret_t (*init)(rcl_event_t *, const HandleT *, EventTypeT)>
class EventSource {
  using EventHandlers = std::unordered_map<EventTypeT, std::shared_ptr<EventHandlerBase>>;

public:
  const EventHandlers & get_event_handlers() const { return event_handlers_; }
  void set_on_new_qos_event_callback(std::function<void(size_t)> callback, EventTypeT event_type);
  void clear_on_new_qos_event_callback(EventTypeT event_type);
  /// Always false: loaned messages are not supported.
  bool can_loan_messages() const { return false; }

protected:
  template <typename CallbackT> void add_event_handler(const std::shared_ptr<HandleT> & parent,
    const CallbackT & callback, EventTypeT event_type, GuardCondition::SharedPtr listen_with = nullptr) {
    if (callback) {
      event_handlers_[event_type] = std::make_shared<EventHandler<CallbackT, std::shared_ptr<HandleT>>>(
        callback, init, parent, event_type, listen_with);
    }
  }
  /// Add handlers that warn about incompatible readers or writers where the user has none.
  /// \param qos_warning, type_warning formats for the topic and, in the first, the policy
  template <typename CallbacksT> void add_default_event_handlers(const std::shared_ptr<HandleT> & parent,
    const CallbacksT & callbacks, EventTypeT incompatible_qos, EventTypeT incompatible_type,
    const GuardCondition::SharedPtr & notify, const Logger & logger, const std::string & topic,
    const char * qos_warning, const char * type_warning);
  EventHandlerBase * find_event_handler(EventTypeT event_type) const;

  EventHandlers event_handlers_;
  std::weak_ptr<experimental::IntraProcessManager> weak_ipm_;
};

}  // namespace rclcpp::detail
