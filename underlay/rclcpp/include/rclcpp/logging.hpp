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

#define RCLCPP_DEBUG(logger, ...) RCLCPP_DETAIL_PLAIN(DEBUG_, , logger, __VA_ARGS__)
#define RCLCPP_DEBUG_ONCE(logger, ...) RCLCPP_DETAIL_PLAIN(DEBUG_, ONCE_, logger, __VA_ARGS__)
#define RCLCPP_DEBUG_SKIPFIRST(logger, ...) RCLCPP_DETAIL_PLAIN(DEBUG_, SKIPFIRST_, logger, __VA_ARGS__)
#define RCLCPP_DEBUG_EXPRESSION(logger, expression, ...) \
  RCLCPP_DETAIL_IF(DEBUG_, EXPRESSION_, logger, expression, __VA_ARGS__)
#define RCLCPP_DEBUG_FUNCTION(logger, function, ...) RCLCPP_DETAIL_IF(DEBUG_, FUNCTION_, logger, function, __VA_ARGS__)
#define RCLCPP_DEBUG_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_TIMED(DEBUG_, THROTTLE_, logger, clock, duration, __VA_ARGS__)
#define RCLCPP_DEBUG_SKIPFIRST_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_TIMED(DEBUG_, SKIPFIRST_THROTTLE_, logger, clock, duration, __VA_ARGS__)
#define RCLCPP_DEBUG_STREAM(logger, stream_arg) RCLCPP_DETAIL_STREAM(PLAIN, DEBUG_, , stream_arg, logger)
#define RCLCPP_DEBUG_STREAM_ONCE(logger, stream_arg) RCLCPP_DETAIL_STREAM(PLAIN, DEBUG_, ONCE_, stream_arg, logger)
#define RCLCPP_DEBUG_STREAM_SKIPFIRST(logger, stream_arg) \
  RCLCPP_DETAIL_STREAM(PLAIN, DEBUG_, SKIPFIRST_, stream_arg, logger)
#define RCLCPP_DEBUG_STREAM_EXPRESSION(logger, expression, stream_arg) \
  RCLCPP_DETAIL_STREAM(IF, DEBUG_, EXPRESSION_, stream_arg, logger, expression)
#define RCLCPP_DEBUG_STREAM_FUNCTION(logger, function, stream_arg) \
  RCLCPP_DETAIL_STREAM(IF, DEBUG_, FUNCTION_, stream_arg, logger, function)
#define RCLCPP_DEBUG_STREAM_THROTTLE(logger, clock, duration, stream_arg) \
  RCLCPP_DETAIL_STREAM(TIMED, DEBUG_, THROTTLE_, stream_arg, logger, clock, duration)
#define RCLCPP_DEBUG_STREAM_SKIPFIRST_THROTTLE(logger, clock, duration, stream_arg) \
  RCLCPP_DETAIL_STREAM(TIMED, DEBUG_, SKIPFIRST_THROTTLE_, stream_arg, logger, clock, duration)

#define RCLCPP_INFO(logger, ...) RCLCPP_DETAIL_PLAIN(INFO_, , logger, __VA_ARGS__)
#define RCLCPP_INFO_ONCE(logger, ...) RCLCPP_DETAIL_PLAIN(INFO_, ONCE_, logger, __VA_ARGS__)
#define RCLCPP_INFO_SKIPFIRST(logger, ...) RCLCPP_DETAIL_PLAIN(INFO_, SKIPFIRST_, logger, __VA_ARGS__)
#define RCLCPP_INFO_EXPRESSION(logger, expression, ...) \
  RCLCPP_DETAIL_IF(INFO_, EXPRESSION_, logger, expression, __VA_ARGS__)
#define RCLCPP_INFO_FUNCTION(logger, function, ...) RCLCPP_DETAIL_IF(INFO_, FUNCTION_, logger, function, __VA_ARGS__)
#define RCLCPP_INFO_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_TIMED(INFO_, THROTTLE_, logger, clock, duration, __VA_ARGS__)
#define RCLCPP_INFO_SKIPFIRST_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_TIMED(INFO_, SKIPFIRST_THROTTLE_, logger, clock, duration, __VA_ARGS__)
#define RCLCPP_INFO_STREAM(logger, stream_arg) RCLCPP_DETAIL_STREAM(PLAIN, INFO_, , stream_arg, logger)
#define RCLCPP_INFO_STREAM_ONCE(logger, stream_arg) RCLCPP_DETAIL_STREAM(PLAIN, INFO_, ONCE_, stream_arg, logger)
#define RCLCPP_INFO_STREAM_SKIPFIRST(logger, stream_arg) \
  RCLCPP_DETAIL_STREAM(PLAIN, INFO_, SKIPFIRST_, stream_arg, logger)
