// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/node_options.hpp"
#include "rclcpp_components/node_instance_wrapper.hpp"

namespace rclcpp_components {

/// Makes nodes of one class; what a component library registers.
class NodeFactory {
public:
  NodeFactory() = default;

  virtual ~NodeFactory() = default;

  virtual NodeInstanceWrapper create_node_instance(const rclcpp::NodeOptions & options) = 0;
};

}  // namespace rclcpp_components
