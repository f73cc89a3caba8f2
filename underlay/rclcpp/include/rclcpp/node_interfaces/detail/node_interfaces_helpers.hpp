#pragma once

#include <memory>

namespace rclcpp
{
namespace node_interfaces
{
namespace detail
{

/// Specialised for each interface by RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT.
template<typename InterfaceT>
struct NodeInterfaceTraits;

}  // namespace detail
}  // namespace node_interfaces
}  // namespace rclcpp

/// Lets NodeInterfaces<...> hold the interface and offer its get_node_<name>_interface().
#define RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(NodeInterfaceType, NodeInterfaceName) \
  namespace rclcpp { \
  namespace node_interfaces { \
  namespace detail { \
  template<> \
  struct NodeInterfaceTraits<NodeInterfaceType> \
  { \
    template<typename NodeT> \
    static std::shared_ptr<NodeInterfaceType> from_node(NodeT & node) \
    { \
      return node.get_node_ ## NodeInterfaceName ## _interface(); \
    } \
    template<typename StorageT> \
    struct Accessor \
    { \
      std::shared_ptr<NodeInterfaceType> get_node_ ## NodeInterfaceName ## _interface() \
      { \
        return static_cast<StorageT &>(*this).template get<NodeInterfaceType>(); \
      } \
    }; \
  }; \
  } \
  } \
  }