#define RCLCPP_INFO_STREAM_EXPRESSION(logger, expression, stream_arg) \
  RCLCPP_DETAIL_STREAM(IF, INFO_, EXPRESSION_, stream_arg, logger, expression)
#define RCLCPP_INFO_STREAM_FUNCTION(logger, function, stream_arg) \
  RCLCPP_DETAIL_STREAM(IF, INFO_, FUNCTION_, stream_arg, logger, function)
#define RCLCPP_INFO_STREAM_THROTTLE(logger, clock, duration, stream_arg) \
  RCLCPP_DETAIL_STREAM(TIMED, INFO_, THROTTLE_, stream_arg, logger, clock, duration)
#define RCLCPP_INFO_STREAM_SKIPFIRST_THROTTLE(logger, clock, duration, stream_arg) \
  RCLCPP_DETAIL_STREAM(TIMED, INFO_, SKIPFIRST_THROTTLE_, stream_arg, logger, clock, duration)

#define RCLCPP_WARN(logger, ...) RCLCPP_DETAIL_PLAIN(WARN_, , logger, __VA_ARGS__)
#define RCLCPP_WARN_ONCE(logger, ...) RCLCPP_DETAIL_PLAIN(WARN_, ONCE_, logger, __VA_ARGS__)
#define RCLCPP_WARN_SKIPFIRST(logger, ...) RCLCPP_DETAIL_PLAIN(WARN_, SKIPFIRST_, logger, __VA_ARGS__)
#define RCLCPP_WARN_EXPRESSION(logger, expression, ...) \
  RCLCPP_DETAIL_IF(WARN_, EXPRESSION_, logger, expression, __VA_ARGS__)
#define RCLCPP_WARN_FUNCTION(logger, function, ...) RCLCPP_DETAIL_IF(WARN_, FUNCTION_, logger, function, __VA_ARGS__)
#define RCLCPP_WARN_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_TIMED(WARN_, THROTTLE_, logger, clock, duration, __VA_ARGS__)
#define RCLCPP_WARN_SKIPFIRST_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_TIMED(WARN_, SKIPFIRST_THROTTLE_, logger, clock, duration, __VA_ARGS__)
#define RCLCPP_WARN_STREAM(logger, stream_arg) RCLCPP_DETAIL_STREAM(PLAIN, WARN_, , stream_arg, logger)
#define RCLCPP_WARN_STREAM_ONCE(logger, stream_arg) RCLCPP_DETAIL_STREAM(PLAIN, WARN_, ONCE_, stream_arg, logger)
#define RCLCPP_WARN_STREAM_SKIPFIRST(logger, stream_arg) \
  RCLCPP_DETAIL_STREAM(PLAIN, WARN_, SKIPFIRST_, stream_arg, logger)
#define RCLCPP_WARN_STREAM_EXPRESSION(logger, expression, stream_arg) \
  RCLCPP_DETAIL_STREAM(IF, WARN_, EXPRESSION_, stream_arg, logger, expression)
#define RCLCPP_WARN_STREAM_FUNCTION(logger, function, stream_arg) \
  RCLCPP_DETAIL_STREAM(IF, WARN_, FUNCTION_, stream_arg, logger, function)
#define RCLCPP_WARN_STREAM_THROTTLE(logger, clock, duration, stream_arg) \
  RCLCPP_DETAIL_STREAM(TIMED, WARN_, THROTTLE_, stream_arg, logger, clock, duration)
#define RCLCPP_WARN_STREAM_SKIPFIRST_THROTTLE(logger, clock, duration, stream_arg) \
  RCLCPP_DETAIL_STREAM(TIMED, WARN_, SKIPFIRST_THROTTLE_, stream_arg, logger, clock, duration)

#define RCLCPP_ERROR(logger, ...) RCLCPP_DETAIL_PLAIN(ERROR_, , logger, __VA_ARGS__)
#define RCLCPP_ERROR_ONCE(logger, ...) RCLCPP_DETAIL_PLAIN(ERROR_, ONCE_, logger, __VA_ARGS__)
#define RCLCPP_ERROR_SKIPFIRST(logger, ...) RCLCPP_DETAIL_PLAIN(ERROR_, SKIPFIRST_, logger, __VA_ARGS__)
#define RCLCPP_ERROR_EXPRESSION(logger, expression, ...) \
  RCLCPP_DETAIL_IF(ERROR_, EXPRESSION_, logger, expression, __VA_ARGS__)
