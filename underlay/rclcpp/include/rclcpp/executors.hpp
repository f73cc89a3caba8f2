// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/executors/multi_threaded_executor.hpp"
#include "rclcpp/executors/single_threaded_executor.hpp"
#include "rclcpp/experimental/executors/events_executor/events_executor.hpp"
#include "rclcpp/node.hpp"
#include "rcpputils/scope_exit.hpp"

namespace rclcpp {

/// Run what is ready on a node until nothing is, or max_duration is over (0: no limit).
void spin_all(node_interfaces::NodeBaseInterface::SharedPtr node_ptr, std::chrono::nanoseconds max_duration);
inline void spin_all(Node::SharedPtr node_ptr, std::chrono::nanoseconds max_duration) {
  spin_all(node_ptr->get_node_base_interface(), max_duration);
}

/// Run what is ready on a node, without waiting.
void spin_some(node_interfaces::NodeBaseInterface::SharedPtr node_ptr);
inline void spin_some(Node::SharedPtr node_ptr) { spin_some(node_ptr->get_node_base_interface()); }

/// Spin a node in this thread until shutdown.
void spin(node_interfaces::NodeBaseInterface::SharedPtr node_ptr);
inline void spin(Node::SharedPtr node_ptr) { spin(node_ptr->get_node_base_interface()); }

namespace executors {

/// Spin the node in the given executor until the future is ready; a node or its base interface will do.
template <typename FutureT, typename TimeRepT = int64_t, typename TimeT = std::milli, typename NodeT>
FutureReturnCode spin_node_until_future_complete(Executor & executor, std::shared_ptr<NodeT> node,
  const FutureT & future, std::chrono::duration<TimeRepT, TimeT> timeout = std::chrono::duration<TimeRepT, TimeT>(-1)) {
  const auto node_base = node_interfaces::get_node_base_interface(node);
  executor.add_node(node_base);
  // Removed again in any case, also by an exception of a callback.
  RCPPUTILS_SCOPE_EXIT({ executor.remove_node(node_base); });
  return executor.spin_until_future_complete(future, timeout);
}

}  // namespace executors

template <typename FutureT, typename TimeRepT = int64_t, typename TimeT = std::milli, typename NodeT>
FutureReturnCode spin_until_future_complete(std::shared_ptr<NodeT> node, const FutureT & future,
  std::chrono::duration<TimeRepT, TimeT> timeout = std::chrono::duration<TimeRepT, TimeT>(-1)) {
  ExecutorOptions options;
  options.context = node_interfaces::get_node_base_interface(node)->get_context();
  executors::SingleThreadedExecutor executor(options);
  return executors::spin_node_until_future_complete(executor, node, future, timeout);
}

}  // namespace rclcpp
