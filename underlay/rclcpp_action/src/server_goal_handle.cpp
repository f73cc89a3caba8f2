#include "rclcpp_action/server_goal_handle.hpp"

#include <memory>
#include <mutex>
#include <utility>

#include "rclcpp/exceptions.hpp"

namespace rclcpp_action {

ServerGoalHandleBase::ServerGoalHandleBase(
  std::shared_ptr<rcl_action_goal_handle_t> rcl_handle, std::shared_ptr<std::recursive_mutex> rcl_mutex)
: rcl_handle_(std::move(rcl_handle)), rcl_mutex_(std::move(rcl_mutex)) {}

ServerGoalHandleBase::~ServerGoalHandleBase() = default;

rcl_action_goal_state_t ServerGoalHandleBase::get_state() const {
  std::lock_guard lock(*rcl_mutex_);
  rcl_action_goal_state_t state = GOAL_STATE_UNKNOWN;
  const rcl_ret_t ret = rcl_action_goal_handle_get_status(rcl_handle_.get(), &state);
  if (ret != RCL_RET_OK) { rclcpp::exceptions::throw_from_rcl_error(ret, "Failed to get goal handle state"); }
  return state;
}

void ServerGoalHandleBase::update_state(rcl_action_goal_event_t event) {
  std::lock_guard lock(*rcl_mutex_);
  const rcl_ret_t ret = rcl_action_update_goal_state(rcl_handle_.get(), event);
  if (ret != RCL_RET_OK) { rclcpp::exceptions::throw_from_rcl_error(ret); }
}

bool ServerGoalHandleBase::is_canceling() const { return get_state() == GOAL_STATE_CANCELING; }

bool ServerGoalHandleBase::is_active() const {
  std::lock_guard lock(*rcl_mutex_);
  return rcl_action_goal_handle_is_active(rcl_handle_.get());
}

bool ServerGoalHandleBase::is_executing() const { return get_state() == GOAL_STATE_EXECUTING; }

void ServerGoalHandleBase::_abort() { update_state(GOAL_EVENT_ABORT); }

void ServerGoalHandleBase::_succeed() { update_state(GOAL_EVENT_SUCCEED); }

void ServerGoalHandleBase::_cancel_goal() { update_state(GOAL_EVENT_CANCEL_GOAL); }

void ServerGoalHandleBase::_canceled() { update_state(GOAL_EVENT_CANCELED); }

void ServerGoalHandleBase::_execute() { update_state(GOAL_EVENT_EXECUTE); }

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
