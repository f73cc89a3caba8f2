// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/timer.hpp"

#include "new_event_callback.hpp"

namespace rclcpp {

namespace {

void check_timer(rcl_ret_t ret, const char * what) {
  if (ret == RCL_RET_OK) { return; }
  std::runtime_error error(std::string(what) + ": " + rcl_get_error_string().str);
  rcl_reset_error();
  throw error;
}

/// For an answer of rcl that a canceled timer is allowed to give.
bool is_canceled_error(rcl_ret_t ret) {
  if (ret == RCL_RET_TIMER_CANCELED) { rcl_reset_error(); }
  return ret == RCL_RET_TIMER_CANCELED;
}

}  // namespace

TimerBase::TimerBase(
  Clock::SharedPtr clock, std::chrono::nanoseconds period, Context::SharedPtr context, bool autostart)
: clock_(std::move(clock)) {
  if (!context) { context = contexts::get_global_default_context(); }
  // rcl keeps plain pointers to the clock and the context: the deleter keeps both alive.
  timer_handle_ = std::shared_ptr<rcl_timer_t>(new rcl_timer_t(rcl_get_zero_initialized_timer()),
    [clock = clock_, rcl_context = context->get_rcl_context()](rcl_timer_t * timer) {
      {
        std::lock_guard<std::mutex> clock_guard(clock->get_clock_mutex());
        detail::log_failure(rcl_timer_fini(timer), "Failed to clean up rcl timer handle");
      }
      delete timer;
    });
  std::lock_guard<std::mutex> clock_guard(clock_->get_clock_mutex());
  detail::check(rcl_timer_init2(timer_handle_.get(), clock_->get_clock_handle(), context->get_rcl_context().get(),
                  period.count(), nullptr, rcl_get_default_allocator(), autostart),
    "Couldn't initialize rcl timer handle");
}

TimerBase::~TimerBase() { clear_on_reset_callback(); }

bool TimerBase::call_with_info(rcl_timer_call_info_t & info) {
  const rcl_ret_t ret = rcl_timer_call_with_info(timer_handle_.get(), &info);
  if (is_canceled_error(ret)) { return false; }
  check_timer(ret, "Failed to notify timer that callback occurred");
  return true;
}

void TimerBase::cancel() { check_timer(rcl_timer_cancel(timer_handle_.get()), "Couldn't cancel timer"); }

bool TimerBase::is_canceled() {
  bool is_canceled = false;
  detail::check(rcl_timer_is_canceled(timer_handle_.get(), &is_canceled), "Couldn't get timer cancelled state");
  return is_canceled;
}

void TimerBase::reset() {
  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  check_timer(rcl_timer_reset(timer_handle_.get()), "Couldn't reset timer");
}

bool TimerBase::is_ready() {
  bool ready = false;
  check_timer(rcl_timer_is_ready(timer_handle_.get(), &ready), "Failed to check timer");
  return ready;
}

std::chrono::nanoseconds TimerBase::time_until_trigger() {
  int64_t time_until_next_call = 0;
  const rcl_ret_t ret = rcl_timer_get_time_until_next_call(timer_handle_.get(), &time_until_next_call);
  if (is_canceled_error(ret)) { return std::chrono::nanoseconds::max(); }
  detail::check(ret, "Timer could not get time until next call");
  return std::chrono::nanoseconds(time_until_next_call);
}

void TimerBase::set_on_reset_callback(std::function<void(size_t)> callback) {
  detail::replace_new_event_callback(callback_mutex_, on_reset_callback_,
    detail::without_exceptions("set_on_reset_callback", callback), rcl_timer_set_on_reset_callback, timer_handle_.get(),
    "Failed to set timer on reset callback");
}

void TimerBase::clear_on_reset_callback() {
  detail::replace_new_event_callback(callback_mutex_, on_reset_callback_, nullptr, rcl_timer_set_on_reset_callback,
    timer_handle_.get(), "Failed to set timer on reset callback");
}

}  // namespace rclcpp
