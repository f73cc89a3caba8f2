#include "rclcpp/parameter.hpp"

#include "rclcpp/node_interfaces/node_parameters.hpp"

namespace rclcpp {

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
