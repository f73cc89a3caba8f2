// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/executors.hpp"

namespace rclcpp {

using NodeBasePtr = node_interfaces::NodeBaseInterface::SharedPtr;

namespace {

executors::SingleThreadedExecutor executor_for(const NodeBasePtr & node) {
  ExecutorOptions options;
  options.context = node->get_context();
  return executors::SingleThreadedExecutor(options);
}

}  // namespace

void executors::SingleThreadedExecutor::spin() {
  SpinSession session(*this, "spin()");
  while (keep_spinning()) {
    AnyExecutable any_executable;
    if (get_next_executable(any_executable)) { execute_any_executable(any_executable); }
  }
}

void spin_all(NodeBasePtr node, std::chrono::nanoseconds max_duration) {
  executor_for(node).spin_node_all(node, max_duration);
}

void spin_some(NodeBasePtr node) { executor_for(node).spin_node_some(node); }

void spin(NodeBasePtr node) {
  auto executor = executor_for(node);
  executor.add_node(node);
  executor.spin();
  executor.remove_node(node);
}

}  // namespace rclcpp
