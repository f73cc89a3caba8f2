// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/logging.hpp"

#include "logging_mutex.hpp"
#include "rcl/logging.h"
#include "rcl/logging_rosout.h"
#include "rcl_check.hpp"
#include "rcl_logging_interface/rcl_logging_interface.h"

namespace rclcpp {

Logger get_logger(const std::string & name) { return Logger(name); }

Logger get_node_logger(const rcl_node_t * node) {
  const char * logger_name = rcl_node_get_logger_name(node);
  if (!logger_name) {
    rcl_reset_error();
    RCUTILS_LOG_ERROR_NAMED(
      "rclcpp", "failed to get logger name from node at address %p", static_cast<const void *>(node));
    return get_logger("rclcpp");
  }
  return get_logger(logger_name);
}

rcpputils::fs::path get_logging_directory() {
  char * log_dir = nullptr;
  auto allocator = rcutils_get_default_allocator();
  detail::check(rcl_logging_get_logging_directory(allocator, &log_dir), "no log directory");
  std::string path{log_dir};
  allocator.deallocate(log_dir, allocator.state);
  return path;
}

Logger Logger::get_child(const std::string & suffix) {
  if (!name_) { return *this; }
  Logger child(*name_ + RCUTILS_LOGGING_SEPARATOR_STRING + suffix);
  if (!rcl_logging_rosout_enabled()) { return child; }
  auto logging_mutex = detail::get_global_logging_mutex();
  std::lock_guard<std::recursive_mutex> guard(*logging_mutex);
  const rcl_ret_t ret = rcl_logging_rosout_add_sublogger(name_->c_str(), suffix.c_str());
  // Not found: it is not the logger of a node, so there is no /rosout to go to.
  if (ret == RCL_RET_NOT_FOUND) {
    rcl_reset_error();
    return child;
  }
  detail::check(ret, "failed to add sublogger");
  child.logger_sublogger_pairname_.reset(new std::pair<std::string, std::string>(*name_, suffix),
    [logging_mutex](std::pair<std::string, std::string> * names) {
      std::lock_guard<std::recursive_mutex> guard(*logging_mutex);
      const rcl_ret_t ret = rcl_logging_rosout_remove_sublogger(names->first.c_str(), names->second.c_str());
      delete names;
      if (ret != RCL_RET_OK) { rcl_reset_error(); }
    });
  return child;
}

void Logger::set_level(Level level) {
  std::lock_guard<std::recursive_mutex> guard(*detail::get_global_logging_mutex());
  const rcutils_ret_t ret = rcutils_logging_set_logger_level(get_name(), static_cast<int>(level));
  if (ret != RCUTILS_RET_OK) {
    exceptions::throw_from_rcl_error(ret == RCUTILS_RET_INVALID_ARGUMENT ? RCL_RET_INVALID_ARGUMENT : RCL_RET_ERROR,
      "Couldn't set logger level", rcutils_get_error_state(), rcutils_reset_error);
  }
}

Logger::Level Logger::get_effective_level() const {
  std::lock_guard<std::recursive_mutex> guard(*detail::get_global_logging_mutex());
  const int level = rcutils_logging_get_logger_effective_level(get_name());
  if (level < 0) {
    exceptions::throw_from_rcl_error(
      RCL_RET_ERROR, "Couldn't get logger level", rcutils_get_error_state(), rcutils_reset_error);
  }
  return static_cast<Level>(level);
}

}  // namespace rclcpp
