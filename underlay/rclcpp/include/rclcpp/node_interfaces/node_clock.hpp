// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_clock_interface.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"

namespace rclcpp::node_interfaces {

class NodeClock : public NodeClockInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeClock)

  explicit NodeClock(NodeBaseInterface::SharedPtr, NodeTopicsInterface::SharedPtr, NodeGraphInterface::SharedPtr,
    NodeServicesInterface::SharedPtr, NodeLoggingInterface::SharedPtr, rcl_clock_type_t clock_type)
  : clock_(std::make_shared<Clock>(clock_type)) {}
  Clock::SharedPtr get_clock() override { return clock_; }
  Clock::ConstSharedPtr get_clock() const override { return clock_; }

private:
  Clock::SharedPtr clock_;
};

}  // namespace rclcpp::node_interfaces
