#pragma once

#include <chrono>

#include "builtin_interfaces/msg/duration.hpp"
#include "rcl/time.h"
#include "rclcpp/visibility_control.hpp"
#include "rmw/types.h"

namespace rclcpp {

/// A signed span of time with nanosecond resolution.
class RCLCPP_PUBLIC Duration {
public:
  Duration() : rcl_duration_{0} {}
  Duration(int32_t seconds, uint32_t nanoseconds);
  explicit Duration(std::chrono::nanoseconds nanoseconds);

  template <class Rep, class Period>
  // cppcheck-suppress noExplicitConstructor
  Duration(const std::chrono::duration<Rep, Period> & duration)
  : Duration(std::chrono::duration_cast<std::chrono::nanoseconds>(duration)) {}

  Duration(const builtin_interfaces::msg::Duration & duration_msg);
  explicit Duration(const rcl_duration_t & duration);
  Duration(const Duration & rhs);
  virtual ~Duration() = default;

  operator builtin_interfaces::msg::Duration() const;

  Duration & operator=(const Duration & rhs);
  Duration & operator=(const builtin_interfaces::msg::Duration & duration_msg);

  bool operator==(const rclcpp::Duration & rhs) const;
  bool operator!=(const rclcpp::Duration & rhs) const;
  bool operator<(const rclcpp::Duration & rhs) const;
  bool operator<=(const rclcpp::Duration & rhs) const;
  bool operator>=(const rclcpp::Duration & rhs) const;
  bool operator>(const rclcpp::Duration & rhs) const;

  /// \throws std::overflow_error, std::underflow_error where the result leaves int64 nanoseconds
  Duration operator+(const rclcpp::Duration & rhs) const;
  Duration & operator+=(const rclcpp::Duration & rhs);
  Duration operator-(const rclcpp::Duration & rhs) const;
  Duration & operator-=(const rclcpp::Duration & rhs);

  /// The largest duration a message can carry.
  static Duration max();

  /// \throws std::runtime_error for a scale that is not finite
  Duration operator*(double scale) const;
  Duration & operator*=(double scale);

  rcl_duration_value_t nanoseconds() const;
  double seconds() const;

  static Duration from_seconds(double seconds);
  static Duration from_nanoseconds(rcl_duration_value_t nanoseconds);
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
