// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/event_handler.hpp"

#include "new_event_callback.hpp"

namespace rclcpp {

EventHandlerBase::~EventHandlerBase() {
  // The middleware holds a pointer to the callback.
  if (listener_ || on_new_event_callback_) {
    detail::log_failure(rcl_event_set_callback(&event_handle_, nullptr, nullptr), "failed to clear a callback");
  }
  detail::log_failure(rcl_event_fini(&event_handle_), "Error in destruction of rcl event handle");
}

void EventHandlerBase::check_init(rcl_ret_t ret) {
  if (ret == RCL_RET_UNSUPPORTED) {
    UnsupportedEventTypeException exc(ret, rcl_get_error_state(), "Failed to initialize event: ");
    rcl_reset_error();
    throw exc;
  }
  detail::check(ret, "Failed to initialize event");
}

void EventHandlerBase::add_to_wait_set(rcl_wait_set_t & wait_set) {
  if (!listener_) {
    detail::check(
      rcl_wait_set_add_event(&wait_set, &event_handle_, &wait_set_event_index_), "Couldn't add event to wait set");
  }
}

bool EventHandlerBase::is_ready(const rcl_wait_set_t & wait_set) {
  return listener_ ? unhandled_.exchange(0) != 0 : wait_set.events[wait_set_event_index_] == &event_handle_;
}

bool EventHandlerBase::take_event(void * event_info) {
  const rcl_ret_t ret = rcl_take_event(&event_handle_, event_info);
  if (ret != RCL_RET_EVENT_TAKE_FAILED) { detail::log_failure(ret, "Couldn't take event info"); }
  rcl_reset_error();
  return ret == RCL_RET_OK;
}

void EventHandlerBase::listen_instead_of_waiting(GuardCondition::SharedPtr wake_up) {
  listener_ = [this, wake_up](size_t count) {
    unhandled_.fetch_add(count);
    wake_up->trigger();
  };
  set_rcl_callback(&listener_);
}

void EventHandlerBase::set_on_ready_callback(std::function<void(size_t, int)> callback) {
  detail::replace_new_event_callback(callback_mutex_, on_new_event_callback_,
    detail::without_exceptions("set_on_ready_callback", callback, static_cast<int>(EntityType::Event)),
    rcl_event_set_callback, &event_handle_, "failed to set the on new message callback for Event");
}

void EventHandlerBase::clear_on_ready_callback() {
  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  if (on_new_event_callback_) {
    set_rcl_callback(listener_ ? &listener_ : nullptr);
    on_new_event_callback_ = nullptr;
  }
}

void EventHandlerBase::set_rcl_callback(const std::function<void(size_t)> * callback) {
  detail::check(rcl_event_set_callback(&event_handle_,
                  callback ? detail::cpp_callback_trampoline<std::function<void(size_t)>> : nullptr, callback),
    "failed to set the on new message callback for Event");
}

}  // namespace rclcpp
