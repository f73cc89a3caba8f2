// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sstream>
#include <type_traits>

#include "rclcpp/logger.hpp"
#include "rcutils/logging_macros.h"
#include "rcutils/snprintf.h"

// Messages below RCLCPP_LOG_MIN_SEVERITY are removed at compile time.
#define RCLCPP_LOG_MIN_SEVERITY_DEBUG 0
#define RCLCPP_LOG_MIN_SEVERITY_INFO 1
#define RCLCPP_LOG_MIN_SEVERITY_WARN 2
#define RCLCPP_LOG_MIN_SEVERITY_ERROR 3
#define RCLCPP_LOG_MIN_SEVERITY_FATAL 4
#define RCLCPP_LOG_MIN_SEVERITY_NONE 5

#ifndef RCLCPP_LOG_MIN_SEVERITY
#define RCLCPP_LOG_MIN_SEVERITY RCLCPP_LOG_MIN_SEVERITY_DEBUG
#endif

namespace rclcpp::detail {
enum LogSeverity { log_DEBUG_, log_INFO_, log_WARN_, log_ERROR_, log_FATAL_ };
}

// Severities and suffixes end with an underscore here, so that a user's macro DEBUG cannot meet
// them. The remaining arguments are the statements that log.
#define RCLCPP_DETAIL_LOG(severity, logger, ...)                                                                 \
  do {                                                                                                           \
    static_assert(std::is_same_v<std::remove_cv_t<std::remove_reference_t<decltype(logger)>>, ::rclcpp::Logger>, \
      "First argument to logging macros must be an rclcpp::Logger");                                             \
    if constexpr (RCLCPP_LOG_MIN_SEVERITY <= ::rclcpp::detail::log_##severity) { __VA_ARGS__; }                  \
  } while (0)

#define RCLCPP_DETAIL_PLAIN(severity, suffix, logger, ...) \
  RCLCPP_DETAIL_LOG(severity, logger, RCUTILS_LOG_##severity##suffix##NAMED((logger).get_name(), __VA_ARGS__))

#define RCLCPP_DETAIL_IF(severity, suffix, logger, condition, ...) \
  RCLCPP_DETAIL_LOG(                                               \
    severity, logger, RCUTILS_LOG_##severity##suffix##NAMED(condition, (logger).get_name(), __VA_ARGS__))

// At most once per duration (milliseconds), by the time of a rclcpp::Clock.
#define RCLCPP_DETAIL_TIMED(severity, suffix, logger, clock, duration, ...)                                           \
  RCLCPP_DETAIL_LOG(                                                                                                  \
    severity, logger,                                                                                                 \
    auto rclcpp_detail_get_time =                                                                                     \
      [&c = clock](rcutils_time_point_value_t * time_point) {                                                         \
        try {                                                                                                         \
          *time_point = c.now().nanoseconds();                                                                        \
        } catch (...) {                                                                                               \
          RCUTILS_SAFE_FWRITE_TO_STDERR("[rclcpp|logging.hpp] a throttled message could not get the current time\n"); \
          return RCUTILS_RET_ERROR;                                                                                   \
        }                                                                                                             \
        return RCUTILS_RET_OK;                                                                                        \
      };                                                                                                              \
    RCUTILS_LOG_##severity##suffix##NAMED(rclcpp_detail_get_time, duration, (logger).get_name(), __VA_ARGS__))

// The stream argument is evaluated whether or not the message is logged in the end.
#define RCLCPP_DETAIL_STREAM(form, severity, suffix, stream_arg, ...)                             \
  do {                                                                                            \
    if constexpr (RCLCPP_LOG_MIN_SEVERITY <= ::rclcpp::detail::log_##severity) {                  \
      std::stringstream rclcpp_stream_ss_;                                                        \
      rclcpp_stream_ss_ << stream_arg;                                                            \
      RCLCPP_DETAIL_##form(severity, suffix, __VA_ARGS__, "%s", rclcpp_stream_ss_.str().c_str()); \
    }                                                                                             \
  } while (0)

#include "rclcpp/detail/logging_debug.hpp"
#include "rclcpp/detail/logging_error.hpp"
#include "rclcpp/detail/logging_fatal.hpp"
#include "rclcpp/detail/logging_info.hpp"
#include "rclcpp/detail/logging_warn.hpp"
