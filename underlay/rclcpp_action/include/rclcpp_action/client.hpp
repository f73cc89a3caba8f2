// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <unordered_map>

#include "rcl_action/action_client.h"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp_action/client_goal_handle.hpp"
#include "rclcpp_action/detail/action_waitable.hpp"
#include "rosidl_typesupport_cpp/action_type_support.hpp"

namespace rclcpp_action {

/// The part of an action client that does not depend on the action type.
class ClientBase : public detail::ActionWaitable {
public:
  virtual ~ClientBase();

  /// Which entity an event of set_on_ready_callback() is about.
  enum class EntityType : size_t { GoalClient, ResultClient, CancelClient, FeedbackSubscription, StatusSubscription };

  bool action_server_is_ready() const;

  /// \return whether the server is there before the timeout; a negative one waits without end.
  template <typename RepT = int64_t, typename RatioT = std::milli>
  bool wait_for_action_server(std::chrono::duration<RepT, RatioT> timeout = std::chrono::duration<RepT, RatioT>(-1)) {
    return wait_for_action_server_nanoseconds(std::chrono::duration_cast<std::chrono::nanoseconds>(timeout));
  }

  void add_to_wait_set(rcl_wait_set_t & wait_set) override;
  bool is_ready(const rcl_wait_set_t & wait_set) override;

protected:
  using ResponseCallback = std::function<void(std::shared_ptr<void> response)>;

  ClientBase(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base,
    rclcpp::node_interfaces::NodeGraphInterface::SharedPtr node_graph,
    rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging, const std::string & action_name,
    const rosidl_action_type_support_t * type_support, const rcl_action_client_options_t & options);

  bool wait_for_action_server_nanoseconds(std::chrono::nanoseconds timeout);
  rclcpp::Logger get_logger() { return logger_; }
  /// A random id.
  virtual GoalUUID generate_goal_id();

  virtual void send_goal_request(std::shared_ptr<void> request, ResponseCallback callback) {
    send(rcl_action_send_goal_request, Goal, request.get(), std::move(callback));
  }
  virtual void send_result_request(std::shared_ptr<void> request, ResponseCallback callback) {
    send(rcl_action_send_result_request, Result, request.get(), std::move(callback));
  }
  virtual void send_cancel_request(std::shared_ptr<void> request, ResponseCallback callback) {
    send(rcl_action_send_cancel_request, Cancel, request.get(), std::move(callback));
  }

  // What only the typed client can do; messages are passed without their type.
  virtual std::shared_ptr<void> create_goal_response() const = 0;
  virtual std::shared_ptr<void> create_result_response() const = 0;
  virtual std::shared_ptr<void> create_cancel_response() const = 0;
  virtual std::shared_ptr<void> create_feedback_message() const = 0;
  virtual void handle_feedback_message(std::shared_ptr<void> message) = 0;
  virtual std::shared_ptr<void> create_status_message() const = 0;
  virtual void handle_status_message(std::shared_ptr<void> message) = 0;

private:
  // In the order of EntityType.
  enum Entity : size_t { Goal, Result, Cancel, Feedback, Status };
  using SendFunction = rcl_ret_t (*)(const rcl_action_client_t *, const void *, int64_t *);

  void send(SendFunction send_request, Entity kind, const void * request, ResponseCallback callback);
  rcl_ret_t take(Taken & taken) override;
  void handle(Taken & taken) override;
  rcl_ret_t attach(size_t entity, rcl_event_callback_t callback, const void * user_data) override;

