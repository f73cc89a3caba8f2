// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/node_interfaces/node_topics_interface.hpp"

namespace rclcpp::node_interfaces {
using detail::get_node_topics_interface;
}  // namespace rclcpp::node_interfaces
