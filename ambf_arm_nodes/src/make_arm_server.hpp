// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rclcpp/node.hpp>

namespace ambf_arm_nodes
{

/// The component, for a program.
rclcpp::Node::SharedPtr make_arm_server(const rclcpp::NodeOptions & options);

}  // namespace ambf_arm_nodes
