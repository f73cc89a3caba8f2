#include "rclcpp/rate.hpp"

#include <memory>
#include <stdexcept>

namespace rclcpp {

namespace {

Duration period_of(double rate) {
  if (!(rate > 0.0)) { throw std::invalid_argument{"rate must be greater than 0"}; }
  return Duration::from_seconds(1.0 / rate);
}

}  // namespace

Rate::Rate(const double rate, Clock::SharedPtr clock)
: clock_(clock), period_(period_of(rate)), last_interval_(clock_->now()) {}

Rate::Rate(const Duration & period, Clock::SharedPtr clock)
: clock_(clock), period_(period), last_interval_(clock_->now()) {
  if (period <= Duration(0, 0)) { throw std::invalid_argument{"period must be greater than 0"}; }
}

bool Rate::sleep() {
  const auto now = clock_->now();
  auto next_interval = last_interval_ + period_;
  if (now < last_interval_) {
    // The clock jumped back: start over from here.
    next_interval = now + period_;
  }
  last_interval_ += period_;
  if (next_interval <= now) {
    if (now > next_interval + period_) {
      // More than one whole cycle late: do not try to catch up.
      last_interval_ = now + period_;
    }
    return false;
  }
  return clock_->sleep_for(next_interval - now);
}

bool Rate::is_steady() const { return clock_->get_clock_type() == RCL_STEADY_TIME; }

rcl_clock_type_t Rate::get_type() const { return clock_->get_clock_type(); }

void Rate::reset() { last_interval_ = clock_->now(); }

std::chrono::nanoseconds Rate::period() const { return std::chrono::nanoseconds(period_.nanoseconds()); }

WallRate::WallRate(const double rate) : Rate(rate, std::make_shared<Clock>(RCL_STEADY_TIME)) {}

WallRate::WallRate(const Duration & period) : Rate(period, std::make_shared<Clock>(RCL_STEADY_TIME)) {}

ROSRate::ROSRate(const double rate) : Rate(rate, std::make_shared<Clock>(RCL_ROS_TIME)) {}

ROSRate::ROSRate(const Duration & period) : Rate(period, std::make_shared<Clock>(RCL_ROS_TIME)) {}

}  // namespace rclcpp
