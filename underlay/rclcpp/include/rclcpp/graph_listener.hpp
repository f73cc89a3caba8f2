#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "rcl/wait.h"
#include "rclcpp/context.hpp"
#include "rclcpp/guard_condition.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp
{
namespace graph_listener
{

/// One thread per context that tells nodes of graph changes, started by the first who asks.
class GraphListener : public std::enable_shared_from_this<GraphListener>
{
public:
  RCLCPP_PUBLIC
  explicit GraphListener(const std::shared_ptr<rclcpp::Context> & parent_context);
  RCLCPP_PUBLIC
  virtual ~GraphListener();

  RCLCPP_PUBLIC
  virtual void start_if_not_started();
  RCLCPP_PUBLIC
  virtual void add_node(rclcpp::node_interfaces::NodeGraphInterface * node_graph);
  RCLCPP_PUBLIC
  virtual bool has_node(rclcpp::node_interfaces::NodeGraphInterface * node_graph);
  /// Returns when the thread no longer touches the node.
  RCLCPP_PUBLIC
  virtual void remove_node(rclcpp::node_interfaces::NodeGraphInterface * node_graph);
  /// End the thread.
  RCLCPP_PUBLIC
  virtual void shutdown();

private:
  RCLCPP_DISABLE_COPY(GraphListener)

  void run();
  void wait_once();

  std::weak_ptr<rclcpp::Context> weak_parent_context_;
  std::thread thread_;
  std::atomic_bool stop_{false};
  std::mutex start_mutex_;
  // Held while the thread waits on the nodes' guard conditions. Who wants it triggers
  // interrupt_ and then queues at barrier_mutex_, past which the thread does not go.
  std::mutex nodes_mutex_;
  std::mutex barrier_mutex_;
  std::vector<rclcpp::node_interfaces::NodeGraphInterface *> nodes_;
  std::shared_ptr<rclcpp::GuardCondition> interrupt_;
  rcl_wait_set_t wait_set_ = rcl_get_zero_initialized_wait_set();
};

}  // namespace graph_listener
}  // namespace rclcpp
