#pragma once

#include <cmath>
#include <limits>

#include "rcl_interfaces/msg/parameter_descriptor.hpp"
#include "rclcpp/parameter_value.hpp"

namespace rclcpp::detail {

// Ranges are given in decimal, so a step such as 0.1 is hit only up to rounding: 100 ulp.
inline bool nearly_equal(double a, double b) {
  return a == b || std::abs(a - b) <= std::numeric_limits<double>::epsilon() * std::abs(a + b) * 100;
}

// Both bounds are allowed, also where the upper one is not a whole number of steps away.
inline bool in_range(double value, const rcl_interfaces::msg::FloatingPointRange & range) {
  if (nearly_equal(value, range.from_value) || nearly_equal(value, range.to_value)) { return true; }
  // Written so that NaN is outside of every range.
  if (!(value > range.from_value && value < range.to_value)) { return false; }
  if (range.step == 0.0) { return true; }
  const double steps = std::round((value - range.from_value) / range.step);
  return nearly_equal(value, range.from_value + steps * range.step);
}

inline bool in_range(int64_t value, const rcl_interfaces::msg::IntegerRange & range) {
  if (value == range.from_value || value == range.to_value) { return true; }
  if (value < range.from_value || value > range.to_value) { return false; }
  // Unsigned, since the distance may not fit a signed number.
  return range.step == 0 || (static_cast<uint64_t>(value) - static_cast<uint64_t>(range.from_value)) % range.step == 0;
}

// Empty if the value fits the descriptor.
inline std::string out_of_range_reason(
  const std::string & name, const ParameterValue & value, const rcl_interfaces::msg::ParameterDescriptor & descriptor) {
  const char * kind = nullptr;
  if (value.get_type() == PARAMETER_INTEGER && !descriptor.integer_range.empty()) {
    if (!in_range(value.get<PARAMETER_INTEGER>(), descriptor.integer_range.front())) { kind = "integer"; }
  } else if (value.get_type() == PARAMETER_DOUBLE && !descriptor.floating_point_range.empty()) {
    if (!in_range(value.get<PARAMETER_DOUBLE>(), descriptor.floating_point_range.front())) { kind = "floating point"; }
  }
  return kind == nullptr ? "" : "Parameter {" + name + "} doesn't comply with " + kind + " range.";
}

}  // namespace rclcpp::detail
