// SPDX-License-Identifier: BSD-3-Clause
// Runs each component in a thread of its own, or with --use_multi_threaded_executor in a pool.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "rclcpp/rclcpp.hpp"
#include "rclcpp_components/component_manager_isolated.hpp"

int main(int argc, char ** argv) {
  using rclcpp::executors::MultiThreadedExecutor;
  using rclcpp::executors::SingleThreadedExecutor;
  using rclcpp_components::ComponentManagerIsolated;

  const std::vector<std::string> arguments = rclcpp::init_and_remove_ros_arguments(argc, argv);
  const bool multi_threaded =
    std::find(arguments.begin(), arguments.end(), "--use_multi_threaded_executor") != arguments.end();

  // This executor runs the services of the container only.
  const auto executor = std::make_shared<SingleThreadedExecutor>();
  std::shared_ptr<rclcpp::Node> node;
  if (multi_threaded) {
    node = std::make_shared<ComponentManagerIsolated<MultiThreadedExecutor>>(executor);
  } else {
    node = std::make_shared<ComponentManagerIsolated<SingleThreadedExecutor>>(executor);
  }
  executor->add_node(node);
  executor->spin();
  rclcpp::shutdown();
}
