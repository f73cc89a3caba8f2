// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "action_msgs/srv/cancel_goal.hpp"
#include "rcl_action/action_server.h"
#include "rclcpp/node_interfaces/node_clock_interface.hpp"
#include "rclcpp_action/detail/action_waitable.hpp"
#include "rclcpp_action/server_goal_handle.hpp"
#include "rosidl_typesupport_cpp/action_type_support.hpp"

namespace rclcpp_action {

/// What a server answers to a request for a goal.
enum class GoalResponse : int8_t {
  REJECT = 1,
  ACCEPT_AND_EXECUTE = 2,
  /// Accepted; work begins when ServerGoalHandle::execute() is called.
  ACCEPT_AND_DEFER = 3,
};

/// What a server answers to a request to cancel a goal.
enum class CancelResponse : int8_t { REJECT = 1, ACCEPT = 2 };

/// The part of an action server that does not depend on the action type.
class ServerBase : public detail::ActionWaitable {
public:
  /// Which entity an event of set_on_ready_callback() is about.
  enum class EntityType : std::size_t { GoalService, ResultService, CancelService };

  virtual ~ServerBase();

  void add_to_wait_set(rcl_wait_set_t & wait_set) override;
  bool is_ready(const rcl_wait_set_t & wait_set) override;

protected:
  ServerBase(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base,
    rclcpp::node_interfaces::NodeClockInterface::SharedPtr node_clock,
    rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging, const std::string & name,
    const rosidl_action_type_support_t * type_support, const rcl_action_server_options_t & options);

  // What only the typed server can do; messages are passed without their type.
  virtual std::pair<GoalResponse, std::shared_ptr<void>> call_handle_goal_callback(
    GoalUUID &, std::shared_ptr<void> request) = 0;
  virtual CancelResponse call_handle_cancel_callback(const GoalUUID & uuid) = 0;
  virtual GoalUUID get_goal_id_from_goal_request(void * message) = 0;
  virtual std::shared_ptr<void> create_goal_request() = 0;
  virtual void call_goal_accepted_callback(std::shared_ptr<rcl_action_goal_handle_t> rcl_goal_handle, GoalUUID uuid,
    std::shared_ptr<void> goal_request_message) = 0;
  virtual GoalUUID get_goal_id_from_result_request(void * message) = 0;
  virtual std::shared_ptr<void> create_result_request() = 0;
  virtual std::shared_ptr<void> create_result_response(decltype(action_msgs::msg::GoalStatus::status) status) = 0;

  void publish_status();
  void notify_goal_terminal_state();
  /// Keep the result for later requests and send it to those that wait for it.
  void publish_result(const GoalUUID & uuid, std::shared_ptr<void> result_msg);
  void publish_feedback(std::shared_ptr<void> feedback_msg);
  /// Guards the rcl server and the state of its goals.
  std::shared_ptr<std::recursive_mutex> get_rcl_mutex() const { return mutex_; }

private:
  // In the order of EntityType; the expiry timer has no callback.
  enum Entity : size_t { Goal, Result, Cancel, Expired };
  using SendFunction = rcl_ret_t (*)(const rcl_action_server_t *, rmw_request_id_t *, void *);

  rcl_ret_t take(Taken & taken) override;
  void handle(Taken & taken) override;
  rcl_ret_t attach(size_t entity, rcl_event_callback_t callback, const void * user_data) override;
  void execute_goal_request(rmw_request_id_t & header, std::shared_ptr<void> request);
  void execute_cancel_request(rmw_request_id_t & header, const action_msgs::srv::CancelGoal::Request & request);
  void execute_result_request(rmw_request_id_t & header, void * request);
  void expire_goals();
  void send(SendFunction send_response, const char * kind, rmw_request_id_t & header, void * response);

