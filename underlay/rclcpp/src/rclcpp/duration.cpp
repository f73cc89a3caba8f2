#include "rclcpp/duration.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "rclcpp/exceptions.hpp"
#include "rclcpp/utilities.hpp"

namespace rclcpp {

namespace {

constexpr int64_t kNanosecondsPerSecond = 1000000000LL;

int64_t sum(int64_t lhs, int64_t rhs) {
  if (add_will_overflow(lhs, rhs)) { throw std::overflow_error("addition leads to int64_t overflow"); }
  if (add_will_underflow(lhs, rhs)) { throw std::underflow_error("addition leads to int64_t underflow"); }
  return lhs + rhs;
}

int64_t difference(int64_t lhs, int64_t rhs) {
  if (sub_will_overflow(lhs, rhs)) { throw std::overflow_error("duration subtraction leads to int64_t overflow"); }
  if (sub_will_underflow(lhs, rhs)) { throw std::underflow_error("duration subtraction leads to int64_t underflow"); }
  return lhs - rhs;
}

int64_t scaled(int64_t nanoseconds, double scale) {
  if (!std::isfinite(scale)) { throw std::runtime_error("abnormal scale in rclcpp::Duration"); }
  const long double product = static_cast<long double>(nanoseconds) * scale;
  if (product > static_cast<long double>(std::numeric_limits<int64_t>::max())) {
    throw std::overflow_error("duration scaling leads to int64_t overflow");
  }
  if (product < static_cast<long double>(std::numeric_limits<int64_t>::min())) {
    throw std::underflow_error("duration scaling leads to int64_t underflow");
  }
  return static_cast<int64_t>(product);
}

}  // namespace

Duration::Duration(int32_t seconds, uint32_t nanoseconds)
: rcl_duration_{static_cast<int64_t>(seconds) * kNanosecondsPerSecond + nanoseconds} {}

Duration::Duration(std::chrono::nanoseconds nanoseconds) : rcl_duration_{nanoseconds.count()} {}

Duration::Duration(const Duration & rhs) = default;

Duration::Duration(const builtin_interfaces::msg::Duration & duration_msg)
: Duration(duration_msg.sec, duration_msg.nanosec) {}

Duration::Duration(const rcl_duration_t & duration) : rcl_duration_(duration) {}

Duration::operator builtin_interfaces::msg::Duration() const {
  builtin_interfaces::msg::Duration msg;
  // The nanoseconds of the message are unsigned: round the seconds towards minus infinity.
  int64_t seconds = rcl_duration_.nanoseconds / kNanosecondsPerSecond;
  int64_t rest = rcl_duration_.nanoseconds % kNanosecondsPerSecond;
  if (rest < 0) {
    --seconds;
    rest += kNanosecondsPerSecond;
  }
  // Saturate where the duration does not fit into 32 bits of seconds.
  if (seconds > std::numeric_limits<int32_t>::max()) {
    msg.sec = std::numeric_limits<int32_t>::max();
    msg.nanosec = std::numeric_limits<uint32_t>::max();
  } else if (seconds < std::numeric_limits<int32_t>::min()) {
    msg.sec = std::numeric_limits<int32_t>::min();
    msg.nanosec = 0;
  } else {
    msg.sec = static_cast<int32_t>(seconds);
    msg.nanosec = static_cast<uint32_t>(rest);
  }
  return msg;
}

Duration & Duration::operator=(const Duration & rhs) = default;

Duration & Duration::operator=(const builtin_interfaces::msg::Duration & duration_msg) {
  *this = Duration(duration_msg);
  return *this;
}

bool Duration::operator==(const Duration & rhs) const { return nanoseconds() == rhs.nanoseconds(); }

bool Duration::operator!=(const Duration & rhs) const { return nanoseconds() != rhs.nanoseconds(); }

bool Duration::operator<(const Duration & rhs) const { return nanoseconds() < rhs.nanoseconds(); }

bool Duration::operator<=(const Duration & rhs) const { return nanoseconds() <= rhs.nanoseconds(); }

bool Duration::operator>=(const Duration & rhs) const { return nanoseconds() >= rhs.nanoseconds(); }

bool Duration::operator>(const Duration & rhs) const { return nanoseconds() > rhs.nanoseconds(); }

Duration Duration::operator+(const Duration & rhs) const {
  return from_nanoseconds(sum(nanoseconds(), rhs.nanoseconds()));
}

Duration & Duration::operator+=(const Duration & rhs) { return *this = *this + rhs; }

Duration Duration::operator-(const Duration & rhs) const {
  return from_nanoseconds(difference(nanoseconds(), rhs.nanoseconds()));
}

Duration & Duration::operator-=(const Duration & rhs) { return *this = *this - rhs; }

Duration Duration::max() { return Duration(std::numeric_limits<int32_t>::max(), kNanosecondsPerSecond - 1); }

Duration Duration::operator*(double scale) const { return from_nanoseconds(scaled(nanoseconds(), scale)); }

Duration & Duration::operator*=(double scale) { return *this = *this * scale; }

rcl_duration_value_t Duration::nanoseconds() const { return rcl_duration_.nanoseconds; }

double Duration::seconds() const {
  return std::chrono::duration<double>(std::chrono::nanoseconds(nanoseconds())).count();
}

Duration Duration::from_seconds(double seconds) {
  // Out-of-range conversions of floating point to integer are undefined: saturate instead.
  const double nanoseconds = seconds * static_cast<double>(kNanosecondsPerSecond);
  if (nanoseconds >= 9223372036854775808.0) { return from_nanoseconds(std::numeric_limits<int64_t>::max()); }
  if (!(nanoseconds >= -9223372036854775808.0)) { return from_nanoseconds(std::numeric_limits<int64_t>::min()); }
  return from_nanoseconds(static_cast<rcl_duration_value_t>(nanoseconds));
}

Duration Duration::from_nanoseconds(rcl_duration_value_t nanoseconds) {
  Duration result;
  result.rcl_duration_.nanoseconds = nanoseconds;
  return result;
}

Duration Duration::from_rmw_time(rmw_time_t duration) {
  constexpr auto max = std::numeric_limits<int64_t>::max();
  // Seconds or nanoseconds beyond int64 mean "infinite" in rmw.
  if (duration.sec > static_cast<uint64_t>(max / kNanosecondsPerSecond)) { return from_nanoseconds(max); }
  const uint64_t total = duration.sec * static_cast<uint64_t>(kNanosecondsPerSecond);
  if (duration.nsec > static_cast<uint64_t>(max) - total) { return from_nanoseconds(max); }
  return from_nanoseconds(static_cast<int64_t>(total + duration.nsec));
}

rmw_time_t Duration::to_rmw_time() const {
  if (nanoseconds() < 0) { throw std::runtime_error("rmw_time_t cannot be negative"); }
  rmw_time_t result;
  result.sec = static_cast<uint64_t>(nanoseconds() / kNanosecondsPerSecond);
  result.nsec = static_cast<uint64_t>(nanoseconds() % kNanosecondsPerSecond);
  return result;
}

}  // namespace rclcpp
