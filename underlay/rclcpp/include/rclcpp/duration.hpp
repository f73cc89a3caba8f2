// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>

#include "builtin_interfaces/msg/duration.hpp"
#include "rcl/time.h"
#include "rmw/types.h"

namespace rclcpp {

/// A signed span of time with nanosecond resolution.
class Duration {
public:
  Duration() : rcl_duration_{0} {}
  Duration(int32_t seconds, uint32_t nanoseconds) : rcl_duration_{seconds * int64_t{1000000000} + nanoseconds} {}
  explicit Duration(std::chrono::nanoseconds nanoseconds) : rcl_duration_{nanoseconds.count()} {}
  template <class Rep, class Period> Duration(const std::chrono::duration<Rep, Period> & duration)
  : Duration(std::chrono::duration_cast<std::chrono::nanoseconds>(duration)) {}
  Duration(const builtin_interfaces::msg::Duration & message) : Duration(message.sec, message.nanosec) {}
  explicit Duration(const rcl_duration_t & duration) : rcl_duration_(duration) {}
  Duration(const Duration & rhs) = default;
  virtual ~Duration() = default;

  operator builtin_interfaces::msg::Duration() const;
  Duration & operator=(const Duration & rhs) = default;
  Duration & operator=(const builtin_interfaces::msg::Duration & message) { return *this = Duration(message); }

  bool operator==(const Duration & rhs) const { return nanoseconds() == rhs.nanoseconds(); }
  bool operator!=(const Duration & rhs) const { return nanoseconds() != rhs.nanoseconds(); }
  bool operator<(const Duration & rhs) const { return nanoseconds() < rhs.nanoseconds(); }
  bool operator<=(const Duration & rhs) const { return nanoseconds() <= rhs.nanoseconds(); }
  bool operator>=(const Duration & rhs) const { return nanoseconds() >= rhs.nanoseconds(); }
  bool operator>(const Duration & rhs) const { return nanoseconds() > rhs.nanoseconds(); }

  /// \throws std::overflow_error, std::underflow_error where the result leaves int64 nanoseconds
  Duration operator+(const Duration & rhs) const;
  Duration & operator+=(const Duration & rhs) { return *this = *this + rhs; }
  Duration operator-(const Duration & rhs) const;
  Duration & operator-=(const Duration & rhs) { return *this = *this - rhs; }

  /// The largest duration a message can carry.
  static Duration max() { return Duration(INT32_MAX, 999999999); }

  /// \throws std::runtime_error for a scale that is not finite
  Duration operator*(double scale) const;
  Duration & operator*=(double scale) { return *this = *this * scale; }

  rcl_duration_value_t nanoseconds() const { return rcl_duration_.nanoseconds; }
  double seconds() const { return to_chrono<std::chrono::duration<double>>().count(); }

  static Duration from_seconds(double seconds);
  static Duration from_nanoseconds(rcl_duration_value_t nanoseconds) { return Duration(rcl_duration_t{nanoseconds}); }
  static Duration from_rmw_time(rmw_time_t duration);

  template <class DurationT> DurationT to_chrono() const {
    return std::chrono::duration_cast<DurationT>(std::chrono::nanoseconds(nanoseconds()));
  }

  /// \throws std::runtime_error for a negative duration
  rmw_time_t to_rmw_time() const;

private:
  rcl_duration_t rcl_duration_;
};

}  // namespace rclcpp
