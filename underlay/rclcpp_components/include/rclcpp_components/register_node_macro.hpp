// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "rclcpp_components/detail/component_registry.hpp"
#include "rclcpp_components/node_factory_template.hpp"

#define RCLCPP_COMPONENTS_DETAIL_JOIN_(a, b) a##b
#define RCLCPP_COMPONENTS_DETAIL_JOIN(a, b) RCLCPP_COMPONENTS_DETAIL_JOIN_(a, b)

/// Registers a class, given with its namespaces, that is to be loaded as a component.
/**
 * The class is constructed from rclcpp::NodeOptions and has get_node_base_interface(). To be used
 * once per class, in a source file of the library, outside of any namespace.
 */
#define RCLCPP_COMPONENTS_REGISTER_NODE(NodeClass)                                                            \
  namespace {                                                                                                 \
  const rclcpp_components::detail::RegisteredComponent RCLCPP_COMPONENTS_DETAIL_JOIN(                         \
    registered_component_, __COUNTER__)(#NodeClass, []() -> std::shared_ptr<rclcpp_components::NodeFactory> { \
    return std::make_shared<rclcpp_components::NodeFactoryTemplate<NodeClass>>();                             \
  });                                                                                                         \
  }
