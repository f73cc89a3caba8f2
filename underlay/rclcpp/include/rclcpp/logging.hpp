#pragma once

#include <sstream>
#include <type_traits>

#include "rclcpp/logger.hpp"
#include "rcutils/logging_macros.h"
#include "rcutils/snprintf.h"
#include "rcutils/types/rcutils_ret.h"

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

#define RCLCPP_DETAIL_CHECK_LOGGER(logger) \
  static_assert( \
    ::std::is_same<typename std::remove_cv_t<typename std::remove_reference_t<decltype(logger)>>, \
    typename ::rclcpp::Logger>::value, "First argument to logging macros must be an rclcpp::Logger")

#define RCLCPP_DETAIL_LOG(MACRO, logger, ...) \
  do { \
    RCLCPP_DETAIL_CHECK_LOGGER(logger); \
    MACRO((logger).get_name(), __VA_ARGS__); \
  } while (0)

#define RCLCPP_DETAIL_LOG_IF(MACRO, logger, condition, ...) \
  do { \
    RCLCPP_DETAIL_CHECK_LOGGER(logger); \
    MACRO(condition, (logger).get_name(), __VA_ARGS__); \
  } while (0)

// At most once per duration (milliseconds), by the time of a rclcpp::Clock.
#define RCLCPP_DETAIL_LOG_THROTTLE(MACRO, logger, clock, duration, ...) \
  do { \
    RCLCPP_DETAIL_CHECK_LOGGER(logger); \
    auto rclcpp_detail_get_time = [&c = clock](rcutils_time_point_value_t * time_point) { \
        try { \
          *time_point = c.now().nanoseconds(); \
        } catch (...) { \
          RCUTILS_SAFE_FWRITE_TO_STDERR( \
            "[rclcpp|logging.hpp] a throttled message could not get the current time\n"); \
          return RCUTILS_RET_ERROR; \
        } \
        return RCUTILS_RET_OK; \
      }; \
    MACRO(rclcpp_detail_get_time, duration, (logger).get_name(), __VA_ARGS__); \
  } while (0)

// The stream argument is evaluated whether or not the message is logged in the end.
#define RCLCPP_DETAIL_LOG_STREAM(CALL, stream_arg, ...) \
  do { \
    std::stringstream rclcpp_stream_ss_; \
    rclcpp_stream_ss_ << stream_arg; \
    CALL(__VA_ARGS__, "%s", rclcpp_stream_ss_.str().c_str()); \
  } while (0)

#if RCLCPP_LOG_MIN_SEVERITY <= RCLCPP_LOG_MIN_SEVERITY_DEBUG
#define RCLCPP_DETAIL_DEBUG(...) __VA_ARGS__
#else
#define RCLCPP_DETAIL_DEBUG(...)
#endif
#define RCLCPP_DEBUG(logger, ...) \
  RCLCPP_DETAIL_DEBUG(RCLCPP_DETAIL_LOG(RCUTILS_LOG_DEBUG_NAMED, logger, __VA_ARGS__))
#define RCLCPP_DEBUG_ONCE(logger, ...) \
  RCLCPP_DETAIL_DEBUG(RCLCPP_DETAIL_LOG(RCUTILS_LOG_DEBUG_ONCE_NAMED, logger, __VA_ARGS__))
#define RCLCPP_DEBUG_SKIPFIRST(logger, ...) \
  RCLCPP_DETAIL_DEBUG(RCLCPP_DETAIL_LOG(RCUTILS_LOG_DEBUG_SKIPFIRST_NAMED, logger, __VA_ARGS__))
#define RCLCPP_DEBUG_EXPRESSION(logger, expression, ...) \
  RCLCPP_DETAIL_DEBUG(RCLCPP_DETAIL_LOG_IF(RCUTILS_LOG_DEBUG_EXPRESSION_NAMED, \
    logger, expression, __VA_ARGS__))
#define RCLCPP_DEBUG_FUNCTION(logger, function, ...) \
  RCLCPP_DETAIL_DEBUG(RCLCPP_DETAIL_LOG_IF(RCUTILS_LOG_DEBUG_FUNCTION_NAMED, \
    logger, function, __VA_ARGS__))