  rclcpp::node_interfaces::NodeGraphInterface::WeakPtr node_graph_;
  rclcpp::Context::SharedPtr context_;
  std::mutex pending_mutex_;
  // The requests that wait for their response: for goals, results, cancellations.
  std::array<std::map<int64_t, ResponseCallback>, 3> pending_;
  rcl_action_client_t client_ = rcl_action_get_zero_initialized_client();
};

/// Sends goals to an action server. Make it with create_client().
template <typename ActionT> class Client : public ClientBase {
  using GoalService = typename ActionT::Impl::SendGoalService;
  using ResultService = typename ActionT::Impl::GetResultService;
  using FeedbackMessage = typename ActionT::Impl::FeedbackMessage;
  using StatusMessage = typename ActionT::Impl::GoalStatusMessage;
  using CancelFuture = std::shared_future<typename ActionT::Impl::CancelGoalService::Response::SharedPtr>;
  using Lock = std::lock_guard<std::recursive_mutex>;

public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(Client)

  using Goal = typename ActionT::Goal;
  using Feedback = typename ActionT::Feedback;
  using GoalHandle = ClientGoalHandle<ActionT>;
  using WrappedResult = typename GoalHandle::WrappedResult;
  /// Called with the goal handle, or with nullptr if the goal was rejected.
  using GoalResponseCallback = std::function<void(typename GoalHandle::SharedPtr)>;
  using FeedbackCallback = typename GoalHandle::FeedbackCallback;
  using ResultCallback = typename GoalHandle::ResultCallback;
  using CancelRequest = typename ActionT::Impl::CancelGoalService::Request;
  using CancelResponse = typename ActionT::Impl::CancelGoalService::Response;
  using CancelCallback = std::function<void(typename CancelResponse::SharedPtr)>;

  /// The callbacks of a goal; each may be empty.
  struct SendGoalOptions {
    GoalResponseCallback goal_response_callback;
    FeedbackCallback feedback_callback;
    /// If set, the result is asked for as soon as the goal is accepted.
    ResultCallback result_callback;
  };

  Client(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base,
    rclcpp::node_interfaces::NodeGraphInterface::SharedPtr node_graph,
    rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging, const std::string & action_name,
    const rcl_action_client_options_t & client_options = rcl_action_client_get_default_options())
  : ClientBase(node_base, node_graph, node_logging, action_name,
      rosidl_typesupport_cpp::get_action_type_support_handle<ActionT>(), client_options) {}

  /// Send a goal. \return a future of the goal handle: nullptr if the goal is rejected.
  std::shared_future<typename GoalHandle::SharedPtr> async_send_goal(
    const Goal & goal, const SendGoalOptions & options = SendGoalOptions()) {
    auto promise = std::make_shared<std::promise<typename GoalHandle::SharedPtr>>();
    auto future = promise->get_future().share();
    auto request = std::make_shared<typename GoalService::Request>();
    request->goal_id.uuid = this->generate_goal_id();
    request->goal = goal;
    this->send_goal_request(request, [this, id = request->goal_id, options, promise](std::shared_ptr<void> message) {
      const auto response = std::static_pointer_cast<typename GoalService::Response>(message);
      typename GoalHandle::SharedPtr goal_handle;
      if (response->accepted) {
        GoalInfo info;
        info.goal_id = id;
        info.stamp = response->stamp;
        goal_handle.reset(new GoalHandle(info, options.feedback_callback, options.result_callback));
        Lock lock(goal_handles_mutex_);
        goal_handles_[id.uuid] = goal_handle;
      }
      promise->set_value(goal_handle);
      if (options.goal_response_callback) { options.goal_response_callback(goal_handle); }
      if (goal_handle && options.result_callback) { this->make_result_aware(goal_handle); }
    });
    forget_dropped_goals();
    return future;
  }

  /// Ask for the result of a goal.
  /**
   * \param result_callback replaces the one given when the goal was sent.
   * \throws exceptions::UnknownGoalHandleError if the goal is not known or its result was had.
   */
  std::shared_future<WrappedResult> async_get_result(
    typename GoalHandle::SharedPtr goal_handle, ResultCallback result_callback = nullptr) {
    Lock lock(goal_handles_mutex_);
    throw_if_unknown(*goal_handle);
    goal_handle->throw_if_invalidated();
    if (result_callback) { goal_handle->set_result_callback(std::move(result_callback)); }
    this->make_result_aware(goal_handle);
    return goal_handle->async_get_result();
  }

  /// \throws exceptions::UnknownGoalHandleError if the goal is not known or has a result.
  CancelFuture async_cancel_goal(typename GoalHandle::SharedPtr goal_handle, CancelCallback cancel_callback = nullptr) {
    Lock lock(goal_handles_mutex_);
    throw_if_unknown(*goal_handle);
    return async_cancel(goal_handle->get_goal_id(), builtin_interfaces::msg::Time(), std::move(cancel_callback));
  }

  // A zero id stands for all goals, a zero stamp for all times.
  CancelFuture async_cancel_all_goals(CancelCallback cancel_callback = nullptr) {
    return async_cancel(GoalUUID{}, builtin_interfaces::msg::Time(), std::move(cancel_callback));
  }

  CancelFuture async_cancel_goals_before(const rclcpp::Time & stamp, CancelCallback cancel_callback = nullptr) {
    return async_cancel(GoalUUID{}, stamp, std::move(cancel_callback));
  }

  /// No feedback or result callback of the goal begins after this returns.
  void stop_callbacks(typename GoalHandle::SharedPtr goal_handle) {
    goal_handle->set_feedback_callback(nullptr);
    goal_handle->set_result_callback(nullptr);
    Lock lock(goal_handles_mutex_);
    goal_handles_.erase(goal_handle->get_goal_id());
  }

  void stop_callbacks(const GoalUUID & goal_id) {
    if (const auto goal_handle = find(goal_id)) { stop_callbacks(goal_handle); }
  }

  /// Whoever waits for a result of this client gets UnawareGoalHandleError.
  virtual ~Client() {
    Lock lock(goal_handles_mutex_);
    for (const auto & entry : goal_handles_) {
      if (const auto goal_handle = entry.second.lock()) {
        goal_handle->invalidate(exceptions::UnawareGoalHandleError());
      }
    }
  }

private:
  std::shared_ptr<void> create_goal_response() const override {
    return std::make_shared<typename GoalService::Response>();
  }

  std::shared_ptr<void> create_result_response() const override {
    return std::make_shared<typename ResultService::Response>();
  }

  std::shared_ptr<void> create_cancel_response() const override { return std::make_shared<CancelResponse>(); }

  std::shared_ptr<void> create_feedback_message() const override { return std::make_shared<FeedbackMessage>(); }

  std::shared_ptr<void> create_status_message() const override { return std::make_shared<StatusMessage>(); }

  void handle_feedback_message(std::shared_ptr<void> message) override {
    const auto feedback = std::static_pointer_cast<FeedbackMessage>(message);
    // The topic carries the feedback of the goals of all clients.
    if (const auto goal_handle = find(feedback->goal_id.uuid)) {
      goal_handle->call_feedback_callback(goal_handle, std::shared_ptr<const Feedback>(feedback, &feedback->feedback));
    }
  }

  void handle_status_message(std::shared_ptr<void> message) override {
    const auto statuses = std::static_pointer_cast<StatusMessage>(message);
    for (const GoalStatus & status : statuses->status_list) {
      if (const auto goal_handle = find(status.goal_info.goal_id.uuid)) { goal_handle->set_status(status.status); }
    }
  }

  void make_result_aware(typename GoalHandle::SharedPtr goal_handle) {
    if (goal_handle->set_result_awareness(true)) { return; }
    try {
      auto request = std::make_shared<typename ResultService::Request>();
      request->goal_id.uuid = goal_handle->get_goal_id();
      this->send_result_request(request, [this, goal_handle](std::shared_ptr<void> message) {
        // The result shares the ownership of the response.
        const auto response = std::static_pointer_cast<typename ResultService::Response>(message);
        const WrappedResult wrapped{goal_handle->get_goal_id(), static_cast<ResultCode>(response->status),
          std::shared_ptr<typename ActionT::Result>(response, &response->result)};
        goal_handle->set_result(wrapped);
        Lock lock(goal_handles_mutex_);
        goal_handles_.erase(wrapped.goal_id);
      });
    } catch (const rclcpp::exceptions::RCLError & ex) {
      goal_handle->invalidate(exceptions::UnawareGoalHandleError(ex.what()));
    }
  }

  CancelFuture async_cancel(
    const GoalUUID & goal_id, const builtin_interfaces::msg::Time & stamp, CancelCallback callback) {
    auto request = std::make_shared<CancelRequest>();
    request->goal_info.goal_id.uuid = goal_id;
    request->goal_info.stamp = stamp;
    auto promise = std::make_shared<std::promise<typename CancelResponse::SharedPtr>>();
    CancelFuture future = promise->get_future().share();
    this->send_cancel_request(request, [promise, callback = std::move(callback)](std::shared_ptr<void> message) {
      const auto response = std::static_pointer_cast<CancelResponse>(message);
      promise->set_value(response);
      if (callback) { callback(response); }
    });
    return future;
  }

  typename GoalHandle::SharedPtr find(const GoalUUID & goal_id) {
    Lock lock(goal_handles_mutex_);
    const auto found = goal_handles_.find(goal_id);
    if (found == goal_handles_.end()) {
      RCLCPP_DEBUG(this->get_logger(), "Received message for an unknown goal. Ignoring it.");
      return nullptr;
    }
    return found->second.lock();
  }

  void throw_if_unknown(const GoalHandle & goal_handle) const {
    if (goal_handles_.count(goal_handle.get_goal_id()) == 0) { throw exceptions::UnknownGoalHandleError(); }
  }

  void forget_dropped_goals() {
    Lock lock(goal_handles_mutex_);
    for (auto it = goal_handles_.begin(); it != goal_handles_.end();) {
      it = it->second.expired() ? goal_handles_.erase(it) : std::next(it);
    }
  }

  std::unordered_map<GoalUUID, std::weak_ptr<GoalHandle>> goal_handles_;
  std::recursive_mutex goal_handles_mutex_;
};

}  // namespace rclcpp_action
