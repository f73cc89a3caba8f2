// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rclcpp/node.hpp>

namespace ambf_arm_nodes
{

/// The components, for programs.
rclcpp::Node::SharedPtr make_teleop_psm(const rclcpp::NodeOptions & options);
rclcpp::Node::SharedPtr make_device_master(const rclcpp::NodeOptions & options);
rclcpp::Node::SharedPtr make_console(const rclcpp::NodeOptions & options);

}  // namespace ambf_arm_nodes
