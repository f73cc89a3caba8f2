#pragma once

#include <memory>
#include <utility>

#include "rclcpp/detail/get_node_interface.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"

namespace rclcpp
{
namespace node_interfaces
{

template<typename NodeType>
std::shared_ptr<NodeTopicsInterface> get_node_topics_interface(NodeType && node)
{
  return rclcpp::detail::get_node_interface<NodeTopicsInterface>(std::forward<NodeType>(node));
}

}  // namespace node_interfaces
}  // namespace rclcpp
