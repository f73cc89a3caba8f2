// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/node_type_descriptions_interface.hpp"

namespace rclcpp::node_interfaces {

/// Answers ~/get_type_description, unless start_type_description_service is false.
class NodeTypeDescriptions : public NodeTypeDescriptionsInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeTypeDescriptions)

  explicit NodeTypeDescriptions(NodeBaseInterface::SharedPtr node_base, NodeLoggingInterface::SharedPtr node_logging,
    NodeParametersInterface::SharedPtr node_parameters, NodeServicesInterface::SharedPtr node_services);

private:
  ServiceBase::SharedPtr service_;
};

}  // namespace rclcpp::node_interfaces
