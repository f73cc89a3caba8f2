#pragma once

#include <memory>

#include "rclcpp/memory_strategy.hpp"

namespace rclcpp::memory_strategies::allocator_memory_strategy {

template <typename Alloc = std::allocator<void>>
class AllocatorMemoryStrategy : public memory_strategy::MemoryStrategy {
public:
  AllocatorMemoryStrategy() = default;
  explicit AllocatorMemoryStrategy(std::shared_ptr<Alloc> allocator) : allocator_(allocator) {}

private:
  std::shared_ptr<Alloc> allocator_;
};

}  // namespace rclcpp::memory_strategies::allocator_memory_strategy
