// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/memory_strategy.hpp"

namespace rclcpp::memory_strategies::allocator_memory_strategy {

template <typename Alloc = std::allocator<void>> class AllocatorMemoryStrategy
: public memory_strategy::MemoryStrategy {
public:
  explicit AllocatorMemoryStrategy(std::shared_ptr<Alloc> = nullptr) {}
};

}  // namespace rclcpp::memory_strategies::allocator_memory_strategy
