// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/logger.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"

namespace rclcpp::node_interfaces {

class NodeLoggingInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeLoggingInterface)

  virtual ~NodeLoggingInterface() = default;

  virtual Logger get_logger() const = 0;
  virtual const char * get_logger_name() const = 0;
  /// Offer ~/get_logger_levels and ~/set_logger_levels.
  virtual void create_logger_services(NodeServicesInterface::SharedPtr node_services) = 0;
};

}  // namespace rclcpp::node_interfaces

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeLoggingInterface, logging)
