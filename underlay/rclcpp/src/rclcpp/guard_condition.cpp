// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/guard_condition.hpp"

#include "rcl_check.hpp"

namespace rclcpp {

GuardCondition::GuardCondition(
  const Context::SharedPtr & context, rcl_guard_condition_options_t guard_condition_options) {
  if (!context) { throw std::invalid_argument("context argument unexpectedly nullptr"); }
  detail::check(
    rcl_guard_condition_init(&rcl_guard_condition_, context->get_rcl_context().get(), guard_condition_options),
    "failed to create guard condition");
}

GuardCondition::~GuardCondition() {
  detail::log_failure(rcl_guard_condition_fini(&rcl_guard_condition_), "failed to finalize guard condition");
}

void GuardCondition::trigger() {
  std::lock_guard<std::recursive_mutex> lock(reentrant_mutex_);
  if (on_trigger_callback_) {
    on_trigger_callback_(1);
  } else {
    detail::check(rcl_trigger_guard_condition(&rcl_guard_condition_), "");
    ++unread_count_;
  }
}

void GuardCondition::add_to_wait_set(rcl_wait_set_t & wait_set) {
  std::lock_guard<std::recursive_mutex> lock(reentrant_mutex_);
  if (exchange_in_use_by_wait_set_state(true) && &wait_set != wait_set_) {
    throw std::runtime_error("guard condition has already been added to a wait set.");
  }
  wait_set_ = &wait_set;
  detail::check(rcl_wait_set_add_guard_condition(&wait_set, &rcl_guard_condition_, nullptr),
    "failed to add guard condition to wait set");
}

void GuardCondition::set_on_trigger_callback(std::function<void(size_t)> callback) {
  std::lock_guard<std::recursive_mutex> lock(reentrant_mutex_);
  on_trigger_callback_ = std::move(callback);
  if (on_trigger_callback_ && unread_count_ > 0) { on_trigger_callback_(std::exchange(unread_count_, 0)); }
}

}  // namespace rclcpp
