// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace rclcpp::detail {

/// Lets rmw, which knows a function and a void pointer, call a C++ callable.
/// rmw calls this from threads of the middleware, where an exception would end the process.
template <typename CallbackT> void cpp_callback_trampoline(const void * user_data, size_t number_of_events) noexcept {
  (*static_cast<const CallbackT *>(user_data))(number_of_events);
}

}  // namespace rclcpp::detail