#define RCLCPP_DEBUG_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_DEBUG(RCLCPP_DETAIL_LOG_THROTTLE(RCUTILS_LOG_DEBUG_THROTTLE_NAMED, \
    logger, clock, duration, __VA_ARGS__))
#define RCLCPP_DEBUG_SKIPFIRST_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_DEBUG(RCLCPP_DETAIL_LOG_THROTTLE(RCUTILS_LOG_DEBUG_SKIPFIRST_THROTTLE_NAMED, \
    logger, clock, duration, __VA_ARGS__))
#define RCLCPP_DEBUG_STREAM(logger, stream_arg) \
  RCLCPP_DETAIL_DEBUG(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_DEBUG, stream_arg, logger))
#define RCLCPP_DEBUG_STREAM_ONCE(logger, stream_arg) \
  RCLCPP_DETAIL_DEBUG(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_DEBUG_ONCE, stream_arg, logger))
#define RCLCPP_DEBUG_STREAM_SKIPFIRST(logger, stream_arg) \
  RCLCPP_DETAIL_DEBUG(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_DEBUG_SKIPFIRST, stream_arg, logger))
#define RCLCPP_DEBUG_STREAM_EXPRESSION(logger, expression, stream_arg) \
  RCLCPP_DETAIL_DEBUG(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_DEBUG_EXPRESSION, \
    stream_arg, logger, expression))
#define RCLCPP_DEBUG_STREAM_FUNCTION(logger, function, stream_arg) \
  RCLCPP_DETAIL_DEBUG(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_DEBUG_FUNCTION, stream_arg, logger, function))
#define RCLCPP_DEBUG_STREAM_THROTTLE(logger, clock, duration, stream_arg) \
  RCLCPP_DETAIL_DEBUG(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_DEBUG_THROTTLE, \
    stream_arg, logger, clock, duration))
#define RCLCPP_DEBUG_STREAM_SKIPFIRST_THROTTLE(logger, clock, duration, stream_arg) \
  RCLCPP_DETAIL_DEBUG(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_DEBUG_SKIPFIRST_THROTTLE, \
    stream_arg, logger, clock, duration))

#if RCLCPP_LOG_MIN_SEVERITY <= RCLCPP_LOG_MIN_SEVERITY_INFO
#define RCLCPP_DETAIL_INFO(...) __VA_ARGS__
#else
#define RCLCPP_DETAIL_INFO(...)
#endif
#define RCLCPP_INFO(logger, ...) \
  RCLCPP_DETAIL_INFO(RCLCPP_DETAIL_LOG(RCUTILS_LOG_INFO_NAMED, logger, __VA_ARGS__))
#define RCLCPP_INFO_ONCE(logger, ...) \
  RCLCPP_DETAIL_INFO(RCLCPP_DETAIL_LOG(RCUTILS_LOG_INFO_ONCE_NAMED, logger, __VA_ARGS__))
#define RCLCPP_INFO_SKIPFIRST(logger, ...) \
  RCLCPP_DETAIL_INFO(RCLCPP_DETAIL_LOG(RCUTILS_LOG_INFO_SKIPFIRST_NAMED, logger, __VA_ARGS__))
#define RCLCPP_INFO_EXPRESSION(logger, expression, ...) \
  RCLCPP_DETAIL_INFO(RCLCPP_DETAIL_LOG_IF(RCUTILS_LOG_INFO_EXPRESSION_NAMED, \
    logger, expression, __VA_ARGS__))
#define RCLCPP_INFO_FUNCTION(logger, function, ...) \
  RCLCPP_DETAIL_INFO(RCLCPP_DETAIL_LOG_IF(RCUTILS_LOG_INFO_FUNCTION_NAMED, \
    logger, function, __VA_ARGS__))
#define RCLCPP_INFO_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_INFO(RCLCPP_DETAIL_LOG_THROTTLE(RCUTILS_LOG_INFO_THROTTLE_NAMED, \
    logger, clock, duration, __VA_ARGS__))
#define RCLCPP_INFO_SKIPFIRST_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_INFO(RCLCPP_DETAIL_LOG_THROTTLE(RCUTILS_LOG_INFO_SKIPFIRST_THROTTLE_NAMED, \
    logger, clock, duration, __VA_ARGS__))
