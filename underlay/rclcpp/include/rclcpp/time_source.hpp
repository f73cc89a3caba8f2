// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_clock_interface.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"

namespace rclcpp {

class Node;

/// Drives ROS clocks from the topic /clock while the node's parameter use_sim_time is true.
class TimeSource {
public:
  /**
   * \param qos of the subscription to /clock
   * \param use_clock_thread receive /clock in a thread of its own, so that time advances without
   *   the node being spun
   */
  explicit TimeSource(std::shared_ptr<Node> node, const QoS & qos = ClockQoS(), bool use_clock_thread = true);
  explicit TimeSource(const QoS & qos = ClockQoS(), bool use_clock_thread = true);
  TimeSource(TimeSource &&) = default;
  TimeSource & operator=(TimeSource &&) = default;
  ~TimeSource();

  void attachNode(std::shared_ptr<Node> node);
  /// \throws std::invalid_argument if use_sim_time is already declared as something but a bool
  void attachNode(node_interfaces::NodeBaseInterface::SharedPtr node_base,
    node_interfaces::NodeTopicsInterface::SharedPtr node_topics, node_interfaces::NodeGraphInterface::SharedPtr,
    node_interfaces::NodeServicesInterface::SharedPtr, node_interfaces::NodeLoggingInterface::SharedPtr node_logging,
    node_interfaces::NodeClockInterface::SharedPtr,
    node_interfaces::NodeParametersInterface::SharedPtr node_parameters);
  void detachNode();

  /// \throws std::invalid_argument if ROS time is active and the clock is not of RCL_ROS_TIME
  void attachClock(std::shared_ptr<Clock> clock);
  void detachClock(std::shared_ptr<Clock> clock);
  bool get_use_clock_thread();
  void set_use_clock_thread(bool use_clock_thread);
  bool clock_thread_is_joinable();

private:
  class NodeState;
  std::shared_ptr<NodeState> node_state_;

  // Kept for a second attachNode() after detachNode().
  bool constructed_use_clock_thread_;
  QoS constructed_qos_;
};

}  // namespace rclcpp
