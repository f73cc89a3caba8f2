// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace rclcpp::node_interfaces::detail {

/// Specialised for each interface by RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT.
template <typename InterfaceT> struct NodeInterfaceTraits;

/// The interface of a node, of a pointer to one, of NodeInterfaces, or the interface itself.
template <typename InterfaceT, typename NodeT> std::shared_ptr<InterfaceT> get_node_interface(NodeT && node) {
  using Plain = std::decay_t<NodeT>;
  if constexpr (std::is_convertible_v<Plain, std::shared_ptr<InterfaceT>>) {
    return std::forward<NodeT>(node);
  } else if constexpr (std::is_constructible_v<bool, Plain>) {
    if (!node) { throw std::invalid_argument("node cannot be nullptr"); }
    return get_node_interface<InterfaceT>(*node);
  } else {
    return NodeInterfaceTraits<InterfaceT>::from_node(node);
  }
}

}  // namespace rclcpp::node_interfaces::detail

/// Lets NodeInterfaces<...> hold the interface and offer its get_node_<name>_interface(), and
/// defines the free function of that name, which get_node_<name>_interface.hpp makes public.
#define RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(NodeInterfaceType, NodeInterfaceName)               \
  namespace rclcpp::node_interfaces::detail {                                                     \
  template <> struct NodeInterfaceTraits<NodeInterfaceType> {                                     \
    template <typename NodeT> static std::shared_ptr<NodeInterfaceType> from_node(NodeT & node) { \
      return node.get_node_##NodeInterfaceName##_interface();                                     \
    }                                                                                             \
    template <typename StorageT> struct Accessor {                                                \
      std::shared_ptr<NodeInterfaceType> get_node_##NodeInterfaceName##_interface() {             \
        return static_cast<StorageT &>(*this).template get<NodeInterfaceType>();                  \
      }                                                                                           \
    };                                                                                            \
  };                                                                                              \
  template <typename NodeT>                                                                       \
  std::shared_ptr<NodeInterfaceType> get_node_##NodeInterfaceName##_interface(NodeT && node) {    \
    return get_node_interface<NodeInterfaceType>(std::forward<NodeT>(node));                      \
  }                                                                                               \
  }
