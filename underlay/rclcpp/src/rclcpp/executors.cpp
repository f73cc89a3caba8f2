#include "rclcpp/executors.hpp"

namespace rclcpp {

namespace {

executors::SingleThreadedExecutor executor_for(const node_interfaces::NodeBaseInterface::SharedPtr & node) {
  ExecutorOptions options;
  options.context = node->get_context();
  return executors::SingleThreadedExecutor(options);
}

}  // namespace

void spin_all(node_interfaces::NodeBaseInterface::SharedPtr node_ptr, std::chrono::nanoseconds max_duration) {
  auto executor = executor_for(node_ptr);
  executor.spin_node_all(node_ptr, max_duration);
}

void spin_all(Node::SharedPtr node_ptr, std::chrono::nanoseconds max_duration) {
  spin_all(node_ptr->get_node_base_interface(), max_duration);
}

void spin_some(node_interfaces::NodeBaseInterface::SharedPtr node_ptr) {
  auto executor = executor_for(node_ptr);
  executor.spin_node_some(node_ptr);
}

void spin_some(Node::SharedPtr node_ptr) { spin_some(node_ptr->get_node_base_interface()); }

void spin(node_interfaces::NodeBaseInterface::SharedPtr node_ptr) {
  auto executor = executor_for(node_ptr);
  executor.add_node(node_ptr);
  executor.spin();
  executor.remove_node(node_ptr);
}

void spin(Node::SharedPtr node_ptr) { spin(node_ptr->get_node_base_interface()); }

}  // namespace rclcpp
