// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/node_interfaces/node_logging.hpp"

#include "../logging_mutex.hpp"
#include "rcl_interfaces/srv/get_logger_levels.hpp"
#include "rcl_interfaces/srv/set_logger_levels.hpp"
#include "rclcpp/create_service.hpp"

namespace rclcpp::node_interfaces {

using rcl_interfaces::srv::GetLoggerLevels;
using rcl_interfaces::srv::SetLoggerLevels;

void NodeLogging::create_logger_services(NodeServicesInterface::SharedPtr node_services) {
  // The node owns this object and outlives the services: the pointer does not own it back.
  const std::shared_ptr<NodeBaseInterface> node_base(std::shared_ptr<void>(), node_base_);
  const std::string node_name = node_base_->get_name();

  get_loggers_service_ = rclcpp::create_service<GetLoggerLevels>(
    node_base, node_services, node_name + "/get_logger_levels",
    [](const std::shared_ptr<GetLoggerLevels::Request> request, std::shared_ptr<GetLoggerLevels::Response> response) {
      std::lock_guard<std::recursive_mutex> guard(*rclcpp::detail::get_global_logging_mutex());
      for (const auto & name : request->names) {
        const int value = rcutils_logging_get_logger_level(name.c_str());
        if (value < 0) { rcutils_reset_error(); }
        rcl_interfaces::msg::LoggerLevel level;
        level.name = name;
        level.level = static_cast<uint32_t>(std::max(value, 0));
        response->levels.push_back(level);
      }
    },
    ServicesQoS(), nullptr);

  set_loggers_service_ = rclcpp::create_service<SetLoggerLevels>(
    node_base, node_services, node_name + "/set_logger_levels",
    [](const std::shared_ptr<SetLoggerLevels::Request> request, std::shared_ptr<SetLoggerLevels::Response> response) {
      std::lock_guard<std::recursive_mutex> guard(*rclcpp::detail::get_global_logging_mutex());
      for (const auto & level : request->levels) {
        const rcutils_ret_t ret = rcutils_logging_set_logger_level(level.name.c_str(), static_cast<int>(level.level));
        rcl_interfaces::msg::SetLoggerLevelsResult result;
        result.successful = ret == RCUTILS_RET_OK;
        if (!result.successful) {
          result.reason =
            ret == RCUTILS_RET_INVALID_ARGUMENT ? "Failed reason: invalid parameter" : "Failed reason: other";
          rcutils_reset_error();
        }
        response->results.push_back(result);
      }
    },
    ServicesQoS(), nullptr);
}

}  // namespace rclcpp::node_interfaces
