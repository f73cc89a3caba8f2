#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "rcl_action/action_client.h"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/logger.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/time.hpp"
#include "rclcpp/waitable.hpp"
#include "rclcpp_action/client_goal_handle.hpp"
#include "rclcpp_action/exceptions.hpp"
#include "rclcpp_action/types.hpp"
#include "rclcpp_action/visibility_control.hpp"
#include "rosidl_runtime_c/action_type_support_struct.h"
#include "rosidl_typesupport_cpp/action_type_support.hpp"

namespace rclcpp_action {

class ClientBaseImpl;

/// The part of an action client that does not depend on the action type.
class ClientBase : public rclcpp::Waitable {
public:
  virtual ~ClientBase();

  /// Which entity an event of set_on_ready_callback() is about.
  enum class EntityType : std::size_t {
    GoalClient,
    ResultClient,
    CancelClient,
    FeedbackSubscription,
    StatusSubscription,
  };

  bool action_server_is_ready() const;

  /// \return whether the server is there before the timeout; a negative one waits without end.
  template <typename RepT = int64_t, typename RatioT = std::milli>
  bool wait_for_action_server(std::chrono::duration<RepT, RatioT> timeout = std::chrono::duration<RepT, RatioT>(-1)) {
    return wait_for_action_server_nanoseconds(std::chrono::duration_cast<std::chrono::nanoseconds>(timeout));
  }

  size_t get_number_of_ready_subscriptions() override;
  size_t get_number_of_ready_timers() override;
  size_t get_number_of_ready_clients() override;
  size_t get_number_of_ready_services() override;
  size_t get_number_of_ready_guard_conditions() override;
  void add_to_wait_set(rcl_wait_set_t & wait_set) override;
  bool is_ready(const rcl_wait_set_t & wait_set) override;
  std::shared_ptr<void> take_data() override;
  std::shared_ptr<void> take_data_by_entity_id(size_t id) override;
  void execute(const std::shared_ptr<void> & data) override;
  void set_on_ready_callback(std::function<void(size_t, int)> callback) override;
  void clear_on_ready_callback() override;

protected:
  using ResponseCallback = std::function<void(std::shared_ptr<void> response)>;

  ClientBase(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base,
    rclcpp::node_interfaces::NodeGraphInterface::SharedPtr node_graph,
    rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging, const std::string & action_name,
    const rosidl_action_type_support_t * type_support, const rcl_action_client_options_t & options);

  bool wait_for_action_server_nanoseconds(std::chrono::nanoseconds timeout);

  rclcpp::Logger get_logger();

  /// A random id.
  virtual GoalUUID generate_goal_id();

  virtual void send_goal_request(std::shared_ptr<void> request, ResponseCallback callback);
  virtual void send_result_request(std::shared_ptr<void> request, ResponseCallback callback);
  virtual void send_cancel_request(std::shared_ptr<void> request, ResponseCallback callback);

  // What only the typed client can do; messages are passed without their type.
  virtual std::shared_ptr<void> create_goal_response() const = 0;
  virtual std::shared_ptr<void> create_result_response() const = 0;
  virtual std::shared_ptr<void> create_cancel_response() const = 0;
  virtual std::shared_ptr<void> create_feedback_message() const = 0;
  virtual void handle_feedback_message(std::shared_ptr<void> message) = 0;
  virtual std::shared_ptr<void> create_status_message() const = 0;
  virtual void handle_status_message(std::shared_ptr<void> message) = 0;

private:
  RCLCPP_DISABLE_COPY(ClientBase)

