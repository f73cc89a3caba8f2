// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <mutex>

#include "rclcpp/macros.hpp"
#include "rclcpp/time.hpp"
#include "rclcpp_action/exceptions.hpp"
#include "rclcpp_action/types.hpp"

namespace rclcpp_action {

/// How a goal ended.
enum class ResultCode : int8_t {
  UNKNOWN = GoalStatus::STATUS_UNKNOWN,
  SUCCEEDED = GoalStatus::STATUS_SUCCEEDED,
  CANCELED = GoalStatus::STATUS_CANCELED,
  ABORTED = GoalStatus::STATUS_ABORTED
};

template <typename ActionT> class Client;

/// A goal that a server has accepted, on the side of the client.
template <typename ActionT> class ClientGoalHandle {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(ClientGoalHandle)

  struct WrappedResult {
    GoalUUID goal_id;
    ResultCode code;
    typename ActionT::Result::SharedPtr result;
  };

  using Feedback = typename ActionT::Feedback;
  using Result = typename ActionT::Result;
  using FeedbackCallback =
    std::function<void(typename ClientGoalHandle<ActionT>::SharedPtr, const std::shared_ptr<const Feedback>)>;
  using ResultCallback = std::function<void(const WrappedResult & result)>;

  virtual ~ClientGoalHandle() = default;

  const GoalUUID & get_goal_id() const { return info_.goal_id.uuid; }

  /// When the server accepted the goal, as its response says.
  rclcpp::Time get_goal_stamp() const { return info_.stamp; }

  int8_t get_status() { return status_; }

  /// Whether there is a feedback callback.
  bool is_feedback_aware() {
    std::lock_guard lock(handle_mutex_);
    return feedback_callback_ != nullptr;
  }

  /// Whether the result has been asked for.
  bool is_result_aware() { return is_result_aware_; }

private:
  friend class Client<ActionT>;

  ClientGoalHandle(const GoalInfo & info, FeedbackCallback feedback_callback, ResultCallback result_callback)
  : info_(info),
    result_future_(result_promise_.get_future()),
    feedback_callback_(std::move(feedback_callback)),
    result_callback_(std::move(result_callback)) {}

  std::shared_future<WrappedResult> async_get_result() {
    if (!is_result_aware_) { throw exceptions::UnawareGoalHandleError(); }
    return result_future_;
  }

  void set_feedback_callback(FeedbackCallback callback) {
    std::lock_guard lock(handle_mutex_);
    feedback_callback_ = std::move(callback);
  }

  void set_result_callback(ResultCallback callback) {
    std::lock_guard lock(handle_mutex_);
    result_callback_ = std::move(callback);
  }

  // The callbacks are called without the lock, so that they may wait for other threads.
  void call_feedback_callback(
    typename ClientGoalHandle<ActionT>::SharedPtr shared_this, std::shared_ptr<const Feedback> feedback_message) {
    FeedbackCallback callback;
    {
      std::lock_guard lock(handle_mutex_);
      callback = feedback_callback_;
    }
    if (callback) { callback(std::move(shared_this), std::move(feedback_message)); }
  }

  void set_result(const WrappedResult & wrapped_result) {
    ResultCallback callback;
    {
      std::lock_guard lock(handle_mutex_);
      if (invalidate_exception_) { return; }
      status_ = static_cast<int8_t>(wrapped_result.code);
      result_promise_.set_value(wrapped_result);
      callback = std::exchange(result_callback_, nullptr);
    }
    if (callback) { callback(wrapped_result); }
  }

  void set_status(int8_t status) { status_ = status; }

  // Returns what it was before.
  bool set_result_awareness(bool awareness) { return is_result_aware_.exchange(awareness); }

  // The result will not come any more: whoever waits for it gets the exception.
  void invalidate(const exceptions::UnawareGoalHandleError & ex) {
    std::lock_guard lock(handle_mutex_);
    if (invalidate_exception_ || has_result()) { return; }
    is_result_aware_ = false;
    status_ = GoalStatus::STATUS_UNKNOWN;
    invalidate_exception_ = std::make_exception_ptr(ex);
    result_promise_.set_exception(invalidate_exception_);
  }

  void throw_if_invalidated() {
    std::lock_guard lock(handle_mutex_);
    if (invalidate_exception_) { std::rethrow_exception(invalidate_exception_); }
  }

  bool has_result() const { return result_future_.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }

  const GoalInfo info_;
  std::recursive_mutex handle_mutex_;
  std::promise<WrappedResult> result_promise_;
  std::shared_future<WrappedResult> result_future_;
  FeedbackCallback feedback_callback_;
  ResultCallback result_callback_;
  std::atomic<int8_t> status_{GoalStatus::STATUS_ACCEPTED};
  std::atomic<bool> is_result_aware_{false};
  std::exception_ptr invalidate_exception_;
};

}  // namespace rclcpp_action
