#pragma once

#include <memory>
#include <utility>

#include "rclcpp/detail/get_node_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"

namespace rclcpp
{
namespace node_interfaces
{

template<typename NodeType>
std::shared_ptr<NodeLoggingInterface> get_node_logging_interface(NodeType && node)
{
  return rclcpp::detail::get_node_interface<NodeLoggingInterface>(std::forward<NodeType>(node));
}

}  // namespace node_interfaces
}  // namespace rclcpp
