// SPDX-License-Identifier: BSD-3-Clause
// Runs the components in a pool of threads, as many as the parameter thread_num says.

#include <memory>

#include "rclcpp/rclcpp.hpp"
#include "rclcpp_components/component_manager.hpp"

int main(int argc, char ** argv) {
  rclcpp::init(argc, argv);
  const auto node = std::make_shared<rclcpp_components::ComponentManager>();
  const auto threads = static_cast<size_t>(node->get_parameter("thread_num").as_int());
  const auto executor = std::make_shared<rclcpp::executors::MultiThreadedExecutor>(rclcpp::ExecutorOptions(), threads);
  node->set_executor(executor);
  executor->add_node(node);
  executor->spin();
  rclcpp::shutdown();
}
