#pragma once

#include <cstdint>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "rcl_interfaces/msg/parameter_type.hpp"
#include "rcl_interfaces/msg/parameter_value.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

enum ParameterType : uint8_t {
  PARAMETER_NOT_SET = rcl_interfaces::msg::ParameterType::PARAMETER_NOT_SET,
  PARAMETER_BOOL = rcl_interfaces::msg::ParameterType::PARAMETER_BOOL,
  PARAMETER_INTEGER = rcl_interfaces::msg::ParameterType::PARAMETER_INTEGER,
  PARAMETER_DOUBLE = rcl_interfaces::msg::ParameterType::PARAMETER_DOUBLE,
  PARAMETER_STRING = rcl_interfaces::msg::ParameterType::PARAMETER_STRING,
  PARAMETER_BYTE_ARRAY = rcl_interfaces::msg::ParameterType::PARAMETER_BYTE_ARRAY,
  PARAMETER_BOOL_ARRAY = rcl_interfaces::msg::ParameterType::PARAMETER_BOOL_ARRAY,
  PARAMETER_INTEGER_ARRAY = rcl_interfaces::msg::ParameterType::PARAMETER_INTEGER_ARRAY,
  PARAMETER_DOUBLE_ARRAY = rcl_interfaces::msg::ParameterType::PARAMETER_DOUBLE_ARRAY,
  PARAMETER_STRING_ARRAY = rcl_interfaces::msg::ParameterType::PARAMETER_STRING_ARRAY,
};

std::string to_string(ParameterType type);

std::ostream & operator<<(std::ostream & os, ParameterType type);

/// Thrown when a value is read as a type that it does not hold.
class ParameterTypeException : public std::runtime_error {
public:
  ParameterTypeException(ParameterType expected, ParameterType actual)
  : std::runtime_error("expected [" + to_string(expected) + "] got [" + to_string(actual) + "]") {}
};

namespace detail {

// Which parameter type a C++ type is read as; PARAMETER_NOT_SET where there is none.
template <typename T> constexpr ParameterType parameter_type_of() {
  using V = std::remove_cv_t<std::remove_reference_t<T>>;
  if constexpr (std::is_same_v<V, bool>) {
    return PARAMETER_BOOL;
  } else if constexpr (std::is_integral_v<V>) {
    return PARAMETER_INTEGER;
  } else if constexpr (std::is_floating_point_v<V>) {
    return PARAMETER_DOUBLE;
  } else if constexpr (std::is_convertible_v<V, std::string>) {
    return PARAMETER_STRING;
  } else if constexpr (std::is_convertible_v<V, const std::vector<uint8_t> &>) {
    return PARAMETER_BYTE_ARRAY;
  } else if constexpr (std::is_convertible_v<V, const std::vector<bool> &>) {
    return PARAMETER_BOOL_ARRAY;
  } else if constexpr (std::is_convertible_v<V, const std::vector<int> &> ||
                       std::is_convertible_v<V, const std::vector<int64_t> &>) {
    return PARAMETER_INTEGER_ARRAY;
  } else if constexpr (std::is_convertible_v<V, const std::vector<float> &> ||
                       std::is_convertible_v<V, const std::vector<double> &>) {
    return PARAMETER_DOUBLE_ARRAY;
  } else if constexpr (std::is_convertible_v<V, const std::vector<std::string> &>) {
    return PARAMETER_STRING_ARRAY;
  } else {
    return PARAMETER_NOT_SET;
  }
}

}  // namespace detail

/// The value of a parameter: one of the parameter types, or not set.
class ParameterValue {
public:
  ParameterValue();
  explicit ParameterValue(const rcl_interfaces::msg::ParameterValue & value);
  explicit ParameterValue(const bool bool_value);
  explicit ParameterValue(const int int_value);
  explicit ParameterValue(const int64_t int_value);
  explicit ParameterValue(const float double_value);
  explicit ParameterValue(const double double_value);
  explicit ParameterValue(const std::string & string_value);
  explicit ParameterValue(const char * string_value);
  explicit ParameterValue(const std::vector<uint8_t> & byte_array_value);
  explicit ParameterValue(const std::vector<bool> & bool_array_value);
  explicit ParameterValue(const std::vector<int> & int_array_value);
  explicit ParameterValue(const std::vector<int64_t> & int_array_value);
  explicit ParameterValue(const std::vector<float> & double_array_value);
  explicit ParameterValue(const std::vector<double> & double_array_value);
  explicit ParameterValue(const std::vector<std::string> & string_array_value);

  ParameterType get_type() const;

  rcl_interfaces::msg::ParameterValue to_value_msg() const;

  bool operator==(const ParameterValue & rhs) const;

  bool operator!=(const ParameterValue & rhs) const;

  /// Read by parameter type. \throws ParameterTypeException if it holds another type.
  template <ParameterType type> constexpr const auto & get() const {
    static_assert(type > PARAMETER_NOT_SET && type <= PARAMETER_STRING_ARRAY, "this type has no value");
    if (value_.type != type) { throw ParameterTypeException(type, static_cast<ParameterType>(value_.type)); }
    if constexpr (type == PARAMETER_BOOL) {
      return value_.bool_value;
    } else if constexpr (type == PARAMETER_INTEGER) {
      return value_.integer_value;
    } else if constexpr (type == PARAMETER_DOUBLE) {
      return value_.double_value;
    } else if constexpr (type == PARAMETER_STRING) {
      return value_.string_value;
    } else if constexpr (type == PARAMETER_BYTE_ARRAY) {
      return value_.byte_array_value;
    } else if constexpr (type == PARAMETER_BOOL_ARRAY) {
      return value_.bool_array_value;
    } else if constexpr (type == PARAMETER_INTEGER_ARRAY) {
      return value_.integer_array_value;
    } else if constexpr (type == PARAMETER_DOUBLE_ARRAY) {
      return value_.double_array_value;
    } else {
      return value_.string_array_value;
    }
  }

  /// Read by C++ type: any integer reads an integer, float and double read a double, and so on.
  template <typename type, std::enable_if_t<detail::parameter_type_of<type>() != PARAMETER_NOT_SET, bool> = true>
  constexpr const auto & get() const {
    return get<detail::parameter_type_of<type>()>();
  }

private:
  rcl_interfaces::msg::ParameterValue value_;
};

/// The value as text; arrays in brackets.
std::string to_string(const ParameterValue & type);

}  // namespace rclcpp
