// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rcl/arguments.h"

namespace rclcpp::detail {

/// \throws UnknownROSArgsError when rcl did not understand some of the ROS arguments
void refuse_unknown_ros_arguments(char const * const * argv, const rcl_arguments_t & arguments);

}  // namespace rclcpp::detail
