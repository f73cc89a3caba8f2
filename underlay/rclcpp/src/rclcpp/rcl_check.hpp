// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/exceptions.hpp"
#include "rcutils/logging_macros.h"

namespace rclcpp::detail {

inline void check(rcl_ret_t ret, const char * what) {
  if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret, what); }
}

/// For places that must not throw.
inline void log_failure(rcl_ret_t ret, const char * what) {
  if (ret != RCL_RET_OK) {
    RCUTILS_LOG_ERROR_NAMED("rclcpp", "%s: %s", what, rcl_get_error_string().str);
    rcl_reset_error();
  }
}

}  // namespace rclcpp::detail
