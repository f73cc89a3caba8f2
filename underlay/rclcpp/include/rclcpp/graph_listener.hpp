// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <thread>

#include "rclcpp/guard_condition.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"

namespace rclcpp::graph_listener {

/// One thread per context that tells nodes of graph changes, started by the first who asks.
class GraphListener : public std::enable_shared_from_this<GraphListener> {
public:
  explicit GraphListener(const std::shared_ptr<Context> & parent_context);
  virtual ~GraphListener() { GraphListener::shutdown(); }

  virtual void start_if_not_started();
  virtual void add_node(node_interfaces::NodeGraphInterface * node_graph);
  /// Returns when the thread no longer touches the node.
  virtual void remove_node(node_interfaces::NodeGraphInterface * node_graph);
  /// End the thread.
  virtual void shutdown();

private:
  void run();
  void wait_once();

  void change_nodes(const std::function<void()> & change);

  std::weak_ptr<Context> weak_parent_context_;
  std::thread thread_;
  std::atomic_bool stop_{false};
  std::once_flag ends_with_context_;
  std::mutex start_mutex_;
  // Held while the thread waits on the nodes' guard conditions. Who wants it triggers
  // interrupt_ and then queues at barrier_mutex_, past which the thread does not go.
  std::mutex nodes_mutex_;
  std::mutex barrier_mutex_;
  std::vector<node_interfaces::NodeGraphInterface *> nodes_;
  std::shared_ptr<GuardCondition> interrupt_;
  rcl_wait_set_t wait_set_ = rcl_get_zero_initialized_wait_set();
};

}  // namespace rclcpp::graph_listener
