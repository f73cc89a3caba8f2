// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rclcpp {

namespace {

constexpr int64_t kNanosecondsPerSecond = 1000000000LL;
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

[[noreturn]] void throw_out_of_range(bool over, const std::string & operation) {
  if (over) { throw std::overflow_error(operation + " leads to int64_t overflow"); }
  throw std::underflow_error(operation + " leads to int64_t underflow");
}

int64_t sum(int64_t lhs, int64_t rhs) {
  int64_t result;
  if (__builtin_add_overflow(lhs, rhs, &result)) { throw_out_of_range(rhs > 0, "addition"); }
  return result;
}

int64_t difference(int64_t lhs, int64_t rhs, const char * operation) {
  int64_t result;
  if (__builtin_sub_overflow(lhs, rhs, &result)) { throw_out_of_range(rhs < 0, operation); }
  return result;
}

/// The nanoseconds of a message are unsigned: seconds are rounded down, and saturated to 32 bits.
template <typename MessageT> MessageT to_message(int64_t nanoseconds, uint32_t nanosec_at_overflow) {
  const int64_t rest = nanoseconds % kNanosecondsPerSecond;
  const int64_t seconds = nanoseconds / kNanosecondsPerSecond - (rest < 0 ? 1 : 0);
  MessageT message;
  message.sec = static_cast<int32_t>(std::clamp<int64_t>(seconds, INT32_MIN, INT32_MAX));
  message.nanosec = seconds > INT32_MAX   ? nanosec_at_overflow
                    : seconds < INT32_MIN ? 0
                                          : static_cast<uint32_t>(rest < 0 ? rest + kNanosecondsPerSecond : rest);
  return message;
}

}  // namespace

Duration::operator builtin_interfaces::msg::Duration() const {
  return to_message<builtin_interfaces::msg::Duration>(nanoseconds(), UINT32_MAX);
}

Duration Duration::operator+(const Duration & rhs) const {
  return from_nanoseconds(sum(nanoseconds(), rhs.nanoseconds()));
}

Duration Duration::operator-(const Duration & rhs) const {
  return from_nanoseconds(difference(nanoseconds(), rhs.nanoseconds(), "duration subtraction"));
}

Duration Duration::operator*(double scale) const {
  if (!std::isfinite(scale)) { throw std::runtime_error("abnormal scale in rclcpp::Duration"); }
  const long double product = static_cast<long double>(nanoseconds()) * scale;
  if (product > kMax || product < kMin) { throw_out_of_range(product > 0, "duration scaling"); }
  return from_nanoseconds(static_cast<int64_t>(product));
}

Duration Duration::from_seconds(double seconds) {
  // Out-of-range conversions of floating point to integer are undefined: saturate instead.
  const double nanoseconds = seconds * static_cast<double>(kNanosecondsPerSecond);
  if (nanoseconds >= 9223372036854775808.0) { return from_nanoseconds(kMax); }
  return from_nanoseconds(nanoseconds >= -9223372036854775808.0 ? static_cast<int64_t>(nanoseconds) : kMin);
}

Duration Duration::from_rmw_time(rmw_time_t duration) {
  // Seconds or nanoseconds beyond int64 mean "infinite" in rmw.
  int64_t total;
  const bool infinite = __builtin_mul_overflow(duration.sec, kNanosecondsPerSecond, &total) ||
                        __builtin_add_overflow(total, duration.nsec, &total);
  return from_nanoseconds(infinite ? kMax : total);
}

rmw_time_t Duration::to_rmw_time() const {
  if (nanoseconds() < 0) { throw std::runtime_error("rmw_time_t cannot be negative"); }
  const auto total = static_cast<uint64_t>(nanoseconds());
  return {total / kNanosecondsPerSecond, total % kNanosecondsPerSecond};
}

Time::Time(int32_t seconds, uint32_t nanoseconds, rcl_clock_type_t clock_type)
: rcl_time_{seconds * kNanosecondsPerSecond + nanoseconds, clock_type} {
  if (seconds < 0) { throw std::runtime_error("cannot store a negative time point in rclcpp::Time"); }
}

rcl_time_point_value_t Time::comparable(const Time & other) const {
  if (get_clock_type() == other.get_clock_type()) { return other.nanoseconds(); }
  throw std::runtime_error("can't compare times with different time sources");
}

Time Time::operator+(const Duration & rhs) const {
  return Time(sum(nanoseconds(), rhs.nanoseconds()), get_clock_type());
}

Duration Time::operator-(const Time & rhs) const {
  if (get_clock_type() != rhs.get_clock_type()) {
    throw std::runtime_error("can't subtract times with different time sources [" + std::to_string(get_clock_type()) +
                             " != " + std::to_string(rhs.get_clock_type()) + "]");
  }
  return Duration::from_nanoseconds(difference(nanoseconds(), rhs.nanoseconds(), "time subtraction"));
}

Time Time::operator-(const Duration & rhs) const {
  return Time(difference(nanoseconds(), rhs.nanoseconds(), "time subtraction"), get_clock_type());
}

builtin_interfaces::msg::Time convert_rcl_time_to_sec_nanos(const rcl_time_point_value_t & time_point) {
  return to_message<builtin_interfaces::msg::Time>(time_point, kNanosecondsPerSecond - 1);
}

}  // namespace rclcpp
