// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/logging.hpp"
#include "rclcpp/parameter.hpp"

namespace rclcpp {

/// Declare every parameter of one node on another, with its value and descriptor.
/**
 * Parameters that the destination has keep their value unless override_existing_params is set.
 */
template <typename NodeT1, typename NodeT2> void copy_all_parameter_values(
  const NodeT1 & source, const NodeT2 & destination, const bool override_existing_params = false) {
  const auto source_parameters = source->get_node_parameters_interface();
  const auto destination_parameters = destination->get_node_parameters_interface();
  for (const std::string & name : source_parameters->list_parameters({}, 0).names) {
    const rclcpp::Parameter parameter = source_parameters->get_parameter(name);
    if (!destination_parameters->has_parameter(name)) {
      const auto descriptor = source_parameters->describe_parameters({name}).front();
      destination_parameters->declare_parameter(name, parameter.get_parameter_value(), descriptor);
    } else if (override_existing_params) {
      const auto result = destination_parameters->set_parameters_atomically({parameter});
      if (!result.successful) {
        RCLCPP_WARN(rclcpp::get_logger("copy_all_parameter_values"), "Unable to set parameter (%s): %s!", name.c_str(),
          result.reason.c_str());
      }
    }
  }
}

}  // namespace rclcpp