  // Recursive, since a goal handle that is dropped reports to the server that drops it.
  const std::shared_ptr<std::recursive_mutex> mutex_{std::make_shared<std::recursive_mutex>()};
  rclcpp::Clock::SharedPtr clock_;
  // All below is guarded by the mutex. Goals stay here until they expire.
  std::unordered_map<GoalUUID, std::shared_ptr<rcl_action_goal_handle_t>> goal_handles_;
  std::unordered_map<GoalUUID, std::shared_ptr<void>> results_;
  std::unordered_map<GoalUUID, std::vector<rmw_request_id_t>> pending_result_requests_;
  rcl_action_server_t server_ = rcl_action_get_zero_initialized_server();
};

/// Serves an action. Make it with create_server().
template <typename ActionT> class Server : public ServerBase, public std::enable_shared_from_this<Server<ActionT>> {
  using GoalHandle = ServerGoalHandle<ActionT>;
  using GoalRequest = typename ActionT::Impl::SendGoalService::Request;
  using ResultRequest = typename ActionT::Impl::GetResultService::Request;

public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(Server)

  using GoalCallback = std::function<GoalResponse(const GoalUUID &, std::shared_ptr<const typename ActionT::Goal>)>;
  using CancelCallback = std::function<CancelResponse(std::shared_ptr<GoalHandle>)>;
  using AcceptedCallback = std::function<void(std::shared_ptr<GoalHandle>)>;

  Server(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base,
    rclcpp::node_interfaces::NodeClockInterface::SharedPtr node_clock,
    rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging, const std::string & name,
    const rcl_action_server_options_t & options, GoalCallback handle_goal, CancelCallback handle_cancel,
    AcceptedCallback handle_accepted)
  : ServerBase(node_base, node_clock, node_logging, name,
      rosidl_typesupport_cpp::get_action_type_support_handle<ActionT>(), options),
    handle_goal_(std::move(handle_goal)),
    handle_cancel_(std::move(handle_cancel)),
    handle_accepted_(std::move(handle_accepted)) {}

protected:
  std::pair<GoalResponse, std::shared_ptr<void>> call_handle_goal_callback(
    GoalUUID & uuid, std::shared_ptr<void> message) override {
    const GoalResponse user_response = handle_goal_(uuid, goal_of(message));
    auto response = std::make_shared<typename ActionT::Impl::SendGoalService::Response>();
    response->accepted =
      user_response == GoalResponse::ACCEPT_AND_EXECUTE || user_response == GoalResponse::ACCEPT_AND_DEFER;
    return {user_response, response};
  }

  CancelResponse call_handle_cancel_callback(const GoalUUID & uuid) override {
    std::shared_ptr<GoalHandle> goal_handle;
    {
      std::lock_guard<std::mutex> lock(goal_handles_mutex_);
      const auto found = goal_handles_.find(uuid);
      if (found != goal_handles_.end()) { goal_handle = found->second.lock(); }
    }
    if (!goal_handle || handle_cancel_(goal_handle) != CancelResponse::ACCEPT) { return CancelResponse::REJECT; }
    try {
      goal_handle->_cancel_goal();
      return CancelResponse::ACCEPT;
    } catch (const rclcpp::exceptions::RCLError & ex) {
      RCLCPP_DEBUG(logger_, "Failed to cancel goal in call_handle_cancel_callback: %s", ex.what());
      return CancelResponse::REJECT;
    }
  }

  void call_goal_accepted_callback(std::shared_ptr<rcl_action_goal_handle_t> rcl_goal_handle, GoalUUID uuid,
    std::shared_ptr<void> goal_request_message) override {
    // Goal handles may outlive the server.
    std::weak_ptr<Server<ActionT>> weak_this = this->shared_from_this();
    std::shared_ptr<GoalHandle> goal_handle(new GoalHandle(
      std::move(rcl_goal_handle), get_rcl_mutex(), uuid, goal_of(goal_request_message),
      [weak_this](const GoalUUID & id, std::shared_ptr<void> result) {
        if (const auto server = weak_this.lock()) {
          server->publish_result(id, std::move(result));
          server->publish_status();
          server->notify_goal_terminal_state();
          std::lock_guard<std::mutex> lock(server->goal_handles_mutex_);
          server->goal_handles_.erase(id);
        }
      },
      [weak_this](const GoalUUID &) {
        if (const auto server = weak_this.lock()) { server->publish_status(); }
      },
      [weak_this](std::shared_ptr<typename ActionT::Impl::FeedbackMessage> feedback) {
        if (const auto server = weak_this.lock()) { server->publish_feedback(std::move(feedback)); }
      }));
    {
      std::lock_guard<std::mutex> lock(goal_handles_mutex_);
      goal_handles_[uuid] = goal_handle;
    }
    handle_accepted_(goal_handle);
  }

  GoalUUID get_goal_id_from_goal_request(void * message) override {
    return static_cast<GoalRequest *>(message)->goal_id.uuid;
  }

  std::shared_ptr<void> create_goal_request() override { return std::make_shared<GoalRequest>(); }

  GoalUUID get_goal_id_from_result_request(void * message) override {
    return static_cast<ResultRequest *>(message)->goal_id.uuid;
  }

  std::shared_ptr<void> create_result_request() override { return std::make_shared<ResultRequest>(); }

  std::shared_ptr<void> create_result_response(decltype(action_msgs::msg::GoalStatus::status) status) override {
    auto response = std::make_shared<typename ActionT::Impl::GetResultService::Response>();
    response->status = status;
    return response;
  }

private:
  // Shares the ownership of the request, so that the goal is not copied.
  static std::shared_ptr<const typename ActionT::Goal> goal_of(const std::shared_ptr<void> & message) {
    const auto request = std::static_pointer_cast<GoalRequest>(message);
    return {request, &request->goal};
  }

  GoalCallback handle_goal_;
  CancelCallback handle_cancel_;
  AcceptedCallback handle_accepted_;

  std::mutex goal_handles_mutex_;
  std::unordered_map<GoalUUID, std::weak_ptr<GoalHandle>> goal_handles_;
};

}  // namespace rclcpp_action
