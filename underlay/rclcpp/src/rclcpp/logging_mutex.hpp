// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <mutex>

namespace rclcpp::detail {

/// rcl's logging (configuration, rosout's table of loggers) is not thread safe on its own.
std::shared_ptr<std::recursive_mutex> get_global_logging_mutex();

}  // namespace rclcpp::detail
