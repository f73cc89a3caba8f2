// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/allocator/allocator_deleter.hpp"

namespace rclcpp::allocator {

template <typename T, typename Alloc> using AllocRebind =
  typename std::allocator_traits<Alloc>::template rebind_traits<T>;

}  // namespace rclcpp::allocator
