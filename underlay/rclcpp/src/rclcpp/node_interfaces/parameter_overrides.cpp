#include "./parameter_overrides.hpp"

#include "../rcl_check.hpp"
#include "rcl_yaml_param_parser/parser.h"
#include "rclcpp/parameter_map.hpp"

namespace rclcpp::detail {

std::map<std::string, ParameterValue> resolve_parameter_overrides(
  node_interfaces::NodeBaseInterface & node_base, const std::vector<Parameter> & parameter_overrides) {
  const rcl_node_options_t * options = rcl_node_get_options(node_base.get_rcl_node_handle());
  if (options == nullptr) { throw std::runtime_error("Need valid node options in NodeParameters"); }
  std::vector<const rcl_arguments_t *> sources;
  if (options->use_global_arguments) {
    sources.push_back(&node_base.get_context()->get_rcl_context()->global_arguments);
  }
  sources.push_back(&options->arguments);

  const char * node_name = node_base.get_fully_qualified_name();
  std::map<std::string, ParameterValue> overrides;
  const auto add = [&overrides](const std::vector<Parameter> & parameters) {
    for (const Parameter & parameter : parameters) {
      overrides[parameter.get_name()] = parameter.get_parameter_value();
    }
  };
  for (const rcl_arguments_t * source : sources) {
    rcl_params_t * found = nullptr;
    check(rcl_arguments_get_param_overrides(source, &found), "");
    if (found == nullptr) { continue; }
    const std::unique_ptr<rcl_params_t, void (*)(rcl_params_t *)> owner(found, rcl_yaml_node_struct_fini);
    add(parameters_from_map(parameter_map_from(found, node_name), node_name));
  }
  add(parameter_overrides);
  return overrides;
}

}  // namespace rclcpp::detail
