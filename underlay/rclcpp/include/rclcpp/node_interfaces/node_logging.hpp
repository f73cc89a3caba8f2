#pragma once

#include <memory>

#include "rcl_interfaces/srv/get_logger_levels.hpp"
#include "rcl_interfaces/srv/set_logger_levels.hpp"
#include "rclcpp/logger.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"
#include "rclcpp/service.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp
{
namespace node_interfaces
{

class NodeLogging : public NodeLoggingInterface
{
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeLogging)

  RCLCPP_PUBLIC
  explicit NodeLogging(rclcpp::node_interfaces::NodeBaseInterface * node_base);
  RCLCPP_PUBLIC
  virtual ~NodeLogging();

  RCLCPP_PUBLIC
  rclcpp::Logger get_logger() const override;
  RCLCPP_PUBLIC
  const char * get_logger_name() const override;
  RCLCPP_PUBLIC
  void create_logger_services(
    node_interfaces::NodeServicesInterface::SharedPtr node_services) override;

private:
  RCLCPP_DISABLE_COPY(NodeLogging)

  rclcpp::node_interfaces::NodeBaseInterface * node_base_;
  rclcpp::Logger logger_;
  rclcpp::Service<rcl_interfaces::srv::GetLoggerLevels>::SharedPtr get_loggers_service_;
  rclcpp::Service<rcl_interfaces::srv::SetLoggerLevels>::SharedPtr set_loggers_service_;
};

}  // namespace node_interfaces
}  // namespace rclcpp
