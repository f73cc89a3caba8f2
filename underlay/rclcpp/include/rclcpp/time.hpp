// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "builtin_interfaces/msg/time.hpp"
#include "rclcpp/duration.hpp"

namespace rclcpp {

/// Seconds rounded down, and saturated to what a message can carry.
builtin_interfaces::msg::Time convert_rcl_time_to_sec_nanos(const rcl_time_point_value_t & time_point);

/// A point in time of one kind of clock; times of different kinds do not compare or subtract.
class Time {
public:
  /// \throws std::runtime_error for negative seconds
  Time(int32_t seconds, uint32_t nanoseconds, rcl_clock_type_t clock_type = RCL_SYSTEM_TIME);
  explicit Time(int64_t nanoseconds = 0, rcl_clock_type_t clock_type = RCL_SYSTEM_TIME)
  : rcl_time_{nanoseconds, clock_type} {}
  Time(const Time & rhs) = default;
  /// \throws std::runtime_error for negative seconds
  Time(const builtin_interfaces::msg::Time & message, rcl_clock_type_t clock_type = RCL_ROS_TIME)
  : Time(message.sec, message.nanosec, clock_type) {}
  explicit Time(const rcl_time_point_t & time_point) : rcl_time_(time_point) {}
  virtual ~Time() = default;

  operator builtin_interfaces::msg::Time() const { return convert_rcl_time_to_sec_nanos(nanoseconds()); }
  Time & operator=(const Time & rhs) = default;
  Time & operator=(const builtin_interfaces::msg::Time & message) { return *this = Time(message); }

  bool operator==(const Time & rhs) const { return nanoseconds() == comparable(rhs); }
  bool operator!=(const Time & rhs) const { return nanoseconds() != comparable(rhs); }
  bool operator<(const Time & rhs) const { return nanoseconds() < comparable(rhs); }
  bool operator<=(const Time & rhs) const { return nanoseconds() <= comparable(rhs); }
  bool operator>=(const Time & rhs) const { return nanoseconds() >= comparable(rhs); }
  bool operator>(const Time & rhs) const { return nanoseconds() > comparable(rhs); }

  Time operator+(const Duration & rhs) const;
  Duration operator-(const Time & rhs) const;
  Time operator-(const Duration & rhs) const;
  Time & operator+=(const Duration & rhs) { return *this = *this + rhs; }
  Time & operator-=(const Duration & rhs) { return *this = *this - rhs; }

  rcl_time_point_value_t nanoseconds() const { return rcl_time_.nanoseconds; }
  double seconds() const { return Duration::from_nanoseconds(nanoseconds()).seconds(); }
  rcl_clock_type_t get_clock_type() const { return rcl_time_.clock_type; }

  /// The largest time a message can carry.
  static Time max(rcl_clock_type_t clock_type = RCL_SYSTEM_TIME) { return Time(INT32_MAX, 999999999, clock_type); }

private:
  /// The nanoseconds of another time. \throws std::runtime_error if it is of another kind of clock
  rcl_time_point_value_t comparable(const Time & other) const;

  rcl_time_point_t rcl_time_;
};

inline Time operator+(const Duration & lhs, const Time & rhs) { return rhs + lhs; }

}  // namespace rclcpp

namespace builtin_interfaces::msg {

inline Time operator+(const Time & lhs, const rclcpp::Duration & rhs) { return rclcpp::Time(lhs) + rhs; }
inline Time operator+(const rclcpp::Duration & lhs, const Time & rhs) { return rclcpp::Time(rhs) + lhs; }
inline Time operator-(const Time & lhs, const rclcpp::Duration & rhs) { return rclcpp::Time(lhs) - rhs; }

}  // namespace builtin_interfaces::msg
