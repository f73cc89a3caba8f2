#include "rclcpp/guard_condition.hpp"

#include <memory>
#include <stdexcept>
#include <utility>

#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"

namespace rclcpp {

GuardCondition::GuardCondition(
  const Context::SharedPtr & context, rcl_guard_condition_options_t guard_condition_options)
: rcl_guard_condition_{rcl_get_zero_initialized_guard_condition()} {
  if (!context) { throw std::invalid_argument("context argument unexpectedly nullptr"); }
  const rcl_ret_t ret =
    rcl_guard_condition_init(&rcl_guard_condition_, context->get_rcl_context().get(), guard_condition_options);
  if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret, "failed to create guard condition"); }
}

GuardCondition::~GuardCondition() {
  if (rcl_guard_condition_fini(&rcl_guard_condition_) != RCL_RET_OK) {
    RCLCPP_ERROR(rclcpp::get_logger("rclcpp"), "failed to finalize guard condition: %s", rcl_get_error_string().str);
    rcl_reset_error();
  }
}

rcl_guard_condition_t & GuardCondition::get_rcl_guard_condition() { return rcl_guard_condition_; }

const rcl_guard_condition_t & GuardCondition::get_rcl_guard_condition() const { return rcl_guard_condition_; }

void GuardCondition::trigger() {
  std::lock_guard<std::recursive_mutex> lock(reentrant_mutex_);
  if (on_trigger_callback_) {
    on_trigger_callback_(1);
    return;
  }
  const rcl_ret_t ret = rcl_trigger_guard_condition(&rcl_guard_condition_);
  if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret); }
  ++unread_count_;
}

bool GuardCondition::exchange_in_use_by_wait_set_state(bool in_use_state) {
  return in_use_by_wait_set_.exchange(in_use_state);
}

void GuardCondition::add_to_wait_set(rcl_wait_set_t & wait_set) {
  std::lock_guard<std::recursive_mutex> lock(reentrant_mutex_);
  if (exchange_in_use_by_wait_set_state(true) && &wait_set != wait_set_) {
    throw std::runtime_error("guard condition has already been added to a wait set.");
  }
  wait_set_ = &wait_set;
  const rcl_ret_t ret = rcl_wait_set_add_guard_condition(&wait_set, &rcl_guard_condition_, nullptr);
  if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret, "failed to add guard condition to wait set"); }
}

void GuardCondition::set_on_trigger_callback(std::function<void(size_t)> callback) {
  std::lock_guard<std::recursive_mutex> lock(reentrant_mutex_);
  if (!callback) {
    on_trigger_callback_ = nullptr;
    return;
  }
  on_trigger_callback_ = std::move(callback);
  if (unread_count_ > 0) { on_trigger_callback_(std::exchange(unread_count_, 0)); }
}

}  // namespace rclcpp
