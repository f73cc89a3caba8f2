// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <stdexcept>
#include <tuple>

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

inline std::ostream & operator<<(std::ostream & os, ParameterType type) { return os << to_string(type); }

/// Thrown when a value is read as a type that it does not hold.
class ParameterTypeException : public std::runtime_error {
public:
  ParameterTypeException(ParameterType expected, ParameterType actual)
  : std::runtime_error("expected [" + to_string(expected) + "] got [" + to_string(actual) + "]") {}
};

namespace detail {

// Which parameter type a C++ type is read as; PARAMETER_NOT_SET where there is none.
template <typename T, typename ElementT> constexpr bool reads_as_array_of =
  std::is_convertible_v<T, const std::vector<ElementT> &>;

template <typename T> constexpr ParameterType parameter_type_of() {
  using V = std::remove_cv_t<std::remove_reference_t<T>>;
  return std::is_same_v<V, bool>                                       ? PARAMETER_BOOL
         : std::is_integral_v<V>                                       ? PARAMETER_INTEGER
         : std::is_floating_point_v<V>                                 ? PARAMETER_DOUBLE
         : std::is_convertible_v<V, std::string>                       ? PARAMETER_STRING
         : reads_as_array_of<V, uint8_t>                               ? PARAMETER_BYTE_ARRAY
         : reads_as_array_of<V, bool>                                  ? PARAMETER_BOOL_ARRAY
         : reads_as_array_of<V, int> || reads_as_array_of<V, int64_t>  ? PARAMETER_INTEGER_ARRAY
         : reads_as_array_of<V, float> || reads_as_array_of<V, double> ? PARAMETER_DOUBLE_ARRAY
         : reads_as_array_of<V, std::string>                           ? PARAMETER_STRING_ARRAY
                                                                       : PARAMETER_NOT_SET;
}

// Where the message keeps the values, in the order of ParameterType from PARAMETER_BOOL on.
using ValueMessage = rcl_interfaces::msg::ParameterValue;
inline constexpr auto value_members =
  std::make_tuple(&ValueMessage::bool_value, &ValueMessage::integer_value, &ValueMessage::double_value,
    &ValueMessage::string_value, &ValueMessage::byte_array_value, &ValueMessage::bool_array_value,
    &ValueMessage::integer_array_value, &ValueMessage::double_array_value, &ValueMessage::string_array_value);

}  // namespace detail

/// The value of a parameter: one of the parameter types, or not set.
class ParameterValue {
public:
  ParameterValue() { value_.type = PARAMETER_NOT_SET; }
  explicit ParameterValue(const rcl_interfaces::msg::ParameterValue & value);
  explicit ParameterValue(const bool bool_value) { set<PARAMETER_BOOL>(bool_value); }
  explicit ParameterValue(const int int_value) { set<PARAMETER_INTEGER>(int_value); }
  explicit ParameterValue(const int64_t int_value) { set<PARAMETER_INTEGER>(int_value); }
  explicit ParameterValue(const float double_value) { set<PARAMETER_DOUBLE>(double_value); }
  explicit ParameterValue(const double double_value) { set<PARAMETER_DOUBLE>(double_value); }
  explicit ParameterValue(const std::string & string_value) { set<PARAMETER_STRING>(string_value); }
  explicit ParameterValue(const char * string_value) { set<PARAMETER_STRING>(string_value); }
  explicit ParameterValue(const std::vector<uint8_t> & values) { set<PARAMETER_BYTE_ARRAY>(values); }
  explicit ParameterValue(const std::vector<bool> & values) { set<PARAMETER_BOOL_ARRAY>(values); }
  explicit ParameterValue(const std::vector<int> & values)
  : ParameterValue(std::vector<int64_t>(values.begin(), values.end())) {}
  explicit ParameterValue(const std::vector<int64_t> & values) { set<PARAMETER_INTEGER_ARRAY>(values); }
  explicit ParameterValue(const std::vector<float> & values)
  : ParameterValue(std::vector<double>(values.begin(), values.end())) {}
  explicit ParameterValue(const std::vector<double> & values) { set<PARAMETER_DOUBLE_ARRAY>(values); }
  explicit ParameterValue(const std::vector<std::string> & values) { set<PARAMETER_STRING_ARRAY>(values); }

  ParameterType get_type() const { return static_cast<ParameterType>(value_.type); }
  rcl_interfaces::msg::ParameterValue to_value_msg() const { return value_; }
  bool operator==(const ParameterValue & rhs) const { return value_ == rhs.value_; }
  bool operator!=(const ParameterValue & rhs) const { return value_ != rhs.value_; }

  /// Read by parameter type. \throws ParameterTypeException if it holds another type.
  template <ParameterType type> constexpr const auto & get() const {
    static_assert(type > PARAMETER_NOT_SET && type <= PARAMETER_STRING_ARRAY, "this type has no value");
    if (value_.type != type) { throw ParameterTypeException(type, get_type()); }
    return value_.*std::get<type - 1>(detail::value_members);
  }

  /// Read by C++ type: any integer reads an integer, float and double read a double, and so on.
  template <typename type, std::enable_if_t<detail::parameter_type_of<type>() != PARAMETER_NOT_SET, bool> = true>
  constexpr const auto & get() const {
    return get<detail::parameter_type_of<type>()>();
  }

private:
  template <ParameterType type, typename T> void set(const T & value) {
    value_.type = type;
    value_.*std::get<type - 1>(detail::value_members) = value;
  }

  rcl_interfaces::msg::ParameterValue value_;
};

/// The value as text; arrays in brackets.
std::string to_string(const ParameterValue & type);

}  // namespace rclcpp
