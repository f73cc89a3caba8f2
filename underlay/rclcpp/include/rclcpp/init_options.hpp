// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rcl/init_options.h"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// Options of rclcpp::init(), a value around rcl_init_options_t.
class InitOptions {
public:
  /// Whether a signal handler shuts the context down.
  bool shutdown_on_signal = true;

  explicit InitOptions(rcl_allocator_t allocator = rcl_get_default_allocator());
  explicit InitOptions(const rcl_init_options_t & init_options);
  InitOptions(const InitOptions & other);
  InitOptions & operator=(const InitOptions & other);
  virtual ~InitOptions();

  /// Whether the first context configures logging.
  bool auto_initialize_logging() const { return initialize_logging_; }
  InitOptions & auto_initialize_logging(bool initialize_logging);
  const rcl_init_options_t * get_rcl_init_options() const { return &init_options_; }

  /// Take ROS_DOMAIN_ID instead of a domain that was set here.
  void use_default_domain_id();
  void set_domain_id(size_t domain_id);
  size_t get_domain_id() const;

private:
  rcl_init_options_t init_options_ = rcl_get_zero_initialized_init_options();
  bool initialize_logging_{true};
};

}  // namespace rclcpp
