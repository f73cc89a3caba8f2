// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"
#include "rclcpp/service.hpp"

namespace rclcpp {

/// The six services through which other nodes reach the parameters of a node.
class ParameterService {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(ParameterService)

  /// \param node_params must outlive the services.
  explicit ParameterService(const std::shared_ptr<node_interfaces::NodeBaseInterface> node_base,
    const std::shared_ptr<node_interfaces::NodeServicesInterface> node_services,
    node_interfaces::NodeParametersInterface * node_params, const QoS & qos_profile = ParametersQoS());

private:
  std::vector<ServiceBase::SharedPtr> services_;
};

}  // namespace rclcpp
