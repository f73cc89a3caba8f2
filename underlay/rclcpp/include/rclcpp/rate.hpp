#pragma once

#include <chrono>
#include <memory>
#include <thread>

#include "rclcpp/clock.hpp"
#include "rclcpp/duration.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/utilities.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

class RateBase {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(RateBase)

  RCLCPP_PUBLIC virtual ~RateBase() {}

  RCLCPP_PUBLIC virtual bool sleep() = 0;

  [[deprecated("use get_type() instead")]] RCLCPP_PUBLIC virtual bool is_steady() const = 0;

  RCLCPP_PUBLIC virtual rcl_clock_type_t get_type() const = 0;

  RCLCPP_PUBLIC virtual void reset() = 0;
};

// Silenced where the deprecated interface is implemented, not where it is used.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/// A rate on a clock of the standard library.
template <class Clock = std::chrono::high_resolution_clock>
class [[deprecated("use rclcpp::Rate class instead of GenericRate")]] GenericRate : public RateBase {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(GenericRate)

  explicit GenericRate(double rate)
  : GenericRate(std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(1.0 / rate))) {}

  explicit GenericRate(std::chrono::nanoseconds period) : period_(period), last_interval_(Clock::now()) {}

  virtual bool sleep() {
    const auto now = Clock::now();
    auto next_interval = last_interval_ + period_;
    if (now < last_interval_) {
      // The clock jumped back: start over from here.
      next_interval = now + period_;
    }
    const auto time_to_sleep = next_interval - now;
    last_interval_ += period_;
    if (time_to_sleep <= std::chrono::seconds(0)) {
      if (now > next_interval + period_) {
        // More than one whole cycle late: do not try to catch up.
        last_interval_ = now + period_;
      }
      return false;
    }
    rclcpp::sleep_for(std::chrono::duration_cast<std::chrono::nanoseconds>(time_to_sleep));
    return true;
  }

  [[deprecated("use get_type() instead")]] virtual bool is_steady() const { return Clock::is_steady; }

  virtual rcl_clock_type_t get_type() const { return Clock::is_steady ? RCL_STEADY_TIME : RCL_SYSTEM_TIME; }

  virtual void reset() { last_interval_ = Clock::now(); }

  std::chrono::nanoseconds period() const { return period_; }

private:
  RCLCPP_DISABLE_COPY(GenericRate)

  std::chrono::nanoseconds period_;
  using ClockDurationNano = std::chrono::duration<typename Clock::rep, std::nano>;
  std::chrono::time_point<Clock, ClockDurationNano> last_interval_;
};

class Rate : public RateBase {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(Rate)

  /// \throws std::invalid_argument unless rate > 0 Hz
  RCLCPP_PUBLIC explicit Rate(const double rate, Clock::SharedPtr clock = std::make_shared<Clock>(RCL_SYSTEM_TIME));

  /// \throws std::invalid_argument unless period > 0
  RCLCPP_PUBLIC explicit Rate(
    const Duration & period, Clock::SharedPtr clock = std::make_shared<Clock>(RCL_SYSTEM_TIME));

  /// Sleep for what is left of the period; false if nothing was left or the sleep was interrupted.
  RCLCPP_PUBLIC virtual bool sleep();

  [[deprecated("use get_type() instead")]] RCLCPP_PUBLIC virtual bool is_steady() const;

  RCLCPP_PUBLIC virtual rcl_clock_type_t get_type() const;

  RCLCPP_PUBLIC virtual void reset();

  RCLCPP_PUBLIC std::chrono::nanoseconds period() const;

private:
  RCLCPP_DISABLE_COPY(Rate)

  Clock::SharedPtr clock_;
  Duration period_;
  Time last_interval_;
};

#pragma GCC diagnostic pop

class WallRate : public Rate {
public:
  RCLCPP_PUBLIC explicit WallRate(const double rate);

  RCLCPP_PUBLIC explicit WallRate(const Duration & period);
};

class ROSRate : public Rate {
public:
  RCLCPP_PUBLIC explicit ROSRate(const double rate);

  RCLCPP_PUBLIC explicit ROSRate(const Duration & period);
};

}  // namespace rclcpp
