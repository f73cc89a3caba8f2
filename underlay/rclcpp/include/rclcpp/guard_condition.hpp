// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rcl/wait.h"
#include "rclcpp/contexts/default_context.hpp"

namespace rclcpp {

/// A condition that wakes a wait set, or calls back, when triggered.
class GuardCondition {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(GuardCondition)

  /// \throws std::invalid_argument if the context is null
  explicit GuardCondition(const Context::SharedPtr & context = contexts::get_global_default_context(),
    rcl_guard_condition_options_t guard_condition_options = rcl_guard_condition_get_default_options());
  virtual ~GuardCondition();

  rcl_guard_condition_t & get_rcl_guard_condition() { return rcl_guard_condition_; }
  const rcl_guard_condition_t & get_rcl_guard_condition() const { return rcl_guard_condition_; }
  /// Safe from any thread. With an on-trigger callback that callback is called instead.
  void trigger();
  /// Mark as used by a wait set (or not) and return the previous state.
  bool exchange_in_use_by_wait_set_state(bool in_use_state) { return in_use_by_wait_set_.exchange(in_use_state); }
  /// \throws std::runtime_error if the condition is already in another wait set
  void add_to_wait_set(rcl_wait_set_t & wait_set);
  /// Call back with the number of triggers; earlier unread triggers are reported at once.
  void set_on_trigger_callback(std::function<void(size_t)> callback);

protected:
  rcl_guard_condition_t rcl_guard_condition_ = rcl_get_zero_initialized_guard_condition();
  std::atomic<bool> in_use_by_wait_set_{false};
  std::recursive_mutex reentrant_mutex_;
  std::function<void(size_t)> on_trigger_callback_{nullptr};
  size_t unread_count_{0};
  rcl_wait_set_t * wait_set_{nullptr};
};

}  // namespace rclcpp
