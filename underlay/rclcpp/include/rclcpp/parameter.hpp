// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rcl_interfaces/msg/parameter.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/parameter_value.hpp"

namespace rclcpp::node_interfaces {
struct ParameterInfo;
}

namespace rclcpp {

/// A named parameter value.
class Parameter {
public:
  /// An empty name and a value that is not set.
  Parameter() = default;
  explicit Parameter(const std::string & name) : name_(name) {}
  Parameter(const std::string & name, const ParameterValue & value) : name_(name), value_(value) {}
  template <typename ValueTypeT> Parameter(const std::string & name, ValueTypeT value)
  : Parameter(name, ParameterValue(value)) {}
  explicit Parameter(const node_interfaces::ParameterInfo & parameter_info);

  bool operator==(const Parameter & rhs) const { return name_ == rhs.name_ && value_ == rhs.value_; }
  bool operator!=(const Parameter & rhs) const { return !(*this == rhs); }
  ParameterType get_type() const { return value_.get_type(); }
  std::string get_type_name() const { return to_string(get_type()); }
  const std::string & get_name() const { return name_; }
  rcl_interfaces::msg::ParameterValue get_value_message() const { return value_.to_value_msg(); }
  const ParameterValue & get_parameter_value() const { return value_; }

  /// \throws ParameterTypeException if the parameter holds another type.
  template <ParameterType ParamT> decltype(auto) get_value() const { return value_.get<ParamT>(); }

  /// \throws exceptions::InvalidParameterTypeException if the parameter holds another type.
  template <typename T> decltype(auto) get_value() const {
    if constexpr (std::is_same_v<T, ParameterValue>) {
      return static_cast<const ParameterValue &>(value_);
    } else if constexpr (std::is_same_v<T, Parameter>) {
      return static_cast<const Parameter &>(*this);
    } else {
      try {
        return value_.get<T>();
      } catch (const ParameterTypeException & ex) { throw exceptions::InvalidParameterTypeException(name_, ex.what()); }
    }
  }

  // The as_* functions throw ParameterTypeException if the parameter holds another type.
  bool as_bool() const { return get_value<PARAMETER_BOOL>(); }
  int64_t as_int() const { return get_value<PARAMETER_INTEGER>(); }
  double as_double() const { return get_value<PARAMETER_DOUBLE>(); }
  const std::string & as_string() const { return get_value<PARAMETER_STRING>(); }
  const std::vector<uint8_t> & as_byte_array() const { return get_value<PARAMETER_BYTE_ARRAY>(); }
  const std::vector<bool> & as_bool_array() const { return get_value<PARAMETER_BOOL_ARRAY>(); }
  const std::vector<int64_t> & as_integer_array() const { return get_value<PARAMETER_INTEGER_ARRAY>(); }
  const std::vector<double> & as_double_array() const { return get_value<PARAMETER_DOUBLE_ARRAY>(); }
  const std::vector<std::string> & as_string_array() const { return get_value<PARAMETER_STRING_ARRAY>(); }

  static Parameter from_parameter_msg(const rcl_interfaces::msg::Parameter & parameter) {
    return Parameter(parameter.name, ParameterValue(parameter.value));
  }
  rcl_interfaces::msg::Parameter to_parameter_msg() const;
  std::string value_to_string() const { return to_string(value_); }

private:
  std::string name_;
  ParameterValue value_;
};

/// The parameter as an entry of a JSON object: `"name": {"type": ..., "value": ...}`.
std::string _to_json_dict_entry(const Parameter & param);

std::ostream & operator<<(std::ostream & os, const rclcpp::Parameter & pv);

std::ostream & operator<<(std::ostream & os, const std::vector<Parameter> & parameters);

}  // namespace rclcpp

namespace std {

/// The parameter as a JSON object.
std::string to_string(const rclcpp::Parameter & param);

/// The parameters as one JSON object keyed by name.
std::string to_string(const std::vector<rclcpp::Parameter> & parameters);

}  // namespace std