#define RCLCPP_INFO_STREAM(logger, stream_arg) \
  RCLCPP_DETAIL_INFO(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_INFO, stream_arg, logger))
#define RCLCPP_INFO_STREAM_ONCE(logger, stream_arg) \
  RCLCPP_DETAIL_INFO(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_INFO_ONCE, stream_arg, logger))
#define RCLCPP_INFO_STREAM_SKIPFIRST(logger, stream_arg) \
  RCLCPP_DETAIL_INFO(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_INFO_SKIPFIRST, stream_arg, logger))
#define RCLCPP_INFO_STREAM_EXPRESSION(logger, expression, stream_arg) \
  RCLCPP_DETAIL_INFO(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_INFO_EXPRESSION, \
    stream_arg, logger, expression))
#define RCLCPP_INFO_STREAM_FUNCTION(logger, function, stream_arg) \
  RCLCPP_DETAIL_INFO(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_INFO_FUNCTION, stream_arg, logger, function))
#define RCLCPP_INFO_STREAM_THROTTLE(logger, clock, duration, stream_arg) \
  RCLCPP_DETAIL_INFO(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_INFO_THROTTLE, \
    stream_arg, logger, clock, duration))
#define RCLCPP_INFO_STREAM_SKIPFIRST_THROTTLE(logger, clock, duration, stream_arg) \
  RCLCPP_DETAIL_INFO(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_INFO_SKIPFIRST_THROTTLE, \
    stream_arg, logger, clock, duration))

#if RCLCPP_LOG_MIN_SEVERITY <= RCLCPP_LOG_MIN_SEVERITY_WARN
#define RCLCPP_DETAIL_WARN(...) __VA_ARGS__
#else
#define RCLCPP_DETAIL_WARN(...)
#endif
#define RCLCPP_WARN(logger, ...) \
  RCLCPP_DETAIL_WARN(RCLCPP_DETAIL_LOG(RCUTILS_LOG_WARN_NAMED, logger, __VA_ARGS__))
#define RCLCPP_WARN_ONCE(logger, ...) \
  RCLCPP_DETAIL_WARN(RCLCPP_DETAIL_LOG(RCUTILS_LOG_WARN_ONCE_NAMED, logger, __VA_ARGS__))
#define RCLCPP_WARN_SKIPFIRST(logger, ...) \
  RCLCPP_DETAIL_WARN(RCLCPP_DETAIL_LOG(RCUTILS_LOG_WARN_SKIPFIRST_NAMED, logger, __VA_ARGS__))
#define RCLCPP_WARN_EXPRESSION(logger, expression, ...) \
  RCLCPP_DETAIL_WARN(RCLCPP_DETAIL_LOG_IF(RCUTILS_LOG_WARN_EXPRESSION_NAMED, \
    logger, expression, __VA_ARGS__))
#define RCLCPP_WARN_FUNCTION(logger, function, ...) \
  RCLCPP_DETAIL_WARN(RCLCPP_DETAIL_LOG_IF(RCUTILS_LOG_WARN_FUNCTION_NAMED, \
    logger, function, __VA_ARGS__))
#define RCLCPP_WARN_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_WARN(RCLCPP_DETAIL_LOG_THROTTLE(RCUTILS_LOG_WARN_THROTTLE_NAMED, \
    logger, clock, duration, __VA_ARGS__))
#define RCLCPP_WARN_SKIPFIRST_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_WARN(RCLCPP_DETAIL_LOG_THROTTLE(RCUTILS_LOG_WARN_SKIPFIRST_THROTTLE_NAMED, \
    logger, clock, duration, __VA_ARGS__))
#define RCLCPP_WARN_STREAM(logger, stream_arg) \
  RCLCPP_DETAIL_WARN(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_WARN, stream_arg, logger))
#define RCLCPP_WARN_STREAM_ONCE(logger, stream_arg) \
  RCLCPP_DETAIL_WARN(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_WARN_ONCE, stream_arg, logger))
#define RCLCPP_WARN_STREAM_SKIPFIRST(logger, stream_arg) \
  RCLCPP_DETAIL_WARN(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_WARN_SKIPFIRST, stream_arg, logger))
