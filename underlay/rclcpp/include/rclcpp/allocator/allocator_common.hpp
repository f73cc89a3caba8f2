#pragma once

#include <memory>

#include "rcl/allocator.h"
#include "rclcpp/allocator/allocator_deleter.hpp"

namespace rclcpp::allocator {

template <typename T, typename Alloc>
using AllocRebind = typename std::allocator_traits<Alloc>::template rebind_traits<T>;

/// What rcl allocates is small and of the endpoint's creation: it stays on the default allocator.
template <typename T, typename Alloc> rcl_allocator_t get_rcl_allocator(Alloc &) { return rcl_get_default_allocator(); }

}  // namespace rclcpp::allocator
