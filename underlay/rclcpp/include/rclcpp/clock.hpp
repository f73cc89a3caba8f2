#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "rcl/time.h"
#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/time.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

class TimeSource;

/// Callbacks around a jump of a clock; they are registered as long as the handler lives.
class JumpHandler {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(JumpHandler)

  using pre_callback_t = std::function<void()>;
  using post_callback_t = std::function<void(const rcl_time_jump_t &)>;

  JumpHandler(pre_callback_t pre_callback, post_callback_t post_callback, const rcl_jump_threshold_t & threshold);

  pre_callback_t pre_callback;
  post_callback_t post_callback;
  rcl_jump_threshold_t notice_threshold;
};

class Clock {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(Clock)

  /// A clock of type RCL_ROS_TIME follows system time until a TimeSource is attached to it.
  RCLCPP_PUBLIC explicit Clock(rcl_clock_type_t clock_type = RCL_SYSTEM_TIME);

  RCLCPP_PUBLIC ~Clock();

  RCLCPP_PUBLIC Time now() const;

  /// Sleep until `until`; false if the context ended, the time source changed or it was cancelled.
  /**
   * \throws std::runtime_error if the context is invalid or `until` is of another clock type
   */
  RCLCPP_PUBLIC bool sleep_until(Time until, Context::SharedPtr context = contexts::get_global_default_context());

  RCLCPP_PUBLIC bool sleep_for(Duration rel_time, Context::SharedPtr context = contexts::get_global_default_context());

  /// True once the time of the clock is not zero.
  RCLCPP_PUBLIC bool started();

  RCLCPP_PUBLIC bool wait_until_started(Context::SharedPtr context = contexts::get_global_default_context());

  RCLCPP_PUBLIC bool wait_until_started(const rclcpp::Duration & timeout,
    Context::SharedPtr context = contexts::get_global_default_context(),
    const rclcpp::Duration & wait_tick_ns = rclcpp::Duration(0, static_cast<uint32_t>(1e7)));

  /// Make an ongoing, or else the next, sleep of one thread return false.
  RCLCPP_PUBLIC void cancel_sleep_or_wait();

  /// \throws rclcpp::exceptions::RCLError for clocks that are not RCL_ROS_TIME
  RCLCPP_PUBLIC bool ros_time_is_active();

  RCLCPP_PUBLIC rcl_clock_t * get_clock_handle() noexcept;

  RCLCPP_PUBLIC rcl_clock_type_t get_clock_type() const noexcept;

  RCLCPP_PUBLIC std::mutex & get_clock_mutex() noexcept;

  /// Register jump callbacks; they are removed with the returned handler.
  RCLCPP_PUBLIC JumpHandler::SharedPtr create_jump_callback(JumpHandler::pre_callback_t pre_callback,
    JumpHandler::post_callback_t post_callback, const rcl_jump_threshold_t & threshold);

private:
  RCLCPP_PUBLIC static void on_time_jump(const rcl_time_jump_t * time_jump, bool before_jump, void * user_data);

  friend TimeSource;

  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace rclcpp
