// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <mutex>

#include "rcl_action/goal_handle.h"
#include "rclcpp/macros.hpp"
#include "rclcpp_action/types.hpp"

namespace rclcpp_action {

/// The state of a goal on the side of the server.
class ServerGoalHandleBase {
public:
  bool is_canceling() const { return get_state() == GOAL_STATE_CANCELING; }
  /// Whether the goal has not reached a terminal state.
  bool is_active() const;
  bool is_executing() const { return get_state() == GOAL_STATE_EXECUTING; }
  virtual ~ServerGoalHandleBase() = default;

protected:
  // The mutex is the server's: rcl reads the state of all goals when it publishes the status.
  ServerGoalHandleBase(
    std::shared_ptr<rcl_action_goal_handle_t> rcl_handle, std::shared_ptr<std::recursive_mutex> rcl_mutex)
  : rcl_handle_(std::move(rcl_handle)), rcl_mutex_(std::move(rcl_mutex)) {}

  // These throw rclcpp::exceptions::RCLError if the state does not allow the transition.
  void _abort() { update_state(GOAL_EVENT_ABORT); }
  void _succeed() { update_state(GOAL_EVENT_SUCCEED); }
  void _cancel_goal() { update_state(GOAL_EVENT_CANCEL_GOAL); }
  void _canceled() { update_state(GOAL_EVENT_CANCELED); }
  void _execute() { update_state(GOAL_EVENT_EXECUTE); }

  /// Bring a goal that still lives to the state "canceled". \return whether it was so brought.
  bool try_canceling() noexcept;

private:
  void update_state(rcl_action_goal_event_t event);
  rcl_action_goal_state_t get_state() const;

  std::shared_ptr<rcl_action_goal_handle_t> rcl_handle_;
  std::shared_ptr<std::recursive_mutex> rcl_mutex_;
};

template <typename ActionT> class Server;

/// What the code that works on a goal uses to report about it.
template <typename ActionT> class ServerGoalHandle : public ServerGoalHandleBase {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(ServerGoalHandle)

  void publish_feedback(std::shared_ptr<typename ActionT::Feedback> feedback_msg) {
    auto message = std::make_shared<typename ActionT::Impl::FeedbackMessage>();
    message->goal_id.uuid = uuid_;
    message->feedback = *feedback_msg;
    publish_feedback_(std::move(message));
  }

  /// The goal cannot be reached. The result is sent to whoever asks.
  void abort(typename ActionT::Result::SharedPtr result_msg) {
    _abort();
    finish(GoalStatus::STATUS_ABORTED, result_msg.get());
  }

  void succeed(typename ActionT::Result::SharedPtr result_msg) {
    _succeed();
    finish(GoalStatus::STATUS_SUCCEEDED, result_msg.get());
  }

  /// Work has stopped after a cancel request was accepted.
  void canceled(typename ActionT::Result::SharedPtr result_msg) {
    _canceled();
    finish(GoalStatus::STATUS_CANCELED, result_msg.get());
  }

  /// Work begins on a goal whose execution was deferred.
  void execute() {
    _execute();
    on_executing_(uuid_);
  }

  const std::shared_ptr<const typename ActionT::Goal> get_goal() const { return goal_; }

  const GoalUUID & get_goal_id() const { return uuid_; }

  /// A goal that nobody works on any more ends as canceled.
  virtual ~ServerGoalHandle() {
    if (try_canceling()) {
      try {
        finish(GoalStatus::STATUS_CANCELED, nullptr);
      } catch (const std::exception &) {
        // After a shutdown there is nobody left to tell.
      }
    }
  }

protected:
  ServerGoalHandle(std::shared_ptr<rcl_action_goal_handle_t> rcl_handle,
    std::shared_ptr<std::recursive_mutex> rcl_mutex, GoalUUID uuid, std::shared_ptr<const typename ActionT::Goal> goal,
    std::function<void(const GoalUUID &, std::shared_ptr<void>)> on_terminal_state,
    std::function<void(const GoalUUID &)> on_executing,
    std::function<void(std::shared_ptr<typename ActionT::Impl::FeedbackMessage>)> publish_feedback)
  : ServerGoalHandleBase(std::move(rcl_handle), std::move(rcl_mutex)),
    goal_(std::move(goal)),
    uuid_(uuid),
    on_terminal_state_(std::move(on_terminal_state)),
    on_executing_(std::move(on_executing)),
    publish_feedback_(std::move(publish_feedback)) {}

  const std::shared_ptr<const typename ActionT::Goal> goal_;
  const GoalUUID uuid_;

  friend class Server<ActionT>;

private:
  void finish(int8_t status, const typename ActionT::Result * result) {
    auto response = std::make_shared<typename ActionT::Impl::GetResultService::Response>();
    response->status = status;
    if (result != nullptr) { response->result = *result; }
    on_terminal_state_(uuid_, std::move(response));
  }

  std::function<void(const GoalUUID &, std::shared_ptr<void>)> on_terminal_state_;
  std::function<void(const GoalUUID &)> on_executing_;
  std::function<void(std::shared_ptr<typename ActionT::Impl::FeedbackMessage>)> publish_feedback_;
};

}  // namespace rclcpp_action
