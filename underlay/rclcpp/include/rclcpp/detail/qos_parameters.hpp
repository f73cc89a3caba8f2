// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/qos_overriding_options.hpp"

namespace rclcpp::detail {

/// Declare one read-only parameter per policy that may be overridden and apply their values.
/// \param entity_type "publisher" or "subscription"
/// \throws InvalidQosOverridesException when the validation callback refuses the result
QoS declare_qos_parameters(const QosOverridingOptions & options,
  node_interfaces::NodeParametersInterface & parameters_interface, const std::string & topic_name,
  const QoS & default_qos, const std::string & entity_type);

/// What may be overridden for /parameter_events.
QosOverridingOptions parameter_events_overriding();

/// The QoS of /parameter_events, whose publisher exists before parameters, with the overrides applied.
QoS parameter_events_qos(const std::map<std::string, ParameterValue> & overrides, const std::string & topic, QoS qos);

}  // namespace rclcpp::detail
