// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "rclcpp_components/node_factory.hpp"

namespace rclcpp_components {

/// Makes nodes of a class that can be constructed from NodeOptions.
template <typename NodeT> class NodeFactoryTemplate : public NodeFactory {
public:
  NodeFactoryTemplate() = default;
  virtual ~NodeFactoryTemplate() = default;

  NodeInstanceWrapper create_node_instance(const rclcpp::NodeOptions & options) override {
    return NodeInstanceWrapper(std::make_shared<NodeT>(options), [](const std::shared_ptr<void> & node) {
      return std::static_pointer_cast<NodeT>(node)->get_node_base_interface();
    });
  }
};

}  // namespace rclcpp_components
