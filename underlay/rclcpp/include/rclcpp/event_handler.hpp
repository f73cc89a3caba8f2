// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mutex>

#include "rcl/event.h"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/guard_condition.hpp"
#include "rclcpp/waitable.hpp"
#include "rmw/events_statuses/events_statuses.h"
#include "rmw/incompatible_qos_events_statuses.h"

namespace rclcpp {

using QOSDeadlineRequestedInfo = rmw_requested_deadline_missed_status_t;
using QOSDeadlineOfferedInfo = rmw_offered_deadline_missed_status_t;
using QOSLivelinessChangedInfo = rmw_liveliness_changed_status_t;
using QOSLivelinessLostInfo = rmw_liveliness_lost_status_t;
using QOSMessageLostInfo = rmw_message_lost_status_t;
using QOSOfferedIncompatibleQoSInfo = rmw_offered_qos_incompatible_event_status_t;
using QOSRequestedIncompatibleQoSInfo = rmw_requested_qos_incompatible_event_status_t;
using IncompatibleTypeInfo = rmw_incompatible_type_status_t;
using MatchedInfo = rmw_matched_status_t;

using QOSDeadlineRequestedCallbackType = std::function<void(QOSDeadlineRequestedInfo &)>;
using QOSDeadlineOfferedCallbackType = std::function<void(QOSDeadlineOfferedInfo &)>;
using QOSLivelinessChangedCallbackType = std::function<void(QOSLivelinessChangedInfo &)>;
using QOSLivelinessLostCallbackType = std::function<void(QOSLivelinessLostInfo &)>;
using QOSMessageLostCallbackType = std::function<void(QOSMessageLostInfo &)>;
using QOSOfferedIncompatibleQoSCallbackType = std::function<void(QOSOfferedIncompatibleQoSInfo &)>;
using QOSRequestedIncompatibleQoSCallbackType = std::function<void(QOSRequestedIncompatibleQoSInfo &)>;
using IncompatibleTypeCallbackType = std::function<void(IncompatibleTypeInfo &)>;
using PublisherMatchedCallbackType = std::function<void(MatchedInfo &)>;
using SubscriptionMatchedCallbackType = std::function<void(MatchedInfo &)>;

struct PublisherEventCallbacks {
  QOSDeadlineOfferedCallbackType deadline_callback;
  QOSLivelinessLostCallbackType liveliness_callback;
  QOSOfferedIncompatibleQoSCallbackType incompatible_qos_callback;
  IncompatibleTypeCallbackType incompatible_type_callback;
  PublisherMatchedCallbackType matched_callback;
};

struct SubscriptionEventCallbacks {
  QOSDeadlineRequestedCallbackType deadline_callback;
  QOSLivelinessChangedCallbackType liveliness_callback;
  QOSRequestedIncompatibleQoSCallbackType incompatible_qos_callback;
  QOSMessageLostCallbackType message_lost_callback;
  IncompatibleTypeCallbackType incompatible_type_callback;
  SubscriptionMatchedCallbackType matched_callback;
};

class UnsupportedEventTypeException : public exceptions::detail::RCLErrorAs<std::runtime_error> {
  using RCLErrorAs::RCLErrorAs;
};

/// Waits for one kind of event of a publisher or subscription.
class EventHandlerBase : public Waitable {
public:
  enum class EntityType : std::size_t { Event };

  virtual ~EventHandlerBase();

  size_t get_number_of_ready_events() override { return listener_ ? 0 : 1; }
  void add_to_wait_set(rcl_wait_set_t & wait_set) override;
  bool is_ready(const rcl_wait_set_t & wait_set) override;
  void set_on_ready_callback(std::function<void(size_t, int)> callback) override;
  void clear_on_ready_callback() override;

protected:
  /// Let add_to_wait_set() stay out of the wait set until the middleware reports an event.
  ///
  /// Every endpoint has a default handler for incompatible QoS that hardly ever fires. Thousands
  /// of them in each rcl_wait() would cost more than all the rest, so they listen instead and
  /// wake the executor through the node's guard condition.
  void listen_instead_of_waiting(GuardCondition::SharedPtr wake_up);
  bool take_event(void * event_info);
  void check_init(rcl_ret_t ret);

  // The publisher or subscription must outlive the event.
  std::shared_ptr<const void> parent_;
  rcl_event_t event_handle_ = rcl_get_zero_initialized_event();
  size_t wait_set_event_index_{0};
  std::recursive_mutex callback_mutex_;
  std::function<void(size_t)> on_new_event_callback_{nullptr};

private:
  void set_rcl_callback(const std::function<void(size_t)> * callback);

  std::atomic_size_t unhandled_{0};
  std::function<void(size_t)> listener_;
};

namespace detail {
template <typename EventCallbackT> struct EventInfoOf;
template <typename InfoT> struct EventInfoOf<std::function<void(InfoT &)>> {
  using type = InfoT;
};
}  // namespace detail

template <typename EventCallbackT, typename ParentHandleT> class EventHandler : public EventHandlerBase {
  using EventInfo = typename detail::EventInfoOf<EventCallbackT>::type;

public:
  template <typename InitFuncT, typename EventTypeEnum>
  EventHandler(const EventCallbackT & callback, InitFuncT init_func, ParentHandleT parent_handle,
    EventTypeEnum event_type, GuardCondition::SharedPtr listen_with = nullptr)
  : event_callback_(callback) {
    parent_ = parent_handle;
    check_init(init_func(&event_handle_, parent_handle.get(), event_type));
    if (listen_with) { listen_instead_of_waiting(listen_with); }
  }

  std::shared_ptr<void> take_data() override {
    auto info = std::make_shared<EventInfo>();
    return take_event(info.get()) ? info : nullptr;
  }

  std::shared_ptr<void> take_data_by_entity_id(size_t) override { return take_data(); }

  void execute(const std::shared_ptr<void> & data) override {
    if (data) { event_callback_(*std::static_pointer_cast<EventInfo>(data)); }
  }

private:
  EventCallbackT event_callback_;
};

}  // namespace rclcpp