#define RCLCPP_WARN_STREAM_EXPRESSION(logger, expression, stream_arg) \
  RCLCPP_DETAIL_WARN(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_WARN_EXPRESSION, \
    stream_arg, logger, expression))
#define RCLCPP_WARN_STREAM_FUNCTION(logger, function, stream_arg) \
  RCLCPP_DETAIL_WARN(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_WARN_FUNCTION, stream_arg, logger, function))
#define RCLCPP_WARN_STREAM_THROTTLE(logger, clock, duration, stream_arg) \
  RCLCPP_DETAIL_WARN(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_WARN_THROTTLE, \
    stream_arg, logger, clock, duration))
#define RCLCPP_WARN_STREAM_SKIPFIRST_THROTTLE(logger, clock, duration, stream_arg) \
  RCLCPP_DETAIL_WARN(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_WARN_SKIPFIRST_THROTTLE, \
    stream_arg, logger, clock, duration))

#if RCLCPP_LOG_MIN_SEVERITY <= RCLCPP_LOG_MIN_SEVERITY_ERROR
#define RCLCPP_DETAIL_ERROR(...) __VA_ARGS__
#else
#define RCLCPP_DETAIL_ERROR(...)
#endif
#define RCLCPP_ERROR(logger, ...) \
  RCLCPP_DETAIL_ERROR(RCLCPP_DETAIL_LOG(RCUTILS_LOG_ERROR_NAMED, logger, __VA_ARGS__))
#define RCLCPP_ERROR_ONCE(logger, ...) \
  RCLCPP_DETAIL_ERROR(RCLCPP_DETAIL_LOG(RCUTILS_LOG_ERROR_ONCE_NAMED, logger, __VA_ARGS__))
#define RCLCPP_ERROR_SKIPFIRST(logger, ...) \
  RCLCPP_DETAIL_ERROR(RCLCPP_DETAIL_LOG(RCUTILS_LOG_ERROR_SKIPFIRST_NAMED, logger, __VA_ARGS__))
#define RCLCPP_ERROR_EXPRESSION(logger, expression, ...) \
  RCLCPP_DETAIL_ERROR(RCLCPP_DETAIL_LOG_IF(RCUTILS_LOG_ERROR_EXPRESSION_NAMED, \
    logger, expression, __VA_ARGS__))
#define RCLCPP_ERROR_FUNCTION(logger, function, ...) \
  RCLCPP_DETAIL_ERROR(RCLCPP_DETAIL_LOG_IF(RCUTILS_LOG_ERROR_FUNCTION_NAMED, \
    logger, function, __VA_ARGS__))
#define RCLCPP_ERROR_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_ERROR(RCLCPP_DETAIL_LOG_THROTTLE(RCUTILS_LOG_ERROR_THROTTLE_NAMED, \
    logger, clock, duration, __VA_ARGS__))
#define RCLCPP_ERROR_SKIPFIRST_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_ERROR(RCLCPP_DETAIL_LOG_THROTTLE(RCUTILS_LOG_ERROR_SKIPFIRST_THROTTLE_NAMED, \
    logger, clock, duration, __VA_ARGS__))
#define RCLCPP_ERROR_STREAM(logger, stream_arg) \
  RCLCPP_DETAIL_ERROR(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_ERROR, stream_arg, logger))
#define RCLCPP_ERROR_STREAM_ONCE(logger, stream_arg) \
  RCLCPP_DETAIL_ERROR(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_ERROR_ONCE, stream_arg, logger))
#define RCLCPP_ERROR_STREAM_SKIPFIRST(logger, stream_arg) \
  RCLCPP_DETAIL_ERROR(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_ERROR_SKIPFIRST, stream_arg, logger))
#define RCLCPP_ERROR_STREAM_EXPRESSION(logger, expression, stream_arg) \
  RCLCPP_DETAIL_ERROR(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_ERROR_EXPRESSION, \
    stream_arg, logger, expression))
#define RCLCPP_ERROR_STREAM_FUNCTION(logger, function, stream_arg) \
  RCLCPP_DETAIL_ERROR(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_ERROR_FUNCTION, stream_arg, logger, function))
