#include "rclcpp/time.hpp"

#include <chrono>
#include <limits>
#include <stdexcept>
#include <string>

#include "rclcpp/exceptions.hpp"
#include "rclcpp/utilities.hpp"

namespace rclcpp {

namespace {

constexpr int64_t kNanosecondsPerSecond = 1000000000LL;

rcl_time_point_t make_time(int64_t nanoseconds, rcl_clock_type_t clock_type) {
  rcl_time_point_t time;
  time.nanoseconds = nanoseconds;
  time.clock_type = clock_type;
  return time;
}

int64_t checked_nanoseconds(int32_t seconds, uint32_t nanoseconds) {
  if (seconds < 0) { throw std::runtime_error("cannot store a negative time point in rclcpp::Time"); }
  return static_cast<int64_t>(seconds) * kNanosecondsPerSecond + nanoseconds;
}

void require_same_clock(const rcl_time_point_t & lhs, rcl_clock_type_t rhs, const char * verb) {
  if (lhs.clock_type != rhs) {
    std::string text = std::string("can't ") + verb + " times with different time sources";
    if (std::string(verb) != "compare") {
      text += " [" + std::to_string(lhs.clock_type) + " != " + std::to_string(rhs) + "]";
    }
    throw std::runtime_error(text);
  }
}

int64_t sum(int64_t lhs, int64_t rhs) {
  if (add_will_overflow(lhs, rhs)) { throw std::overflow_error("addition leads to int64_t overflow"); }
  if (add_will_underflow(lhs, rhs)) { throw std::underflow_error("addition leads to int64_t underflow"); }
  return lhs + rhs;
}

int64_t difference(int64_t lhs, int64_t rhs) {
  if (sub_will_overflow(lhs, rhs)) { throw std::overflow_error("time subtraction leads to int64_t overflow"); }
  if (sub_will_underflow(lhs, rhs)) { throw std::underflow_error("time subtraction leads to int64_t underflow"); }
  return lhs - rhs;
}

}  // namespace

Time::Time(int32_t seconds, uint32_t nanoseconds, rcl_clock_type_t clock_type)
: rcl_time_(make_time(checked_nanoseconds(seconds, nanoseconds), clock_type)) {}

Time::Time(int64_t nanoseconds, rcl_clock_type_t clock_type) : rcl_time_(make_time(nanoseconds, clock_type)) {}

Time::Time(const Time & rhs) = default;

Time::Time(const builtin_interfaces::msg::Time & time_msg, rcl_clock_type_t clock_type)
: Time(time_msg.sec, time_msg.nanosec, clock_type) {}

Time::Time(const rcl_time_point_t & time_point) : rcl_time_(time_point) {}

Time::~Time() = default;

Time::operator builtin_interfaces::msg::Time() const { return convert_rcl_time_to_sec_nanos(rcl_time_.nanoseconds); }

Time & Time::operator=(const Time & rhs) = default;

Time & Time::operator=(const builtin_interfaces::msg::Time & time_msg) {
  *this = Time(time_msg);
  return *this;
}

bool Time::operator==(const Time & rhs) const {
  require_same_clock(rcl_time_, rhs.get_clock_type(), "compare");
  return nanoseconds() == rhs.nanoseconds();
}

bool Time::operator!=(const Time & rhs) const { return !(*this == rhs); }

bool Time::operator<(const Time & rhs) const {
  require_same_clock(rcl_time_, rhs.get_clock_type(), "compare");
  return nanoseconds() < rhs.nanoseconds();
}

bool Time::operator<=(const Time & rhs) const {
  require_same_clock(rcl_time_, rhs.get_clock_type(), "compare");
  return nanoseconds() <= rhs.nanoseconds();
}

bool Time::operator>=(const Time & rhs) const { return rhs <= *this; }

bool Time::operator>(const Time & rhs) const { return rhs < *this; }

Time Time::operator+(const Duration & rhs) const {
  return Time(sum(nanoseconds(), rhs.nanoseconds()), get_clock_type());
}

Duration Time::operator-(const Time & rhs) const {
  require_same_clock(rcl_time_, rhs.get_clock_type(), "subtract");
  return Duration::from_nanoseconds(difference(nanoseconds(), rhs.nanoseconds()));
}

Time Time::operator-(const Duration & rhs) const {
  return Time(difference(nanoseconds(), rhs.nanoseconds()), get_clock_type());
}

Time & Time::operator+=(const Duration & rhs) { return *this = *this + rhs; }

Time & Time::operator-=(const Duration & rhs) { return *this = *this - rhs; }

rcl_time_point_value_t Time::nanoseconds() const { return rcl_time_.nanoseconds; }

double Time::seconds() const { return std::chrono::duration<double>(std::chrono::nanoseconds(nanoseconds())).count(); }

rcl_clock_type_t Time::get_clock_type() const { return rcl_time_.clock_type; }

Time Time::max(rcl_clock_type_t clock_type) {
  return Time(std::numeric_limits<int32_t>::max(), kNanosecondsPerSecond - 1, clock_type);
}

Time operator+(const Duration & lhs, const Time & rhs) { return rhs + lhs; }

builtin_interfaces::msg::Time convert_rcl_time_to_sec_nanos(const rcl_time_point_value_t & time_point) {
  builtin_interfaces::msg::Time msg;
  // As for durations: unsigned nanoseconds, seconds rounded down, saturated to 32 bits.
  int64_t seconds = time_point / kNanosecondsPerSecond;
  int64_t rest = time_point % kNanosecondsPerSecond;
  if (rest < 0) {
    --seconds;
    rest += kNanosecondsPerSecond;
  }
  if (seconds > std::numeric_limits<int32_t>::max()) {
    msg.sec = std::numeric_limits<int32_t>::max();
    msg.nanosec = kNanosecondsPerSecond - 1;
  } else if (seconds < std::numeric_limits<int32_t>::min()) {
    msg.sec = std::numeric_limits<int32_t>::min();
    msg.nanosec = 0;
  } else {
    msg.sec = static_cast<int32_t>(seconds);
    msg.nanosec = static_cast<uint32_t>(rest);
  }
  return msg;
}

}  // namespace rclcpp

namespace builtin_interfaces::msg {

Time operator+(const Time & lhs, const rclcpp::Duration & rhs) { return rclcpp::Time(lhs) + rhs; }

Time operator+(const rclcpp::Duration & lhs, const Time & rhs) { return rclcpp::Time(rhs) + lhs; }

Time operator-(const Time & lhs, const rclcpp::Duration & rhs) { return rclcpp::Time(lhs) - rhs; }

}  // namespace builtin_interfaces::msg
