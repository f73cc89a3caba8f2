// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/clock.hpp"
#include "rclcpp/utilities.hpp"

namespace rclcpp {

class RateBase {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(RateBase)

  virtual ~RateBase() = default;
  virtual bool sleep() = 0;
  [[deprecated("use get_type() instead")]] virtual bool is_steady() const = 0;
  virtual rcl_clock_type_t get_type() const = 0;
  virtual void reset() = 0;
};

class Rate : public RateBase {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(Rate)

  // Both throw std::invalid_argument unless the rate in Hz or the period is positive.
  explicit Rate(const double rate, Clock::SharedPtr clock = std::make_shared<Clock>(RCL_SYSTEM_TIME))
  : clock_(clock), period_(Duration::from_seconds(1.0 / rate)), last_interval_(clock_->now()) {
    if (!(rate > 0.0)) { throw std::invalid_argument{"rate must be greater than 0"}; }
  }
  explicit Rate(const Duration & period, Clock::SharedPtr clock = std::make_shared<Clock>(RCL_SYSTEM_TIME))
  : clock_(clock), period_(period), last_interval_(clock_->now()) {
    if (period <= Duration(0, 0)) { throw std::invalid_argument{"period must be greater than 0"}; }
  }

  /// Sleep for what is left of the period; false if nothing was left or the sleep was interrupted.
  virtual bool sleep() {
    const auto now = clock_->now();
    // If the clock jumped back: start over from here.
    const auto next_interval = (now < last_interval_ ? now : last_interval_) + period_;
    last_interval_ += period_;
    if (next_interval <= now) {
      // More than one whole cycle late: do not try to catch up.
      if (now > next_interval + period_) { last_interval_ = now + period_; }
      return false;
    }
    return clock_->sleep_for(next_interval - now);
  }
  [[deprecated("use get_type() instead")]] virtual bool is_steady() const { return get_type() == RCL_STEADY_TIME; }
  virtual rcl_clock_type_t get_type() const { return clock_->get_clock_type(); }
  virtual void reset() { last_interval_ = clock_->now(); }
  std::chrono::nanoseconds period() const { return period_.to_chrono<std::chrono::nanoseconds>(); }

private:
  RCLCPP_DISABLE_COPY(Rate)

  Clock::SharedPtr clock_;
  Duration period_;
  Time last_interval_;
};

class WallRate : public Rate {
public:
  explicit WallRate(const double rate) : Rate(rate, std::make_shared<Clock>(RCL_STEADY_TIME)) {}
  explicit WallRate(const Duration & period) : Rate(period, std::make_shared<Clock>(RCL_STEADY_TIME)) {}
};

class ROSRate : public Rate {
public:
  explicit ROSRate(const double rate) : Rate(rate, std::make_shared<Clock>(RCL_ROS_TIME)) {}
  explicit ROSRate(const Duration & period) : Rate(period, std::make_shared<Clock>(RCL_ROS_TIME)) {}
};

}  // namespace rclcpp
