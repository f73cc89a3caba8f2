// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/init_options.hpp"

#include "rcl/domain_id.h"
#include "rcl_check.hpp"

namespace rclcpp {

using detail::check;

InitOptions::InitOptions(rcl_allocator_t allocator) {
  check(rcl_init_options_init(&init_options_, allocator), "failed to initialize rcl init options");
}

InitOptions::InitOptions(const rcl_init_options_t & init_options) {
  check(rcl_init_options_copy(&init_options, &init_options_), "failed to copy rcl init options");
}

InitOptions::InitOptions(const InitOptions & other) : InitOptions(other.init_options_) {
  shutdown_on_signal = other.shutdown_on_signal;
  initialize_logging_ = other.initialize_logging_;
}

InitOptions & InitOptions::operator=(const InitOptions & other) {
  InitOptions copy(other);
  std::swap(init_options_, copy.init_options_);
  shutdown_on_signal = other.shutdown_on_signal;
  initialize_logging_ = other.initialize_logging_;
  return *this;
}

InitOptions::~InitOptions() {
  detail::log_failure(rcl_init_options_fini(&init_options_), "failed to finalize rcl init options");
}

InitOptions & InitOptions::auto_initialize_logging(bool initialize_logging) {
  initialize_logging_ = initialize_logging;
  return *this;
}

void InitOptions::use_default_domain_id() {
  size_t domain_id = RCL_DEFAULT_DOMAIN_ID;
  check(rcl_get_default_domain_id(&domain_id), "failed to get the default domain id");
  set_domain_id(domain_id);
}

void InitOptions::set_domain_id(size_t domain_id) {
  check(rcl_init_options_set_domain_id(&init_options_, domain_id), "failed to set domain id to rcl init options");
}

size_t InitOptions::get_domain_id() const {
  size_t domain_id = 0;
  check(rcl_init_options_get_domain_id(&init_options_, &domain_id), "failed to get domain id from rcl init options");
  return domain_id;
}

}  // namespace rclcpp
