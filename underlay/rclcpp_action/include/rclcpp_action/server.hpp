#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

#include "action_msgs/srv/cancel_goal.hpp"
#include "rcl_action/action_server.h"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_clock_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/waitable.hpp"
#include "rclcpp_action/server_goal_handle.hpp"
#include "rclcpp_action/types.hpp"
#include "rclcpp_action/visibility_control.hpp"
#include "rosidl_runtime_c/action_type_support_struct.h"
#include "rosidl_typesupport_cpp/action_type_support.hpp"

namespace rclcpp_action {

class ServerBaseImpl;

/// What a server answers to a request for a goal.
enum class GoalResponse : int8_t {
  REJECT = 1,
  ACCEPT_AND_EXECUTE = 2,
  /// Accepted; work begins when ServerGoalHandle::execute() is called.
  ACCEPT_AND_DEFER = 3,
};

/// What a server answers to a request to cancel a goal.
enum class CancelResponse : int8_t {
  REJECT = 1,
  ACCEPT = 2,
};

/// The part of an action server that does not depend on the action type.
class ServerBase : public rclcpp::Waitable {
public:
  /// Which entity an event of set_on_ready_callback() is about.
  enum class EntityType : std::size_t {
    GoalService,
    ResultService,
    CancelService,
  };

  virtual ~ServerBase();

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
  std::shared_ptr<std::recursive_mutex> get_rcl_mutex() const;

private:
  RCLCPP_DISABLE_COPY(ServerBase)

  void execute_goal_request(rmw_request_id_t & header, std::shared_ptr<void> request);
  void execute_cancel_request(rmw_request_id_t & header, std::shared_ptr<void> request);
  void execute_result_request(rmw_request_id_t & header, std::shared_ptr<void> request);
  void expire_goals();

  std::unique_ptr<ServerBaseImpl> pimpl_;
};

/// Serves an action. Make it with create_server().
template <typename ActionT> class Server : public ServerBase, public std::enable_shared_from_this<Server<ActionT>> {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(Server)

  using GoalCallback = std::function<GoalResponse(const GoalUUID &, std::shared_ptr<const typename ActionT::Goal>)>;
  using CancelCallback = std::function<CancelResponse(std::shared_ptr<ServerGoalHandle<ActionT>>)>;
  using AcceptedCallback = std::function<void(std::shared_ptr<ServerGoalHandle<ActionT>>)>;

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

  virtual ~Server() = default;

protected:
  std::pair<GoalResponse, std::shared_ptr<void>> call_handle_goal_callback(
    GoalUUID & uuid, std::shared_ptr<void> message) override {
    const auto request = std::static_pointer_cast<GoalRequest>(message);
    // Shares the ownership of the request, so that the goal is not copied.
    const auto goal = std::shared_ptr<const typename ActionT::Goal>(request, &request->goal);
    const GoalResponse user_response = handle_goal_(uuid, goal);
    auto response = std::make_shared<typename ActionT::Impl::SendGoalService::Response>();
    response->accepted =
      user_response == GoalResponse::ACCEPT_AND_EXECUTE || user_response == GoalResponse::ACCEPT_AND_DEFER;
    return {user_response, response};
  }

  CancelResponse call_handle_cancel_callback(const GoalUUID & uuid) override {
    std::shared_ptr<ServerGoalHandle<ActionT>> goal_handle;
    {
      std::lock_guard<std::mutex> lock(goal_handles_mutex_);
      const auto found = goal_handles_.find(uuid);
      if (found != goal_handles_.end()) { goal_handle = found->second.lock(); }
    }
    if (!goal_handle || handle_cancel_(goal_handle) != CancelResponse::ACCEPT) { return CancelResponse::REJECT; }
    try {
      goal_handle->_cancel_goal();
    } catch (const rclcpp::exceptions::RCLError & ex) {
      RCLCPP_DEBUG(
        rclcpp::get_logger("rclcpp_action"), "Failed to cancel goal in call_handle_cancel_callback: %s", ex.what());
      return CancelResponse::REJECT;
    }
    return CancelResponse::ACCEPT;
  }

  void call_goal_accepted_callback(std::shared_ptr<rcl_action_goal_handle_t> rcl_goal_handle, GoalUUID uuid,
    std::shared_ptr<void> goal_request_message) override {
    // Goal handles may outlive the server.
    std::weak_ptr<Server<ActionT>> weak_this = this->shared_from_this();
    const auto request = std::static_pointer_cast<GoalRequest>(goal_request_message);
    std::shared_ptr<ServerGoalHandle<ActionT>> goal_handle(new ServerGoalHandle<ActionT>(
      std::move(rcl_goal_handle), get_rcl_mutex(), uuid,
      std::shared_ptr<const typename ActionT::Goal>(request, &request->goal),
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
  using GoalRequest = typename ActionT::Impl::SendGoalService::Request;
  using ResultRequest = typename ActionT::Impl::GetResultService::Request;

  GoalCallback handle_goal_;
  CancelCallback handle_cancel_;
  AcceptedCallback handle_accepted_;

  std::mutex goal_handles_mutex_;
  std::unordered_map<GoalUUID, std::weak_ptr<ServerGoalHandle<ActionT>>> goal_handles_;
};

}  // namespace rclcpp_action
