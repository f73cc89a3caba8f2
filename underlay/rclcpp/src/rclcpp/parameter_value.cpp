#include "rclcpp/parameter_value.hpp"

#include "rclcpp/exceptions.hpp"

namespace rclcpp {

std::string to_string(ParameterType type) {
  constexpr const char * names[] = {"not set", "bool", "integer", "double", "string", "byte_array", "bool_array",
    "integer_array", "double_array", "string_array"};
  return type <= PARAMETER_STRING_ARRAY ? names[type] : "unknown type";
}

namespace {

// Shown is the type that an element is converted to for printing (a byte prints as a number).
template <typename Shown, typename Array>
std::string array_to_string(const Array & array, std::ios::fmtflags base = std::ios::dec) {
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

}  // namespace

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

}  // namespace rclcpp
