// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/parameter_map.hpp"

#include <string_view>

#include "rcl_yaml_param_parser/parser.h"

namespace rclcpp {

using exceptions::InvalidParametersException;
using exceptions::InvalidParameterValueException;

namespace {

// The first "/segment" of a name, and what follows it.
std::string_view split_segment(std::string_view & name) {
  const auto end = name.find('/', 1);
  const std::string_view segment = name.substr(0, end);
  name = end == std::string_view::npos ? std::string_view() : name.substr(end);
  return segment;
}

// "/*" stands for one segment of a name, "/**" for any number of them, also none.
bool name_matches(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) { return name.empty(); }
  std::string_view rest = pattern;
  const std::string_view wanted = split_segment(rest);
  if (wanted == "/**") {
    for (std::string_view tail = name;; split_segment(tail)) {
      if (name_matches(rest, tail)) { return true; }
      if (tail.empty()) { return false; }
    }
  }
  if (name.empty()) { return false; }
  const std::string_view found = split_segment(name);
  return (wanted == "/*" || wanted == found) && name_matches(rest, name);
}

template <typename ArrayT> auto to_vector(const ArrayT & array) {
  return std::vector<std::remove_cv_t<std::remove_pointer_t<decltype(array.values)>>>(
    array.values, array.values + array.size);
}

}  // namespace

ParameterMap parameter_map_from(const rcl_params_t * const c_params, const char * node_fqn) {
  if (c_params == nullptr) { throw InvalidParametersException("parameters struct is NULL"); }
  if (c_params->node_names == nullptr) { throw InvalidParametersException("node names array is NULL"); }
  if (c_params->params == nullptr) { throw InvalidParametersException("node parameters array is NULL"); }
  ParameterMap map;
  for (size_t n = 0; n < c_params->num_nodes; ++n) {
    if (c_params->node_names[n] == nullptr) {
      throw InvalidParametersException("Node name at index " + std::to_string(n) + " is NULL");
    }
    std::string node_name = c_params->node_names[n];
    if (node_name.empty() || node_name.front() != '/') { node_name.insert(0, "/"); }
    if (node_fqn != nullptr) {
      if (!name_matches(node_name, node_fqn)) { continue; }
      node_name = node_fqn;
    }
    const rcl_node_params_t & node_params = c_params->params[n];
    std::vector<Parameter> & parameters = map[node_name];
    for (size_t p = 0; p < node_params.num_params; ++p) {
      const char * name = node_params.parameter_names[p];
      if (name == nullptr) {
        throw InvalidParametersException(
          "At node " + std::to_string(n) + " parameter " + std::to_string(p) + " name is NULL");
      }
      parameters.emplace_back(name, parameter_value_from(&node_params.parameter_values[p]));
    }
  }
  return map;
}

ParameterValue parameter_value_from(const rcl_variant_t * const c_value) {
  if (c_value == nullptr) { throw InvalidParameterValueException("Passed argument is NULL"); }
  if (c_value->bool_value) { return ParameterValue(*c_value->bool_value); }
  if (c_value->integer_value) { return ParameterValue(*c_value->integer_value); }
  if (c_value->double_value) { return ParameterValue(*c_value->double_value); }
  if (c_value->string_value) { return ParameterValue(c_value->string_value); }
  if (c_value->byte_array_value) { return ParameterValue(to_vector(*c_value->byte_array_value)); }
  if (c_value->bool_array_value) { return ParameterValue(to_vector(*c_value->bool_array_value)); }
  if (c_value->integer_array_value) { return ParameterValue(to_vector(*c_value->integer_array_value)); }
  if (c_value->double_array_value) { return ParameterValue(to_vector(*c_value->double_array_value)); }
  if (const auto * array = c_value->string_array_value) {
    return ParameterValue(std::vector<std::string>(array->data, array->data + array->size));
  }
  throw InvalidParameterValueException("No parameter value set");
}

ParameterMap parameter_map_from_yaml_file(const std::string & yaml_filename, const char * node_fqn) {
  const std::unique_ptr<rcl_params_t, void (*)(rcl_params_t *)> parsed(
    rcl_yaml_node_struct_init(rcutils_get_default_allocator()), rcl_yaml_node_struct_fini);
  if (!parsed || !rcl_parse_yaml_file(yaml_filename.c_str(), parsed.get())) {
    exceptions::throw_from_rcl_error(RCL_RET_ERROR);
  }
  return parameter_map_from(parsed.get(), node_fqn);
}

std::vector<Parameter> parameters_from_map(const ParameterMap & parameter_map, const char * node_fqn) {
  std::vector<Parameter> parameters;
  for (const auto & [node_name, node_parameters] : parameter_map) {
    if (node_fqn == nullptr || name_matches(node_name, node_fqn)) {
      parameters.insert(parameters.end(), node_parameters.begin(), node_parameters.end());
    }
  }
  return parameters;
}

}  // namespace rclcpp