#define RCLCPP_ERROR_FUNCTION(logger, function, ...) RCLCPP_DETAIL_IF(ERROR_, FUNCTION_, logger, function, __VA_ARGS__)
#define RCLCPP_ERROR_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_TIMED(ERROR_, THROTTLE_, logger, clock, duration, __VA_ARGS__)
#define RCLCPP_ERROR_SKIPFIRST_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_TIMED(ERROR_, SKIPFIRST_THROTTLE_, logger, clock, duration, __VA_ARGS__)
#define RCLCPP_ERROR_STREAM(logger, stream_arg) RCLCPP_DETAIL_STREAM(PLAIN, ERROR_, , stream_arg, logger)
#define RCLCPP_ERROR_STREAM_ONCE(logger, stream_arg) RCLCPP_DETAIL_STREAM(PLAIN, ERROR_, ONCE_, stream_arg, logger)
#define RCLCPP_ERROR_STREAM_SKIPFIRST(logger, stream_arg) \
  RCLCPP_DETAIL_STREAM(PLAIN, ERROR_, SKIPFIRST_, stream_arg, logger)
#define RCLCPP_ERROR_STREAM_EXPRESSION(logger, expression, stream_arg) \
  RCLCPP_DETAIL_STREAM(IF, ERROR_, EXPRESSION_, stream_arg, logger, expression)
#define RCLCPP_ERROR_STREAM_FUNCTION(logger, function, stream_arg) \
  RCLCPP_DETAIL_STREAM(IF, ERROR_, FUNCTION_, stream_arg, logger, function)
#define RCLCPP_ERROR_STREAM_THROTTLE(logger, clock, duration, stream_arg) \
  RCLCPP_DETAIL_STREAM(TIMED, ERROR_, THROTTLE_, stream_arg, logger, clock, duration)
#define RCLCPP_ERROR_STREAM_SKIPFIRST_THROTTLE(logger, clock, duration, stream_arg) \
  RCLCPP_DETAIL_STREAM(TIMED, ERROR_, SKIPFIRST_THROTTLE_, stream_arg, logger, clock, duration)

#define RCLCPP_FATAL(logger, ...) RCLCPP_DETAIL_PLAIN(FATAL_, , logger, __VA_ARGS__)
#define RCLCPP_FATAL_ONCE(logger, ...) RCLCPP_DETAIL_PLAIN(FATAL_, ONCE_, logger, __VA_ARGS__)
#define RCLCPP_FATAL_SKIPFIRST(logger, ...) RCLCPP_DETAIL_PLAIN(FATAL_, SKIPFIRST_, logger, __VA_ARGS__)
#define RCLCPP_FATAL_EXPRESSION(logger, expression, ...) \
  RCLCPP_DETAIL_IF(FATAL_, EXPRESSION_, logger, expression, __VA_ARGS__)
#define RCLCPP_FATAL_FUNCTION(logger, function, ...) RCLCPP_DETAIL_IF(FATAL_, FUNCTION_, logger, function, __VA_ARGS__)
#define RCLCPP_FATAL_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_TIMED(FATAL_, THROTTLE_, logger, clock, duration, __VA_ARGS__)
#define RCLCPP_FATAL_SKIPFIRST_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_TIMED(FATAL_, SKIPFIRST_THROTTLE_, logger, clock, duration, __VA_ARGS__)
#define RCLCPP_FATAL_STREAM(logger, stream_arg) RCLCPP_DETAIL_STREAM(PLAIN, FATAL_, , stream_arg, logger)
#define RCLCPP_FATAL_STREAM_ONCE(logger, stream_arg) RCLCPP_DETAIL_STREAM(PLAIN, FATAL_, ONCE_, stream_arg, logger)
#define RCLCPP_FATAL_STREAM_SKIPFIRST(logger, stream_arg) \
  RCLCPP_DETAIL_STREAM(PLAIN, FATAL_, SKIPFIRST_, stream_arg, logger)
#define RCLCPP_FATAL_STREAM_EXPRESSION(logger, expression, stream_arg) \
  RCLCPP_DETAIL_STREAM(IF, FATAL_, EXPRESSION_, stream_arg, logger, expression)
#define RCLCPP_FATAL_STREAM_FUNCTION(logger, function, stream_arg) \
  RCLCPP_DETAIL_STREAM(IF, FATAL_, FUNCTION_, stream_arg, logger, function)
#define RCLCPP_FATAL_STREAM_THROTTLE(logger, clock, duration, stream_arg) \
  RCLCPP_DETAIL_STREAM(TIMED, FATAL_, THROTTLE_, stream_arg, logger, clock, duration)
#define RCLCPP_FATAL_STREAM_SKIPFIRST_THROTTLE(logger, clock, duration, stream_arg) \
  RCLCPP_DETAIL_STREAM(TIMED, FATAL_, SKIPFIRST_THROTTLE_, stream_arg, logger, clock, duration)
