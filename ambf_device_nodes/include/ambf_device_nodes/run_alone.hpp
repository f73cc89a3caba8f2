// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>

#include <rclcpp/node.hpp>
#include <rclcpp_components/register_node_macro.hpp>

namespace ambf_device_nodes
{

using NodeMaker = std::function<rclcpp::Node::SharedPtr(const rclcpp::NodeOptions &)>;

/// Exit codes. Who was refused would be refused again: there is no use in starting it again.
constexpr int refused =
  1;  ///< the node cannot be made with what it was given, a parameter for instance
constexpr int failed = 2;  ///< it ran, and something went wrong

/// A node alone in its process, until it is interrupted: the exit code. What is refused or fails is
/// told in one line; nothing ends in a crash.
int run_alone(int argc, char ** argv, const NodeMaker & make);

}  // namespace ambf_device_nodes

/// Registers a class of this namespace as a component, with what a program and a test need of it.
#define AMBF_DEVICE_COMPONENT(Class)                                                      \
  RCLCPP_COMPONENTS_REGISTER_NODE(ambf_device_nodes::Class)                               \
  namespace ambf_device_nodes                                                             \
  {                                                                                       \
  rclcpp::Node::SharedPtr make_##Class(const rclcpp::NodeOptions & options)               \
  {                                                                                       \
    return std::make_shared<Class>(options);                                              \
  }                                                                                       \
  int run_##Class(int argc, char ** argv) { return run_alone(argc, argv, make_##Class); } \
  }
