#pragma once

#include <atomic>
#include <functional>
#include <mutex>

#include "rcl/guard_condition.h"
#include "rcl/wait.h"
#include "rclcpp/context.hpp"
#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// A condition that wakes a wait set, or calls back, when triggered.
class GuardCondition {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(GuardCondition)

  /// \throws std::invalid_argument if the context is null
  RCLCPP_PUBLIC explicit GuardCondition(
    const rclcpp::Context::SharedPtr & context = rclcpp::contexts::get_global_default_context(),
    rcl_guard_condition_options_t guard_condition_options = rcl_guard_condition_get_default_options());

  RCLCPP_PUBLIC virtual ~GuardCondition();

  RCLCPP_PUBLIC rcl_guard_condition_t & get_rcl_guard_condition();

  RCLCPP_PUBLIC const rcl_guard_condition_t & get_rcl_guard_condition() const;

  /// Safe from any thread. With an on-trigger callback that callback is called instead.
  RCLCPP_PUBLIC void trigger();

  /// Mark as used by a wait set (or not) and return the previous state.
  RCLCPP_PUBLIC bool exchange_in_use_by_wait_set_state(bool in_use_state);

  /// \throws std::runtime_error if the condition is already in another wait set
  RCLCPP_PUBLIC void add_to_wait_set(rcl_wait_set_t & wait_set);

  /// Call back with the number of triggers; earlier unread triggers are reported at once.
  RCLCPP_PUBLIC void set_on_trigger_callback(std::function<void(size_t)> callback);

protected:
  rcl_guard_condition_t rcl_guard_condition_;
  std::atomic<bool> in_use_by_wait_set_{false};
  std::recursive_mutex reentrant_mutex_;
  std::function<void(size_t)> on_trigger_callback_{nullptr};
  size_t unread_count_{0};
  rcl_wait_set_t * wait_set_{nullptr};
};

}  // namespace rclcpp
