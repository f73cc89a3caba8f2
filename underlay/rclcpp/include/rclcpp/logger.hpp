// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "rcl/node.h"
#include "rclcpp/visibility_control.hpp"
#include "rcpputils/filesystem_helper.hpp"
#include "rcutils/logging.h"

namespace rclcpp {

class Logger;

Logger get_logger(const std::string & name);
/// The logger of a node; one named "rclcpp" when the node is invalid.
Logger get_node_logger(const rcl_node_t * node);
/// Where log files go.
rcpputils::fs::path get_logging_directory();

/// A name under which messages are logged.
class Logger {
public:
  enum class Level {
    Unset = RCUTILS_LOG_SEVERITY_UNSET,
    Debug = RCUTILS_LOG_SEVERITY_DEBUG,
    Info = RCUTILS_LOG_SEVERITY_INFO,
    Warn = RCUTILS_LOG_SEVERITY_WARN,
    Error = RCUTILS_LOG_SEVERITY_ERROR,
    Fatal = RCUTILS_LOG_SEVERITY_FATAL,
  };

  Logger(const Logger &) = default;

  const char * get_name() const { return name_ ? name_->c_str() : nullptr; }
  /// The logger "name.suffix"; its messages go to /rosout of the same node.
  Logger get_child(const std::string & suffix);
  void set_level(Level level);
  /// The level that counts: of this logger, of its nearest ancestor that has one, or the default.
  Level get_effective_level() const;

private:
  friend Logger rclcpp::get_logger(const std::string & name);

  explicit Logger(const std::string & name) : name_(new std::string(name)) {}

  std::shared_ptr<const std::string> name_;
  // Keeps a child registered with /rosout for as long as a copy of it lives.
  std::shared_ptr<std::pair<std::string, std::string>> logger_sublogger_pairname_;
};

}  // namespace rclcpp
