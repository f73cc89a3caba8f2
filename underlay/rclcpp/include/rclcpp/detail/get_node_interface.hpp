#pragma once

#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"

namespace rclcpp
{
namespace detail
{

template<typename T>
struct is_shared_ptr : std::false_type {};
template<typename T>
struct is_shared_ptr<std::shared_ptr<T>>: std::true_type {};

/// The interface of a node, of a pointer to one, of NodeInterfaces, or the interface itself.
template<typename InterfaceT, typename NodeT>
std::shared_ptr<InterfaceT> get_node_interface(NodeT && node)
{
  using Plain = std::decay_t<NodeT>;
  if constexpr (std::is_convertible_v<Plain, std::shared_ptr<InterfaceT>>) {
    return std::forward<NodeT>(node);
  } else if constexpr (is_shared_ptr<Plain>::value || std::is_pointer_v<Plain>) {
    if (!node) {
      throw std::invalid_argument("node cannot be nullptr");
    }
    return get_node_interface<InterfaceT>(*node);
  } else {
    return node_interfaces::detail::NodeInterfaceTraits<InterfaceT>::from_node(node);
  }
}

}  // namespace detail
}  // namespace rclcpp
