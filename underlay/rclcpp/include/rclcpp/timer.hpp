// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rcl/timer.h"
#include "rclcpp/function_traits.hpp"
#include "rclcpp/rate.hpp"

namespace rclcpp {

struct TimerInfo {
  Time expected_call_time;
  Time actual_call_time;
};

namespace experimental {
class TimersManager;
}  // namespace experimental

class TimerBase {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(TimerBase)

  /// With `autostart` false the timer is made canceled; reset() starts it.
  explicit TimerBase(
    Clock::SharedPtr clock, std::chrono::nanoseconds period, Context::SharedPtr context, bool autostart = true);
  virtual ~TimerBase();

  void cancel();
  bool is_canceled();
  /// Start the period anew; a canceled timer runs again.
  void reset();
  /// Tell rcl that the callback is about to run; null if the timer was canceled meanwhile.
  virtual std::shared_ptr<void> call() = 0;
  /// \param data what call() returned
  virtual void execute_callback(const std::shared_ptr<void> & data) = 0;
  std::shared_ptr<const rcl_timer_t> get_timer_handle() { return timer_handle_; }
  /// Negative if overdue, nanoseconds::max() if canceled.
  std::chrono::nanoseconds time_until_trigger();
  virtual bool is_steady() = 0;
  bool is_ready();
  bool exchange_in_use_by_wait_set_state(bool in_use_state) { return in_use_by_wait_set_.exchange(in_use_state); }
  /// \throws std::invalid_argument if the callback is not callable
  void set_on_reset_callback(std::function<void(size_t)> callback);
  void clear_on_reset_callback();

protected:
  /// Start the next period of the timer; false if it was canceled.
  bool call_with_info(rcl_timer_call_info_t & info);

  std::recursive_mutex callback_mutex_;
  std::function<void(size_t)> on_reset_callback_{nullptr};
  Clock::SharedPtr clock_;
  std::shared_ptr<rcl_timer_t> timer_handle_;
  std::atomic<bool> in_use_by_wait_set_{false};

private:
  friend class experimental::TimersManager;
};

using VoidCallbackType = std::function<void()>;
using TimerCallbackType = std::function<void(TimerBase &)>;
using TimerInfoCallbackType = std::function<void(const TimerInfo &)>;

namespace detail {

template <typename FunctorT> using enable_if_timer_callback =
  std::enable_if_t<std::disjunction_v<function_traits::same_arguments<FunctorT, VoidCallbackType>,
    function_traits::same_arguments<FunctorT, TimerCallbackType>,
    function_traits::same_arguments<FunctorT, TimerInfoCallbackType>>>;

}  // namespace detail

/// A timer on any clock.
template <typename FunctorT, detail::enable_if_timer_callback<FunctorT> * = nullptr> class GenericTimer
: public TimerBase {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(GenericTimer)

  explicit GenericTimer(Clock::SharedPtr clock, std::chrono::nanoseconds period, FunctorT && callback,
    Context::SharedPtr context, bool autostart = true)
  : TimerBase(clock, period, context, autostart), callback_(std::forward<FunctorT>(callback)) {}

  virtual ~GenericTimer() { cancel(); }

  std::shared_ptr<void> call() override {
    auto info = std::make_shared<rcl_timer_call_info_t>();
    return call_with_info(*info) ? info : nullptr;
  }

  void execute_callback([[maybe_unused]] const std::shared_ptr<void> & data) override {
    using function_traits::same_arguments;
    if constexpr (same_arguments<FunctorT, VoidCallbackType>::value) {
      callback_();
    } else if constexpr (same_arguments<FunctorT, TimerCallbackType>::value) {
      callback_(*this);
    } else {
      const auto & info = *static_cast<const rcl_timer_call_info_t *>(data.get());
      const auto type = clock_->get_clock_type();
      callback_(TimerInfo{Time{info.expected_call_time, type}, Time{info.actual_call_time, type}});
    }
  }

  bool is_steady() override { return clock_->get_clock_type() == RCL_STEADY_TIME; }

protected:
  FunctorT callback_;
};

/// A timer on the steady clock.
template <typename FunctorT, detail::enable_if_timer_callback<FunctorT> * = nullptr> class WallTimer
: public GenericTimer<FunctorT> {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(WallTimer)

  WallTimer(std::chrono::nanoseconds period, FunctorT && callback, Context::SharedPtr context, bool autostart = true)
  : GenericTimer<FunctorT>(std::make_shared<Clock>(RCL_STEADY_TIME), period, std::move(callback), context, autostart) {}
};

}  // namespace rclcpp
