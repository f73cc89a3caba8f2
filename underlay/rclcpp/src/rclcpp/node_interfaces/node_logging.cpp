#include "rclcpp/node_interfaces/node_logging.hpp"

#include <memory>
#include <string>

#include "../logging_mutex.hpp"
#include "rclcpp/create_service.hpp"
#include "rclcpp/logging.hpp"

namespace rclcpp
{
namespace node_interfaces
{

NodeLogging::NodeLogging(NodeBaseInterface * node_base)
: node_base_(node_base), logger_(rclcpp::get_logger(get_logger_name()))
{}

NodeLogging::~NodeLogging() = default;

rclcpp::Logger NodeLogging::get_logger() const
{
  return logger_;
}

const char * NodeLogging::get_logger_name() const
{
  return rcl_node_get_logger_name(node_base_->get_rcl_node_handle());
}

void NodeLogging::create_logger_services(NodeServicesInterface::SharedPtr node_services)
{
  using rcl_interfaces::srv::GetLoggerLevels;
  using rcl_interfaces::srv::SetLoggerLevels;
  // The node owns this object and outlives the services: the pointer does not own it back.
  const std::shared_ptr<NodeBaseInterface> node_base(std::shared_ptr<void>(), node_base_);
  const std::string node_name = node_base_->get_name();

  get_loggers_service_ = rclcpp::create_service<GetLoggerLevels>(
    node_base, node_services, node_name + "/get_logger_levels",
    [](
      const std::shared_ptr<GetLoggerLevels::Request> request,
      std::shared_ptr<GetLoggerLevels::Response> response) {
      auto logging_mutex = rclcpp::detail::get_global_logging_mutex();
      std::lock_guard<std::recursive_mutex> guard(*logging_mutex);
      for (const auto & name : request->names) {
        rcl_interfaces::msg::LoggerLevel level;
        level.name = name;
        const int value = rcutils_logging_get_logger_level(name.c_str());
        level.level = static_cast<uint32_t>(value < 0 ? 0 : value);
        if (value < 0) {
          rcutils_reset_error();
        }
        response->levels.push_back(level);
      }
    }, rclcpp::ServicesQoS(), nullptr);

  set_loggers_service_ = rclcpp::create_service<SetLoggerLevels>(
    node_base, node_services, node_name + "/set_logger_levels",
    [](
      const std::shared_ptr<SetLoggerLevels::Request> request,
      std::shared_ptr<SetLoggerLevels::Response> response) {
      auto logging_mutex = rclcpp::detail::get_global_logging_mutex();
      std::lock_guard<std::recursive_mutex> guard(*logging_mutex);
      for (const auto & level : request->levels) {
        rcl_interfaces::msg::SetLoggerLevelsResult result;
        const rcutils_ret_t ret = rcutils_logging_set_logger_level(
          level.name.c_str(), static_cast<int>(level.level));
        result.successful = ret == RCUTILS_RET_OK;
        if (!result.successful) {
          result.reason = ret == RCUTILS_RET_INVALID_ARGUMENT ?
            "Failed reason: invalid parameter" : "Failed reason: other";
          rcutils_reset_error();
        }
        response->results.push_back(result);
      }
    }, rclcpp::ServicesQoS(), nullptr);
}

}  // namespace node_interfaces
}  // namespace rclcpp
