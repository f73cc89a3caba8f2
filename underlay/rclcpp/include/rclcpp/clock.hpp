// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/time.hpp"

namespace rclcpp {

/// Callbacks around a jump of a clock; they are registered as long as the handler lives.
class JumpHandler {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(JumpHandler)

  using pre_callback_t = std::function<void()>;
  using post_callback_t = std::function<void(const rcl_time_jump_t &)>;

  JumpHandler(pre_callback_t pre_callback, post_callback_t post_callback, const rcl_jump_threshold_t & threshold)
  : pre_callback(std::move(pre_callback)), post_callback(std::move(post_callback)), notice_threshold(threshold) {}

  pre_callback_t pre_callback;
  post_callback_t post_callback;
  rcl_jump_threshold_t notice_threshold;
};

class Clock {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(Clock)

  /// A clock of type RCL_ROS_TIME follows system time until a TimeSource is attached to it.
  explicit Clock(rcl_clock_type_t clock_type = RCL_SYSTEM_TIME);

  Time now() const;

  /// Sleep until `until`; false if the context ended, the time source changed or it was cancelled.
  /**
   * \throws std::runtime_error if the context is invalid or `until` is of another clock type
   */
  bool sleep_until(Time until, Context::SharedPtr context = contexts::get_global_default_context());
  bool sleep_for(Duration rel_time, Context::SharedPtr context = contexts::get_global_default_context()) {
    return sleep_until(now() + rel_time, std::move(context));
  }

  /// True once the time of the clock is not zero.
  bool started();
  bool wait_until_started(Context::SharedPtr context = contexts::get_global_default_context());
  bool wait_until_started(const Duration & timeout, Context::SharedPtr context = contexts::get_global_default_context(),
    const Duration & wait_tick_ns = Duration(0, 10000000));

  /// Make an ongoing, or else the next, sleep of one thread return false.
  void cancel_sleep_or_wait();

  /// \throws rclcpp::exceptions::RCLError for clocks that are not RCL_ROS_TIME
  bool ros_time_is_active();

  rcl_clock_t * get_clock_handle() noexcept;
  rcl_clock_type_t get_clock_type() const noexcept;
  std::mutex & get_clock_mutex() noexcept;

  /// Register jump callbacks; they are removed with the returned handler.
  JumpHandler::SharedPtr create_jump_callback(JumpHandler::pre_callback_t pre_callback,
    JumpHandler::post_callback_t post_callback, const rcl_jump_threshold_t & threshold);

private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace rclcpp
