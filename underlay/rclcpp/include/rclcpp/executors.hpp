#pragma once

#include <chrono>
#include <future>
#include <memory>

#include "rclcpp/executors/multi_threaded_executor.hpp"
#include "rclcpp/executors/single_threaded_executor.hpp"
#include "rclcpp/experimental/executors/events_executor/events_executor.hpp"
#include "rclcpp/node.hpp"
#include "rclcpp/utilities.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// Run what is ready on a node until nothing is, or max_duration is over (0: no limit).
RCLCPP_PUBLIC void spin_all(
  rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_ptr, std::chrono::nanoseconds max_duration);

RCLCPP_PUBLIC void spin_all(rclcpp::Node::SharedPtr node_ptr, std::chrono::nanoseconds max_duration);

/// Run what is ready on a node, without waiting.
RCLCPP_PUBLIC void spin_some(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_ptr);

RCLCPP_PUBLIC void spin_some(rclcpp::Node::SharedPtr node_ptr);

/// Spin a node in this thread until shutdown.
RCLCPP_PUBLIC void spin(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_ptr);

RCLCPP_PUBLIC void spin(rclcpp::Node::SharedPtr node_ptr);

namespace executors {

using rclcpp::executors::MultiThreadedExecutor;
using rclcpp::executors::SingleThreadedExecutor;

/// Spin the node in the given executor until the future is ready.
template <typename FutureT, typename TimeRepT = int64_t, typename TimeT = std::milli>
rclcpp::FutureReturnCode spin_node_until_future_complete(rclcpp::Executor & executor,
  rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_ptr, const FutureT & future,
  std::chrono::duration<TimeRepT, TimeT> timeout = std::chrono::duration<TimeRepT, TimeT>(-1)) {
  // Removed again in any case, also by an exception of a callback.
  struct Membership {
    rclcpp::Executor & executor;
    rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node;
    ~Membership() { executor.remove_node(node); }
  };
  executor.add_node(node_ptr);
  Membership membership{executor, node_ptr};
  return executor.spin_until_future_complete(future, timeout);
}

template <typename NodeT = rclcpp::Node, typename FutureT, typename TimeRepT = int64_t, typename TimeT = std::milli>
rclcpp::FutureReturnCode spin_node_until_future_complete(rclcpp::Executor & executor, std::shared_ptr<NodeT> node_ptr,
  const FutureT & future, std::chrono::duration<TimeRepT, TimeT> timeout = std::chrono::duration<TimeRepT, TimeT>(-1)) {
  return rclcpp::executors::spin_node_until_future_complete(
    executor, node_ptr->get_node_base_interface(), future, timeout);
}

}  // namespace executors

template <typename FutureT, typename TimeRepT = int64_t, typename TimeT = std::milli>
rclcpp::FutureReturnCode spin_until_future_complete(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_ptr,
  const FutureT & future, std::chrono::duration<TimeRepT, TimeT> timeout = std::chrono::duration<TimeRepT, TimeT>(-1)) {
  rclcpp::ExecutorOptions options;
  options.context = node_ptr->get_context();
  rclcpp::executors::SingleThreadedExecutor executor(options);
  return executors::spin_node_until_future_complete<FutureT>(executor, node_ptr, future, timeout);
}

template <typename NodeT = rclcpp::Node, typename FutureT, typename TimeRepT = int64_t, typename TimeT = std::milli>
rclcpp::FutureReturnCode spin_until_future_complete(std::shared_ptr<NodeT> node_ptr, const FutureT & future,
  std::chrono::duration<TimeRepT, TimeT> timeout = std::chrono::duration<TimeRepT, TimeT>(-1)) {
  return rclcpp::spin_until_future_complete(node_ptr->get_node_base_interface(), future, timeout);
}

}  // namespace rclcpp
