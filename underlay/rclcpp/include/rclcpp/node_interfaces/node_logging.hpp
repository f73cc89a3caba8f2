// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"

namespace rclcpp::node_interfaces {

class NodeLogging : public NodeLoggingInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeLogging)

  explicit NodeLogging(NodeBaseInterface * node_base)
  : node_base_(node_base), logger_(rclcpp::get_logger(get_logger_name())) {}

  Logger get_logger() const override { return logger_; }
  const char * get_logger_name() const override { return rcl_node_get_logger_name(node_base_->get_rcl_node_handle()); }
  void create_logger_services(NodeServicesInterface::SharedPtr node_services) override;

private:
  NodeBaseInterface * node_base_;
  Logger logger_;
  ServiceBase::SharedPtr get_loggers_service_;
  ServiceBase::SharedPtr set_loggers_service_;
};

}  // namespace rclcpp::node_interfaces
