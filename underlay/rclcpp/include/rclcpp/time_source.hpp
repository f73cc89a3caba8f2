#pragma once

#include <memory>

#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_clock_interface.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

class Clock;
class Node;

/// Drives ROS clocks from the topic /clock while the node's parameter use_sim_time is true.
class TimeSource {
public:
  /**
   * \param qos of the subscription to /clock
   * \param use_clock_thread receive /clock in a thread of its own, so that time advances without
   *   the node being spun
   */
  RCLCPP_PUBLIC explicit TimeSource(
    std::shared_ptr<rclcpp::Node> node, const rclcpp::QoS & qos = rclcpp::ClockQoS(), bool use_clock_thread = true);

  RCLCPP_PUBLIC explicit TimeSource(const rclcpp::QoS & qos = rclcpp::ClockQoS(), bool use_clock_thread = true);

  TimeSource(const TimeSource &) = delete;
  TimeSource & operator=(const TimeSource &) = delete;
  TimeSource(TimeSource &&) = default;
  TimeSource & operator=(TimeSource &&) = default;

  RCLCPP_PUBLIC ~TimeSource();

  RCLCPP_PUBLIC void attachNode(std::shared_ptr<rclcpp::Node> node);

  /// \throws std::invalid_argument if use_sim_time is already declared as something but a bool
  RCLCPP_PUBLIC void attachNode(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base_interface,
    rclcpp::node_interfaces::NodeTopicsInterface::SharedPtr node_topics_interface,
    rclcpp::node_interfaces::NodeGraphInterface::SharedPtr node_graph_interface,
    rclcpp::node_interfaces::NodeServicesInterface::SharedPtr node_services_interface,
    rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging_interface,
    rclcpp::node_interfaces::NodeClockInterface::SharedPtr node_clock_interface,
    rclcpp::node_interfaces::NodeParametersInterface::SharedPtr node_parameters_interface);

  RCLCPP_PUBLIC void detachNode();

  /// \throws std::invalid_argument if ROS time is active and the clock is not of RCL_ROS_TIME
  RCLCPP_PUBLIC void attachClock(std::shared_ptr<rclcpp::Clock> clock);

  RCLCPP_PUBLIC void detachClock(std::shared_ptr<rclcpp::Clock> clock);

  RCLCPP_PUBLIC bool get_use_clock_thread();

  RCLCPP_PUBLIC void set_use_clock_thread(bool use_clock_thread);

  RCLCPP_PUBLIC bool clock_thread_is_joinable();

private:
  class NodeState;
  std::shared_ptr<NodeState> node_state_;

  // Kept for a second attachNode() after detachNode().
  bool constructed_use_clock_thread_;
  rclcpp::QoS constructed_qos_;
};

}  // namespace rclcpp
