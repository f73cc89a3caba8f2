#include "rclcpp/timer.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "rclcpp/detail/cpp_callback_trampoline.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"

namespace rclcpp {

namespace {

std::runtime_error timer_error(const std::string & what) {
  std::runtime_error error(what + ": " + rcl_get_error_string().str);
  rcl_reset_error();
  return error;
}

}  // namespace

bool detail::call_rcl_timer(rcl_timer_t * timer, rcl_timer_call_info_t & info) {
  const rcl_ret_t ret = rcl_timer_call_with_info(timer, &info);
  if (ret == RCL_RET_TIMER_CANCELED) {
    rcl_reset_error();
    return false;
  }
  if (ret != RCL_RET_OK) { throw timer_error("Failed to notify timer that callback occurred"); }
  return true;
}

TimerBase::TimerBase(
  Clock::SharedPtr clock, std::chrono::nanoseconds period, Context::SharedPtr context, bool autostart)
: clock_(std::move(clock)) {
  if (!context) { context = contexts::get_global_default_context(); }
  // rcl keeps plain pointers to the clock and the context: the deleter keeps both alive.
  timer_handle_ = std::shared_ptr<rcl_timer_t>(new rcl_timer_t(rcl_get_zero_initialized_timer()),
    [clock = clock_, rcl_context = context->get_rcl_context()](rcl_timer_t * timer) {
      {
        std::lock_guard<std::mutex> clock_guard(clock->get_clock_mutex());
        if (rcl_timer_fini(timer) != RCL_RET_OK) {
          RCLCPP_ERROR(
            rclcpp::get_logger("rclcpp"), "Failed to clean up rcl timer handle: %s", rcl_get_error_string().str);
          rcl_reset_error();
        }
      }
      delete timer;
    });

  std::lock_guard<std::mutex> clock_guard(clock_->get_clock_mutex());
  const rcl_ret_t ret = rcl_timer_init2(timer_handle_.get(), clock_->get_clock_handle(),
    context->get_rcl_context().get(), period.count(), nullptr, rcl_get_default_allocator(), autostart);
  if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret, "Couldn't initialize rcl timer handle"); }
}

TimerBase::~TimerBase() { clear_on_reset_callback(); }

void TimerBase::cancel() {
  if (rcl_timer_cancel(timer_handle_.get()) != RCL_RET_OK) { throw timer_error("Couldn't cancel timer"); }
}

bool TimerBase::is_canceled() {
  bool is_canceled = false;
  const rcl_ret_t ret = rcl_timer_is_canceled(timer_handle_.get(), &is_canceled);
  if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret, "Couldn't get timer cancelled state"); }
  return is_canceled;
}

void TimerBase::reset() {
  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  if (rcl_timer_reset(timer_handle_.get()) != RCL_RET_OK) { throw timer_error("Couldn't reset timer"); }
}

bool TimerBase::is_ready() {
  bool ready = false;
  if (rcl_timer_is_ready(timer_handle_.get(), &ready) != RCL_RET_OK) { throw timer_error("Failed to check timer"); }
  return ready;
}

std::chrono::nanoseconds TimerBase::time_until_trigger() {
  int64_t time_until_next_call = 0;
  const rcl_ret_t ret = rcl_timer_get_time_until_next_call(timer_handle_.get(), &time_until_next_call);
  if (ret == RCL_RET_TIMER_CANCELED) {
    rcl_reset_error();
    return std::chrono::nanoseconds::max();
  }
  if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret, "Timer could not get time until next call"); }
  return std::chrono::nanoseconds(time_until_next_call);
}

std::shared_ptr<const rcl_timer_t> TimerBase::get_timer_handle() { return timer_handle_; }

bool TimerBase::exchange_in_use_by_wait_set_state(bool in_use_state) {
  return in_use_by_wait_set_.exchange(in_use_state);
}

void TimerBase::set_on_reset_callback(std::function<void(size_t)> callback) {
  if (!callback) { throw std::invalid_argument("The callback passed to set_on_reset_callback is not callable."); }
  std::function<void(size_t)> guarded = [callback, this](size_t reset_calls) {
    try {
      callback(reset_calls);
    } catch (const std::exception & exception) {
      RCLCPP_ERROR_STREAM(rclcpp::get_logger("rclcpp"), "rclcpp::TimerBase@"
                                                          << this
                                                          << " caught exception in user-provided callback for "
                                                             "the 'on reset' callback: "
                                                          << exception.what());
    } catch (...) {
      RCLCPP_ERROR_STREAM(rclcpp::get_logger("rclcpp"), "rclcpp::TimerBase@"
                                                          << this
                                                          << " caught unhandled exception in user-provided "
                                                             "callback for the 'on reset' callback");
    }
  };

  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  // rcl calls back at once for earlier resets: it must never see a function that is being
  // replaced, so the local one is registered first.
  set_on_reset_callback(
    detail::cpp_callback_trampoline<std::function<void(size_t)>>, static_cast<const void *>(&guarded));
  on_reset_callback_ = guarded;
  set_on_reset_callback(
    detail::cpp_callback_trampoline<std::function<void(size_t)>>, static_cast<const void *>(&on_reset_callback_));
}

void TimerBase::clear_on_reset_callback() {
  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  if (on_reset_callback_) {
    set_on_reset_callback(nullptr, nullptr);
    on_reset_callback_ = nullptr;
  }
}

void TimerBase::set_on_reset_callback(rcl_event_callback_t callback, const void * user_data) {
  const rcl_ret_t ret = rcl_timer_set_on_reset_callback(timer_handle_.get(), callback, user_data);
  if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret, "Failed to set timer on reset callback"); }
}

}  // namespace rclcpp
