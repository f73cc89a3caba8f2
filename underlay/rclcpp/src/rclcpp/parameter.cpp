// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/parameter.hpp"

#include "rclcpp/node_interfaces/node_parameters.hpp"

namespace rclcpp {

std::string to_string(ParameterType type) {
  constexpr const char * names[] = {"not set", "bool", "integer", "double", "string", "byte_array", "bool_array",
    "integer_array", "double_array", "string_array"};
  return type <= PARAMETER_STRING_ARRAY ? names[type] : "unknown type";
}

// Shown is the type that an element is converted to for printing (a byte prints as a number).
template <typename Shown, typename Array>
static std::string array_to_string(const Array & array, std::ios::fmtflags base = std::ios::dec) {
  std::stringstream text;
  text.setf(base, std::ios::basefield);
  text << std::showbase << std::boolalpha << "[";
  const char * separator = "";
  for (const auto & element : array) {
    text << separator << static_cast<const Shown &>(element);
    separator = ", ";
  }
  return text.str() + "]";
}

std::string to_string(const ParameterValue & value) {
  switch (value.get_type()) {
    case PARAMETER_BOOL: return value.get<PARAMETER_BOOL>() ? "true" : "false";
    case PARAMETER_INTEGER: return std::to_string(value.get<PARAMETER_INTEGER>());
    case PARAMETER_DOUBLE: return std::to_string(value.get<PARAMETER_DOUBLE>());
    case PARAMETER_STRING: return value.get<PARAMETER_STRING>();
    case PARAMETER_BYTE_ARRAY: return array_to_string<int>(value.get<PARAMETER_BYTE_ARRAY>(), std::ios::hex);
    case PARAMETER_BOOL_ARRAY: return array_to_string<bool>(value.get<PARAMETER_BOOL_ARRAY>());
    case PARAMETER_INTEGER_ARRAY: return array_to_string<int64_t>(value.get<PARAMETER_INTEGER_ARRAY>());
    case PARAMETER_DOUBLE_ARRAY: return array_to_string<double>(value.get<PARAMETER_DOUBLE_ARRAY>());
    case PARAMETER_STRING_ARRAY: return array_to_string<std::string>(value.get<PARAMETER_STRING_ARRAY>());
    default: return to_string(value.get_type());
  }
}

ParameterValue::ParameterValue(const rcl_interfaces::msg::ParameterValue & value) : value_(value) {
  if (value_.type > PARAMETER_STRING_ARRAY) { throw exceptions::UnknownTypeError(std::to_string(value_.type)); }
}

Parameter::Parameter(const node_interfaces::ParameterInfo & parameter_info)
: Parameter(parameter_info.descriptor.name, parameter_info.value) {}

rcl_interfaces::msg::Parameter Parameter::to_parameter_msg() const {
  rcl_interfaces::msg::Parameter parameter;
  parameter.name = name_;
  parameter.value = value_.to_value_msg();
  return parameter;
}

static std::string type_and_value(const Parameter & parameter) {
  return "\"type\": \"" + parameter.get_type_name() + "\", \"value\": \"" + parameter.value_to_string() + "\"}";
}

std::string _to_json_dict_entry(const Parameter & param) {
  return "\"" + param.get_name() + "\": {" + type_and_value(param);
}

std::ostream & operator<<(std::ostream & os, const Parameter & pv) { return os << std::to_string(pv); }

std::ostream & operator<<(std::ostream & os, const std::vector<Parameter> & parameters) {
  return os << std::to_string(parameters);
}

}  // namespace rclcpp

std::string std::to_string(const rclcpp::Parameter & param) {
  return "{\"name\": \"" + param.get_name() + "\", " + rclcpp::type_and_value(param);
}

std::string std::to_string(const std::vector<rclcpp::Parameter> & parameters) {
  std::vector<std::string> entries;
  for (const auto & parameter : parameters) { entries.push_back(rclcpp::_to_json_dict_entry(parameter)); }
  return "{" + rcpputils::join(entries, ", ") + "}";
}
