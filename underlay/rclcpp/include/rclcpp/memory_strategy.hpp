// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/macros.hpp"

namespace rclcpp::memory_strategy {

/// Accepted by ExecutorOptions; executors allocate nothing per spin that it could provide.
class MemoryStrategy {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(MemoryStrategy)
  virtual ~MemoryStrategy() = default;
};

}  // namespace rclcpp::memory_strategy
