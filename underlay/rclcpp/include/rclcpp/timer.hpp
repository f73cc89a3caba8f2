#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

#include "rcl/timer.h"
#include "rclcpp/clock.hpp"
#include "rclcpp/context.hpp"
#include "rclcpp/function_traits.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/rate.hpp"
#include "rclcpp/utilities.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

namespace detail {

/// Start the next period of the timer; false if it was canceled.
RCLCPP_PUBLIC bool call_rcl_timer(rcl_timer_t * timer, rcl_timer_call_info_t & info);

}  // namespace detail

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
  RCLCPP_PUBLIC explicit TimerBase(
    Clock::SharedPtr clock, std::chrono::nanoseconds period, rclcpp::Context::SharedPtr context, bool autostart = true);

  RCLCPP_PUBLIC virtual ~TimerBase();

  RCLCPP_PUBLIC void cancel();

  RCLCPP_PUBLIC bool is_canceled();

  /// Start the period anew; a canceled timer runs again.
  RCLCPP_PUBLIC void reset();

  /// Tell rcl that the callback is about to run; null if the timer was canceled meanwhile.
  RCLCPP_PUBLIC virtual std::shared_ptr<void> call() = 0;

  /// \param data what call() returned
  RCLCPP_PUBLIC virtual void execute_callback(const std::shared_ptr<void> & data) = 0;

  RCLCPP_PUBLIC std::shared_ptr<const rcl_timer_t> get_timer_handle();

  /// Negative if overdue, nanoseconds::max() if canceled.
  RCLCPP_PUBLIC std::chrono::nanoseconds time_until_trigger();

  RCLCPP_PUBLIC virtual bool is_steady() = 0;

  RCLCPP_PUBLIC bool is_ready();

  RCLCPP_PUBLIC bool exchange_in_use_by_wait_set_state(bool in_use_state);

  /// \throws std::invalid_argument if the callback is not callable
  RCLCPP_PUBLIC void set_on_reset_callback(std::function<void(size_t)> callback);

  RCLCPP_PUBLIC void clear_on_reset_callback();

protected:
  std::recursive_mutex callback_mutex_;
  std::function<void(size_t)> on_reset_callback_{nullptr};

  Clock::SharedPtr clock_;
  std::shared_ptr<rcl_timer_t> timer_handle_;

  std::atomic<bool> in_use_by_wait_set_{false};

  RCLCPP_PUBLIC void set_on_reset_callback(rcl_event_callback_t callback, const void * user_data);

private:
  friend class rclcpp::experimental::TimersManager;
};

using VoidCallbackType = std::function<void()>;
using TimerCallbackType = std::function<void(TimerBase &)>;
using TimerInfoCallbackType = std::function<void(const TimerInfo &)>;

/// A timer on any clock.
template <typename FunctorT,
  typename std::enable_if<rclcpp::function_traits::same_arguments<FunctorT, VoidCallbackType>::value ||
                          rclcpp::function_traits::same_arguments<FunctorT, TimerCallbackType>::value ||
                          rclcpp::function_traits::same_arguments<FunctorT, TimerInfoCallbackType>::value>::type * =
    nullptr>
class GenericTimer : public TimerBase {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(GenericTimer)

  explicit GenericTimer(Clock::SharedPtr clock, std::chrono::nanoseconds period, FunctorT && callback,
    rclcpp::Context::SharedPtr context, bool autostart = true)
  : TimerBase(clock, period, context, autostart), callback_(std::forward<FunctorT>(callback)) {}

  virtual ~GenericTimer() { cancel(); }

  std::shared_ptr<void> call() override {
    auto info = std::make_shared<rcl_timer_call_info_t>();
    return detail::call_rcl_timer(timer_handle_.get(), *info) ? info : nullptr;
  }

  void execute_callback(const std::shared_ptr<void> & data) override {
    using rclcpp::function_traits::same_arguments;
    if constexpr (same_arguments<FunctorT, VoidCallbackType>::value) {
      (void)data;
      callback_();
    } else if constexpr (same_arguments<FunctorT, TimerCallbackType>::value) {
      (void)data;
      callback_(*this);
    } else {
      const auto & info = *static_cast<const rcl_timer_call_info_t *>(data.get());
      const auto type = clock_->get_clock_type();
      callback_(TimerInfo{Time{info.expected_call_time, type}, Time{info.actual_call_time, type}});
    }
  }

  bool is_steady() override { return clock_->get_clock_type() == RCL_STEADY_TIME; }

protected:
  RCLCPP_DISABLE_COPY(GenericTimer)

  FunctorT callback_;
};

/// A timer on the steady clock.
template <typename FunctorT,
  typename std::enable_if<rclcpp::function_traits::same_arguments<FunctorT, VoidCallbackType>::value ||
                          rclcpp::function_traits::same_arguments<FunctorT, TimerCallbackType>::value ||
                          rclcpp::function_traits::same_arguments<FunctorT, TimerInfoCallbackType>::value>::type * =
    nullptr>
class WallTimer : public GenericTimer<FunctorT> {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(WallTimer)

  WallTimer(
    std::chrono::nanoseconds period, FunctorT && callback, rclcpp::Context::SharedPtr context, bool autostart = true)
  : GenericTimer<FunctorT>(std::make_shared<Clock>(RCL_STEADY_TIME), period, std::move(callback), context, autostart) {}

protected:
  RCLCPP_DISABLE_COPY(WallTimer)
};

}  // namespace rclcpp
