#include "./parameter_overrides.hpp"

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "rcl/arguments.h"
#include "rcl/node.h"
#include "rcl/node_options.h"
#include "rcl_yaml_param_parser/parser.h"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/parameter_map.hpp"

namespace rclcpp {
namespace detail {

std::map<std::string, ParameterValue> resolve_parameter_overrides(
  node_interfaces::NodeBaseInterface & node_base, const std::vector<Parameter> & parameter_overrides) {
  const rcl_node_options_t * options = rcl_node_get_options(node_base.get_rcl_node_handle());
  if (options == nullptr) { throw std::runtime_error("Need valid node options in NodeParameters"); }
  std::vector<const rcl_arguments_t *> sources;
  if (options->use_global_arguments) {
    sources.push_back(&node_base.get_context()->get_rcl_context()->global_arguments);
  }
  sources.push_back(&options->arguments);

  const std::string node_name = node_base.get_fully_qualified_name();
  std::map<std::string, ParameterValue> overrides;
  for (const rcl_arguments_t * source : sources) {
    rcl_params_t * found = nullptr;
    const rcl_ret_t ret = rcl_arguments_get_param_overrides(source, &found);
    if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret); }
    if (found == nullptr) { continue; }
    const std::unique_ptr<rcl_params_t, void (*)(rcl_params_t *)> owner(found, rcl_yaml_node_struct_fini);
    const ParameterMap map = parameter_map_from(found, node_name.c_str());
    for (const Parameter & parameter : parameters_from_map(map, node_name.c_str())) {
      overrides[parameter.get_name()] = parameter.get_parameter_value();
    }
  }
  for (const Parameter & parameter : parameter_overrides) {
    overrides[parameter.get_name()] = parameter.get_parameter_value();
  }
  return overrides;
}

}  // namespace detail
}  // namespace rclcpp
