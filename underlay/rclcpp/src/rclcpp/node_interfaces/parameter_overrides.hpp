#pragma once

#include <map>

#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/parameter.hpp"

namespace rclcpp::detail {

// What a node's parameters start with: the process's arguments, then those of the node, then the
// overrides of its options; the later ones win.
std::map<std::string, ParameterValue> resolve_parameter_overrides(
  node_interfaces::NodeBaseInterface & node_base, const std::vector<Parameter> & parameter_overrides);

}  // namespace rclcpp::detail
