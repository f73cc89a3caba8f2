// SPDX-License-Identifier: BSD-3-Clause
// Runs all components in one thread.

#include <memory>

#include "rclcpp/rclcpp.hpp"
#include "rclcpp_components/component_manager.hpp"

int main(int argc, char ** argv) {
  rclcpp::init(argc, argv);
  const auto executor = std::make_shared<rclcpp::executors::SingleThreadedExecutor>();
  const auto node = std::make_shared<rclcpp_components::ComponentManager>(executor);
  executor->add_node(node);
  executor->spin();
  rclcpp::shutdown();
}