  std::unique_ptr<ClientBaseImpl> pimpl_;
};

/// Sends goals to an action server. Make it with create_client().
template <typename ActionT> class Client : public ClientBase {
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
    SendGoalOptions() : goal_response_callback(nullptr), feedback_callback(nullptr), result_callback(nullptr) {}

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
    std::shared_future<typename GoalHandle::SharedPtr> future(promise->get_future());
    auto request = std::make_shared<typename ActionT::Impl::SendGoalService::Request>();
    request->goal_id.uuid = this->generate_goal_id();
    request->goal = goal;
    this->send_goal_request(request, [this, id = request->goal_id, options, promise](std::shared_ptr<void> message) {
      const auto response = std::static_pointer_cast<typename ActionT::Impl::SendGoalService::Response>(message);
      typename GoalHandle::SharedPtr goal_handle;
      if (response->accepted) {
        GoalInfo info;
        info.goal_id = id;
        info.stamp = response->stamp;
        goal_handle =
          typename GoalHandle::SharedPtr(new GoalHandle(info, options.feedback_callback, options.result_callback));
        std::lock_guard<std::recursive_mutex> lock(goal_handles_mutex_);
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
    std::lock_guard<std::recursive_mutex> lock(goal_handles_mutex_);
    throw_if_unknown(*goal_handle);
    goal_handle->throw_if_invalidated();
    if (result_callback) { goal_handle->set_result_callback(std::move(result_callback)); }
    this->make_result_aware(goal_handle);
    return goal_handle->async_get_result();
  }

  /// \throws exceptions::UnknownGoalHandleError if the goal is not known or has a result.
  std::shared_future<typename CancelResponse::SharedPtr> async_cancel_goal(
    typename GoalHandle::SharedPtr goal_handle, CancelCallback cancel_callback = nullptr) {
    std::lock_guard<std::recursive_mutex> lock(goal_handles_mutex_);
    throw_if_unknown(*goal_handle);
    auto request = std::make_shared<CancelRequest>();
    request->goal_info.goal_id.uuid = goal_handle->get_goal_id();
    return async_cancel(std::move(request), std::move(cancel_callback));
  }

  std::shared_future<typename CancelResponse::SharedPtr> async_cancel_all_goals(
    CancelCallback cancel_callback = nullptr) {
    // A zero id and a zero stamp stand for all goals.
    auto request = std::make_shared<CancelRequest>();
    request->goal_info.goal_id.uuid.fill(0u);
    return async_cancel(std::move(request), std::move(cancel_callback));
  }

  std::shared_future<typename CancelResponse::SharedPtr> async_cancel_goals_before(
    const rclcpp::Time & stamp, CancelCallback cancel_callback = nullptr) {
    auto request = std::make_shared<CancelRequest>();
    request->goal_info.goal_id.uuid.fill(0u);
    request->goal_info.stamp = stamp;
    return async_cancel(std::move(request), std::move(cancel_callback));
  }

  /// No feedback or result callback of the goal begins after this returns.
  void stop_callbacks(typename GoalHandle::SharedPtr goal_handle) {
    goal_handle->set_feedback_callback(nullptr);
    goal_handle->set_result_callback(nullptr);
    std::lock_guard<std::recursive_mutex> lock(goal_handles_mutex_);
    goal_handles_.erase(goal_handle->get_goal_id());
  }

  void stop_callbacks(const GoalUUID & goal_id) {
    if (const auto goal_handle = find(goal_id)) { stop_callbacks(goal_handle); }
  }

  /// Whoever waits for a result of this client gets UnawareGoalHandleError.
  virtual ~Client() {
    std::lock_guard<std::recursive_mutex> lock(goal_handles_mutex_);
    for (const auto & entry : goal_handles_) {
      if (const auto goal_handle = entry.second.lock()) {
        goal_handle->invalidate(exceptions::UnawareGoalHandleError());
      }
    }
  }

private:
  std::shared_ptr<void> create_goal_response() const override {
    return std::make_shared<typename ActionT::Impl::SendGoalService::Response>();
  }

  std::shared_ptr<void> create_result_response() const override {
    return std::make_shared<typename ActionT::Impl::GetResultService::Response>();
  }

  std::shared_ptr<void> create_cancel_response() const override { return std::make_shared<CancelResponse>(); }

  std::shared_ptr<void> create_feedback_message() const override {
    return std::make_shared<typename ActionT::Impl::FeedbackMessage>();
  }

  std::shared_ptr<void> create_status_message() const override {
    return std::make_shared<typename ActionT::Impl::GoalStatusMessage>();
  }

  void handle_feedback_message(std::shared_ptr<void> message) override {
    const auto feedback = std::static_pointer_cast<typename ActionT::Impl::FeedbackMessage>(message);
    // The topic carries the feedback of the goals of all clients.
    if (const auto goal_handle = find(feedback->goal_id.uuid)) {
      goal_handle->call_feedback_callback(goal_handle, std::shared_ptr<const Feedback>(feedback, &feedback->feedback));
    }
  }

  void handle_status_message(std::shared_ptr<void> message) override {
    const auto statuses = std::static_pointer_cast<typename ActionT::Impl::GoalStatusMessage>(message);
    for (const GoalStatus & status : statuses->status_list) {
      if (const auto goal_handle = find(status.goal_info.goal_id.uuid)) { goal_handle->set_status(status.status); }
    }
  }

  void make_result_aware(typename GoalHandle::SharedPtr goal_handle) {
    if (goal_handle->set_result_awareness(true)) { return; }
    try {
      auto request = std::make_shared<typename ActionT::Impl::GetResultService::Request>();
      request->goal_id.uuid = goal_handle->get_goal_id();
      this->send_result_request(request, [this, goal_handle](std::shared_ptr<void> message) {
        // The result shares the ownership of the response.
        const auto response = std::static_pointer_cast<typename ActionT::Impl::GetResultService::Response>(message);
        WrappedResult wrapped;
        wrapped.goal_id = goal_handle->get_goal_id();
        wrapped.code = static_cast<ResultCode>(response->status);
        wrapped.result = std::shared_ptr<typename ActionT::Result>(response, &response->result);
        goal_handle->set_result(wrapped);
        std::lock_guard<std::recursive_mutex> lock(goal_handles_mutex_);
        goal_handles_.erase(wrapped.goal_id);
      });
    } catch (const rclcpp::exceptions::RCLError & ex) {
      goal_handle->invalidate(exceptions::UnawareGoalHandleError(ex.what()));
    }
  }

  std::shared_future<typename CancelResponse::SharedPtr> async_cancel(
    typename CancelRequest::SharedPtr request, CancelCallback callback) {
    auto promise = std::make_shared<std::promise<typename CancelResponse::SharedPtr>>();
    std::shared_future<typename CancelResponse::SharedPtr> future(promise->get_future());
    this->send_cancel_request(request, [promise, callback = std::move(callback)](std::shared_ptr<void> message) {
      const auto response = std::static_pointer_cast<CancelResponse>(message);
      promise->set_value(response);
      if (callback) { callback(response); }
    });
    return future;
  }

  typename GoalHandle::SharedPtr find(const GoalUUID & goal_id) {
    std::lock_guard<std::recursive_mutex> lock(goal_handles_mutex_);
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
    std::lock_guard<std::recursive_mutex> lock(goal_handles_mutex_);
    for (auto it = goal_handles_.begin(); it != goal_handles_.end();) {
      it = it->second.expired() ? goal_handles_.erase(it) : std::next(it);
    }
  }

  std::unordered_map<GoalUUID, std::weak_ptr<GoalHandle>> goal_handles_;
  std::recursive_mutex goal_handles_mutex_;
};

}  // namespace rclcpp_action
