#pragma once

#include <iosfwd>
#include <string>
#include <type_traits>
#include <vector>

#include "rcl_interfaces/msg/parameter.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/parameter_value.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

namespace node_interfaces {
struct ParameterInfo;
}  // namespace node_interfaces

/// A named parameter value.
class Parameter {
public:
  /// An empty name and a value that is not set.
  Parameter();

  explicit Parameter(const std::string & name);

  Parameter(const std::string & name, const rclcpp::ParameterValue & value);

  template <typename ValueTypeT>
  Parameter(const std::string & name, ValueTypeT value) : Parameter(name, ParameterValue(value)) {}

  explicit Parameter(const rclcpp::node_interfaces::ParameterInfo & parameter_info);

  bool operator==(const Parameter & rhs) const;

  bool operator!=(const Parameter & rhs) const;

  ParameterType get_type() const;

  std::string get_type_name() const;

  const std::string & get_name() const;

  rcl_interfaces::msg::ParameterValue get_value_message() const;

  const rclcpp::ParameterValue & get_parameter_value() const;

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
  bool as_bool() const;
  int64_t as_int() const;
  double as_double() const;
  const std::string & as_string() const;
  const std::vector<uint8_t> & as_byte_array() const;
  const std::vector<bool> & as_bool_array() const;
  const std::vector<int64_t> & as_integer_array() const;
  const std::vector<double> & as_double_array() const;
  const std::vector<std::string> & as_string_array() const;

  static Parameter from_parameter_msg(const rcl_interfaces::msg::Parameter & parameter);

  rcl_interfaces::msg::Parameter to_parameter_msg() const;

  std::string value_to_string() const;

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
