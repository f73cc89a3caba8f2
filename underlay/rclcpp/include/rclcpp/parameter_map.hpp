// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <unordered_map>

#include "rcl_yaml_param_parser/types.h"
#include "rclcpp/parameter.hpp"

namespace rclcpp {

/// Parameters by the fully qualified name of their node.
using ParameterMap = std::unordered_map<std::string, std::vector<Parameter>>;

/// Convert parsed parameters.
/**
 * \param node_fqn if given, only entries whose name (with `*` and `**` wildcards) matches this node
 *   are taken, and all of them are filed under it, later entries after earlier ones.
 * \throws exceptions::InvalidParametersException if the struct is malformed.
 */
ParameterMap parameter_map_from(const rcl_params_t * const c_params, const char * node_fqn = nullptr);

/// \throws exceptions::InvalidParameterValueException if no value is set.
ParameterValue parameter_value_from(const rcl_variant_t * const c_value);

/// \throws exceptions::RCLError and its relatives if the file cannot be read or parsed.
ParameterMap parameter_map_from_yaml_file(const std::string & yaml_filename, const char * node_fqn = nullptr);

/// All parameters of the map in one list, or those of one node.
std::vector<Parameter> parameters_from_map(const ParameterMap & parameter_map, const char * node_fqn = nullptr);

}  // namespace rclcpp
