// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "rclcpp/rclcpp.hpp"
#include "spinning.hpp"

/// Spin one node until the condition holds.
template <typename ConditionT> bool spin_until(const rclcpp::Node::SharedPtr & node, ConditionT condition) {
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  return spinning::spin_until(executor, condition);
}
