// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include <rclcpp/node.hpp>
#include <rclcpp_components/register_node_macro.hpp>

/// Registers the class Namespace::Class as a component, and gives what a program (ambf_node_program
/// in CMake) and a test make it with: Namespace::make_Class. Outside of any namespace.
#define AMBF_NODE_COMPONENT(Namespace, Class)                               \
  RCLCPP_COMPONENTS_REGISTER_NODE(Namespace::Class)                         \
  namespace Namespace                                                       \
  {                                                                         \
  rclcpp::Node::SharedPtr make_##Class(const rclcpp::NodeOptions & options) \
  {                                                                         \
    return std::make_shared<Class>(options);                                \
  }                                                                         \
  }
