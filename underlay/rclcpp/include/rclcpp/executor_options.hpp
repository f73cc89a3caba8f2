// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/memory_strategy.hpp"

namespace rclcpp {

struct ExecutorOptions {
  memory_strategy::MemoryStrategy::SharedPtr memory_strategy;
  Context::SharedPtr context = contexts::get_global_default_context();
  size_t max_conditions = 0;
};

}  // namespace rclcpp