#define RCLCPP_ERROR_STREAM_THROTTLE(logger, clock, duration, stream_arg) \
  RCLCPP_DETAIL_ERROR(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_ERROR_THROTTLE, \
    stream_arg, logger, clock, duration))
#define RCLCPP_ERROR_STREAM_SKIPFIRST_THROTTLE(logger, clock, duration, stream_arg) \
  RCLCPP_DETAIL_ERROR(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_ERROR_SKIPFIRST_THROTTLE, \
    stream_arg, logger, clock, duration))

#if RCLCPP_LOG_MIN_SEVERITY <= RCLCPP_LOG_MIN_SEVERITY_FATAL
#define RCLCPP_DETAIL_FATAL(...) __VA_ARGS__
#else
#define RCLCPP_DETAIL_FATAL(...)
#endif
#define RCLCPP_FATAL(logger, ...) \
  RCLCPP_DETAIL_FATAL(RCLCPP_DETAIL_LOG(RCUTILS_LOG_FATAL_NAMED, logger, __VA_ARGS__))
#define RCLCPP_FATAL_ONCE(logger, ...) \
  RCLCPP_DETAIL_FATAL(RCLCPP_DETAIL_LOG(RCUTILS_LOG_FATAL_ONCE_NAMED, logger, __VA_ARGS__))
#define RCLCPP_FATAL_SKIPFIRST(logger, ...) \
  RCLCPP_DETAIL_FATAL(RCLCPP_DETAIL_LOG(RCUTILS_LOG_FATAL_SKIPFIRST_NAMED, logger, __VA_ARGS__))
#define RCLCPP_FATAL_EXPRESSION(logger, expression, ...) \
  RCLCPP_DETAIL_FATAL(RCLCPP_DETAIL_LOG_IF(RCUTILS_LOG_FATAL_EXPRESSION_NAMED, \
    logger, expression, __VA_ARGS__))
#define RCLCPP_FATAL_FUNCTION(logger, function, ...) \
  RCLCPP_DETAIL_FATAL(RCLCPP_DETAIL_LOG_IF(RCUTILS_LOG_FATAL_FUNCTION_NAMED, \
    logger, function, __VA_ARGS__))
#define RCLCPP_FATAL_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_FATAL(RCLCPP_DETAIL_LOG_THROTTLE(RCUTILS_LOG_FATAL_THROTTLE_NAMED, \
    logger, clock, duration, __VA_ARGS__))
#define RCLCPP_FATAL_SKIPFIRST_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_FATAL(RCLCPP_DETAIL_LOG_THROTTLE(RCUTILS_LOG_FATAL_SKIPFIRST_THROTTLE_NAMED, \
    logger, clock, duration, __VA_ARGS__))
#define RCLCPP_FATAL_STREAM(logger, stream_arg) \
  RCLCPP_DETAIL_FATAL(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_FATAL, stream_arg, logger))
#define RCLCPP_FATAL_STREAM_ONCE(logger, stream_arg) \
  RCLCPP_DETAIL_FATAL(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_FATAL_ONCE, stream_arg, logger))
#define RCLCPP_FATAL_STREAM_SKIPFIRST(logger, stream_arg) \
  RCLCPP_DETAIL_FATAL(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_FATAL_SKIPFIRST, stream_arg, logger))
#define RCLCPP_FATAL_STREAM_EXPRESSION(logger, expression, stream_arg) \
  RCLCPP_DETAIL_FATAL(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_FATAL_EXPRESSION, \
    stream_arg, logger, expression))
#define RCLCPP_FATAL_STREAM_FUNCTION(logger, function, stream_arg) \
  RCLCPP_DETAIL_FATAL(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_FATAL_FUNCTION, stream_arg, logger, function))
#define RCLCPP_FATAL_STREAM_THROTTLE(logger, clock, duration, stream_arg) \
  RCLCPP_DETAIL_FATAL(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_FATAL_THROTTLE, \
    stream_arg, logger, clock, duration))
#define RCLCPP_FATAL_STREAM_SKIPFIRST_THROTTLE(logger, clock, duration, stream_arg) \
  RCLCPP_DETAIL_FATAL(RCLCPP_DETAIL_LOG_STREAM(RCLCPP_FATAL_SKIPFIRST_THROTTLE, \
    stream_arg, logger, clock, duration))
