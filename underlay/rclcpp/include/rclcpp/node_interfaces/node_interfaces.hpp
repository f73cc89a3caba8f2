// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/node_interfaces/node_clock_interface.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/node_time_source_interface.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"
#include "rclcpp/node_interfaces/node_type_descriptions_interface.hpp"
#include "rclcpp/node_interfaces/node_waitables_interface.hpp"

#define ALL_RCLCPP_NODE_INTERFACES                                                                        \
  rclcpp::node_interfaces::NodeBaseInterface, rclcpp::node_interfaces::NodeClockInterface,                \
    rclcpp::node_interfaces::NodeGraphInterface, rclcpp::node_interfaces::NodeLoggingInterface,           \
    rclcpp::node_interfaces::NodeParametersInterface, rclcpp::node_interfaces::NodeServicesInterface,     \
    rclcpp::node_interfaces::NodeTimeSourceInterface, rclcpp::node_interfaces::NodeTimersInterface,       \
    rclcpp::node_interfaces::NodeTopicsInterface, rclcpp::node_interfaces::NodeTypeDescriptionsInterface, \
    rclcpp::node_interfaces::NodeWaitablesInterface

namespace rclcpp::node_interfaces {

/// A chosen set of a node's interfaces, made implicitly of any node-like object.
template <typename... InterfaceTs> class NodeInterfaces
: public detail::NodeInterfaceTraits<InterfaceTs>::template Accessor<NodeInterfaces<InterfaceTs...>>... {
  static_assert(sizeof...(InterfaceTs) > 0, "NodeInterfaces must be given an interface");

public:
  template <typename NodeT, typename = std::enable_if_t<!std::is_same_v<std::decay_t<NodeT>, NodeInterfaces>>>
  NodeInterfaces(NodeT && node)  // NOLINT(runtime/explicit)
  : interfaces_(detail::get_node_interface<InterfaceTs>(node)...) {}

  explicit NodeInterfaces(std::shared_ptr<InterfaceTs>... args) : interfaces_(args...) {}

  template <typename InterfaceT> std::shared_ptr<InterfaceT> get() {
    return std::get<std::shared_ptr<InterfaceT>>(interfaces_);
  }

  template <typename InterfaceT> std::shared_ptr<const InterfaceT> get() const {
    return std::get<std::shared_ptr<InterfaceT>>(interfaces_);
  }

private:
  std::tuple<std::shared_ptr<InterfaceTs>...> interfaces_;
};

}  // namespace rclcpp::node_interfaces
