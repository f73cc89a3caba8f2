// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp_action/server_goal_handle.hpp"

#include "rclcpp_action/detail/action_waitable.hpp"

namespace rclcpp_action {

rcl_action_goal_state_t ServerGoalHandleBase::get_state() const {
  std::lock_guard lock(*rcl_mutex_);
  rcl_action_goal_state_t state = GOAL_STATE_UNKNOWN;
  detail::check(rcl_action_goal_handle_get_status(rcl_handle_.get(), &state), "Failed to get goal handle state");
  return state;
}

void ServerGoalHandleBase::update_state(rcl_action_goal_event_t event) {
  std::lock_guard lock(*rcl_mutex_);
  detail::check(rcl_action_update_goal_state(rcl_handle_.get(), event));
}

bool ServerGoalHandleBase::is_active() const {
  std::lock_guard lock(*rcl_mutex_);
  return rcl_action_goal_handle_is_active(rcl_handle_.get());
}

bool ServerGoalHandleBase::try_canceling() noexcept {
  std::lock_guard lock(*rcl_mutex_);
  try {
    if (!is_active()) { return false; }
    if (rcl_action_goal_handle_is_cancelable(rcl_handle_.get())) { _cancel_goal(); }
    if (is_canceling()) {
      _canceled();
      return true;
    }
  } catch (const std::exception &) {
    // The destructor calls this: a state that cannot be changed stays as it is.
  }
  return false;
}

}  // namespace rclcpp_action
