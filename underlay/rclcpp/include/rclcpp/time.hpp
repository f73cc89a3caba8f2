#pragma once

#include "builtin_interfaces/msg/time.hpp"
#include "rcl/time.h"
#include "rclcpp/duration.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

class Clock;

/// A point in time of one kind of clock; times of different kinds do not compare or subtract.
class Time {
public:
  /// \throws std::runtime_error for negative seconds
  RCLCPP_PUBLIC Time(int32_t seconds, uint32_t nanoseconds, rcl_clock_type_t clock_type = RCL_SYSTEM_TIME);

  RCLCPP_PUBLIC explicit Time(int64_t nanoseconds = 0, rcl_clock_type_t clock_type = RCL_SYSTEM_TIME);

  RCLCPP_PUBLIC Time(const Time & rhs);

  /// \throws std::runtime_error for negative seconds
  RCLCPP_PUBLIC Time(const builtin_interfaces::msg::Time & time_msg, rcl_clock_type_t clock_type = RCL_ROS_TIME);

  RCLCPP_PUBLIC explicit Time(const rcl_time_point_t & time_point);

  RCLCPP_PUBLIC virtual ~Time();

  RCLCPP_PUBLIC operator builtin_interfaces::msg::Time() const;

  RCLCPP_PUBLIC Time & operator=(const Time & rhs);

  RCLCPP_PUBLIC Time & operator=(const builtin_interfaces::msg::Time & time_msg);

  RCLCPP_PUBLIC bool operator==(const rclcpp::Time & rhs) const;

  RCLCPP_PUBLIC bool operator!=(const rclcpp::Time & rhs) const;

  RCLCPP_PUBLIC bool operator<(const rclcpp::Time & rhs) const;

  RCLCPP_PUBLIC bool operator<=(const rclcpp::Time & rhs) const;

  RCLCPP_PUBLIC bool operator>=(const rclcpp::Time & rhs) const;

  RCLCPP_PUBLIC bool operator>(const rclcpp::Time & rhs) const;

  RCLCPP_PUBLIC Time operator+(const rclcpp::Duration & rhs) const;

  RCLCPP_PUBLIC Duration operator-(const rclcpp::Time & rhs) const;

  RCLCPP_PUBLIC Time operator-(const rclcpp::Duration & rhs) const;

  RCLCPP_PUBLIC Time & operator+=(const rclcpp::Duration & rhs);

  RCLCPP_PUBLIC Time & operator-=(const rclcpp::Duration & rhs);

  RCLCPP_PUBLIC rcl_time_point_value_t nanoseconds() const;

  /// The largest time a message can carry.
  RCLCPP_PUBLIC static Time max(rcl_clock_type_t clock_type = RCL_SYSTEM_TIME);

  RCLCPP_PUBLIC double seconds() const;

  RCLCPP_PUBLIC rcl_clock_type_t get_clock_type() const;

private:
  rcl_time_point_t rcl_time_;
  friend Clock;
};

RCLCPP_PUBLIC Time operator+(const rclcpp::Duration & lhs, const rclcpp::Time & rhs);

/// Seconds rounded down, and saturated to what a message can carry.
RCLCPP_PUBLIC builtin_interfaces::msg::Time convert_rcl_time_to_sec_nanos(const rcl_time_point_value_t & time_point);

}  // namespace rclcpp

namespace builtin_interfaces::msg {

RCLCPP_PUBLIC builtin_interfaces::msg::Time operator+(
  const builtin_interfaces::msg::Time & lhs, const rclcpp::Duration & rhs);

RCLCPP_PUBLIC builtin_interfaces::msg::Time operator+(
  const rclcpp::Duration & lhs, const builtin_interfaces::msg::Time & rhs);

RCLCPP_PUBLIC builtin_interfaces::msg::Time operator-(
  const builtin_interfaces::msg::Time & lhs, const rclcpp::Duration & rhs);

}  // namespace builtin_interfaces::msg
