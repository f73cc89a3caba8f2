// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <type_traits>

#include "rosidl_runtime_cpp/traits.hpp"
#include "rosidl_typesupport_cpp/message_type_support.hpp"

namespace rclcpp {

template <typename MessageT>
std::enable_if_t<rosidl_generator_traits::is_message<MessageT>::value, const rosidl_message_type_support_t &>
get_message_type_support_handle() {
  auto handle = rosidl_typesupport_cpp::get_message_type_support_handle<MessageT>();
  if (!handle) { throw std::runtime_error("Type support handle unexpectedly nullptr"); }
  return *handle;
}

}  // namespace rclcpp
