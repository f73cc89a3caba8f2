// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp_action/server.hpp"

#include "action_msgs/msg/goal_status_array.hpp"
#include "rcl_action/wait.h"

namespace rclcpp_action {

using detail::check;

namespace {

rcl_action_goal_info_t to_rcl(const GoalUUID & uuid) {
  rcl_action_goal_info_t info = rcl_action_get_zero_initialized_goal_info();
  convert(uuid, &info);
  return info;
}

GoalInfo from_rcl(const rcl_action_goal_info_t & rcl_info) {
  GoalInfo info;
  convert(rcl_info, &info.goal_id.uuid);
  info.stamp.sec = rcl_info.stamp.sec;
  info.stamp.nanosec = rcl_info.stamp.nanosec;
  return info;
}

}  // namespace

ServerBase::ServerBase(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base,
  rclcpp::node_interfaces::NodeClockInterface::SharedPtr node_clock,
  rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging, const std::string & name,
  const rosidl_action_type_support_t * type_support, const rcl_action_server_options_t & options)
: ActionWaitable(*node_base, *node_logging, 3), clock_(node_clock->get_clock()) {
  check(rcl_action_server_init(
    &server_, node_handle_.get(), clock_->get_clock_handle(), type_support, name.c_str(), &options));
  check(rcl_action_server_wait_set_get_num_entities(
    &server_, &subscriptions_, &guard_conditions_, &timers_, &clients_, &services_));
}

ServerBase::~ServerBase() {
  try {
    clear_on_ready_callback();
    check(rcl_action_server_fini(&server_, node_handle_.get()), "failed to finalize the action server");
  } catch (const std::exception & ex) { RCLCPP_ERROR(logger_, "%s", ex.what()); }
}

void ServerBase::add_to_wait_set(rcl_wait_set_t & wait_set) {
  std::lock_guard lock(*mutex_);
  check(rcl_action_wait_set_add_action_server(&wait_set, &server_, nullptr), "ServerBase::add_to_wait_set() failed");
}

bool ServerBase::is_ready(const rcl_wait_set_t & wait_set) {
  bool goal = false, cancel = false, result = false, expired = false;
  std::lock_guard lock(*mutex_);
  check(rcl_action_server_wait_set_get_entities_ready(&wait_set, &server_, &goal, &cancel, &result, &expired));
  return choose({{goal, Goal}, {cancel, Cancel}, {result, Result}, {expired, Expired}});
}

rcl_ret_t ServerBase::take(Taken & taken) {
  const auto into = [&](std::shared_ptr<void> message) { return (taken.message = message).get(); };
  std::lock_guard lock(*mutex_);
  switch (taken.entity) {
    case Goal: return rcl_action_take_goal_request(&server_, &taken.header, into(create_goal_request()));
    case Result: return rcl_action_take_result_request(&server_, &taken.header, into(create_result_request()));
    case Cancel:
      return rcl_action_take_cancel_request(
        &server_, &taken.header, into(std::make_shared<action_msgs::srv::CancelGoal::Request>()));
    default: return RCL_RET_OK;
  }
}

void ServerBase::handle(Taken & taken) {
  switch (taken.entity) {
    case Goal:
      // Events executors do not watch the timer that tells of expired goals.
      expire_goals();
      return execute_goal_request(taken.header, taken.message);
    case Result: return execute_result_request(taken.header, taken.message.get());
    case Cancel:
      return execute_cancel_request(
        taken.header, *std::static_pointer_cast<action_msgs::srv::CancelGoal::Request>(taken.message));
    default: expire_goals();
  }
}

rcl_ret_t ServerBase::attach(size_t entity, rcl_event_callback_t callback, const void * user_data) {
  constexpr decltype(&rcl_action_server_set_goal_service_callback) functions[] = {
    rcl_action_server_set_goal_service_callback, rcl_action_server_set_result_service_callback,
    rcl_action_server_set_cancel_service_callback};
  return functions[entity](&server_, callback, user_data);
}

// A response to a client that has gone is no error of the server.
void ServerBase::send(SendFunction send_response, const char * kind, rmw_request_id_t & header, void * response) {
  std::lock_guard lock(*mutex_);
  const rcl_ret_t ret = send_response(&server_, &header, response);
  if (ret == RCL_RET_TIMEOUT) {
    RCLCPP_WARN(logger_, "Failed to send %s response (timeout): %s", kind, rcl_get_error_string().str);
    rcl_reset_error();
  } else {
    check(ret);
  }
}

void ServerBase::execute_goal_request(rmw_request_id_t & header, std::shared_ptr<void> request) {
  GoalUUID uuid = get_goal_id_from_goal_request(request.get());
  const auto [response, message] = call_handle_goal_callback(uuid, request);
  send(rcl_action_send_goal_response, "goal", header, message.get());
  if (response != GoalResponse::ACCEPT_AND_EXECUTE && response != GoalResponse::ACCEPT_AND_DEFER) { return; }

  std::shared_ptr<rcl_action_goal_handle_t> handle;
  {
    std::lock_guard lock(*mutex_);
    const rcl_action_goal_info_t info = to_rcl(uuid);
    const rcl_action_goal_handle_t * accepted = rcl_action_accept_new_goal(&server_, &info);
    if (accepted == nullptr) {
      const std::string reason = rcl_get_error_string().str;
      rcl_reset_error();
      throw std::runtime_error("Failed to accept new goal: " + reason);
    }
    // A copy, since the struct belongs to the rcl server while what it points to is ours.
    handle.reset(new rcl_action_goal_handle_t(*accepted), [](rcl_action_goal_handle_t * pointer) {
      if (rcl_action_goal_handle_fini(pointer) != RCL_RET_OK) { rcl_reset_error(); }
      delete pointer;
    });
    goal_handles_[uuid] = handle;
    if (response == GoalResponse::ACCEPT_AND_EXECUTE) {
      check(rcl_action_update_goal_state(handle.get(), GOAL_EVENT_EXECUTE));
    }
  }
  publish_status();
  call_goal_accepted_callback(std::move(handle), uuid, std::move(request));
}

void ServerBase::execute_cancel_request(
  rmw_request_id_t & header, const action_msgs::srv::CancelGoal::Request & request) {
  action_msgs::srv::CancelGoal::Response response;
  // rcl finds the goals that the request is about; whether they are canceled, the user decides.
  std::vector<GoalInfo> concerned;
  {
    std::lock_guard lock(*mutex_);
    rcl_action_cancel_request_t rcl_request = rcl_action_get_zero_initialized_cancel_request();
    rcl_request.goal_info = to_rcl(request.goal_info.goal_id.uuid);
    rcl_request.goal_info.stamp.sec = request.goal_info.stamp.sec;
    rcl_request.goal_info.stamp.nanosec = request.goal_info.stamp.nanosec;
    rcl_action_cancel_response_t rcl_response = rcl_action_get_zero_initialized_cancel_response();
    check(rcl_action_process_cancel_request(&server_, &rcl_request, &rcl_response));
    response.return_code = rcl_response.msg.return_code;
    const auto & goals = rcl_response.msg.goals_canceling;
    std::transform(goals.data, goals.data + goals.size, std::back_inserter(concerned), from_rcl);
    check(rcl_action_cancel_response_fini(&rcl_response));
  }
  for (const GoalInfo & goal : concerned) {
    if (call_handle_cancel_callback(goal.goal_id.uuid) == CancelResponse::ACCEPT) {
      response.goals_canceling.push_back(goal);
    }
  }
  if (!response.goals_canceling.empty()) {
    publish_status();
  } else if (!concerned.empty()) {
    response.return_code = action_msgs::srv::CancelGoal::Response::ERROR_REJECTED;
  }
  send(rcl_action_send_cancel_response, "cancel", header, &response);
}

void ServerBase::execute_result_request(rmw_request_id_t & header, void * request) {
  std::lock_guard lock(*mutex_);
  const GoalUUID uuid = get_goal_id_from_result_request(request);
  const rcl_action_goal_info_t info = to_rcl(uuid);
  const auto found = results_.find(uuid);
  std::shared_ptr<void> response;
  if (!rcl_action_server_goal_exists(&server_, &info)) {
    response = create_result_response(GoalStatus::STATUS_UNKNOWN);
  } else if (found != results_.end()) {
    response = found->second;
  } else {
    pending_result_requests_[uuid].push_back(header);
    return;
  }
  send(rcl_action_send_result_response, "result", header, response.get());
}

void ServerBase::expire_goals() {
  std::lock_guard lock(*mutex_);
  rcl_action_goal_info_t expired[8];
  size_t count = 0;
  do {
    check(rcl_action_expire_goals(&server_, expired, std::size(expired), &count));
    for (size_t i = 0; i < count; ++i) {
      const GoalUUID uuid = from_rcl(expired[i]).goal_id.uuid;
      RCLCPP_DEBUG(logger_, "Expired goal %s", to_string(uuid).c_str());
      results_.erase(uuid);
      pending_result_requests_.erase(uuid);
      goal_handles_.erase(uuid);
    }
  } while (count == std::size(expired));
}

void ServerBase::publish_status() {
  std::lock_guard lock(*mutex_);
  rcl_action_goal_status_array_t statuses = rcl_action_get_zero_initialized_goal_status_array();
  check(rcl_action_get_goal_status_array(&server_, &statuses));
  action_msgs::msg::GoalStatusArray message;
  const auto & list = statuses.msg.status_list;
  for (const auto * rcl_status = list.data; rcl_status != list.data + list.size; ++rcl_status) {
    message.status_list.emplace_back();
    message.status_list.back().status = rcl_status->status;
    message.status_list.back().goal_info = from_rcl(rcl_status->goal_info);
  }
  check(rcl_action_goal_status_array_fini(&statuses));
  check(rcl_action_publish_status(&server_, &message));
}

void ServerBase::notify_goal_terminal_state() {
  std::lock_guard lock(*mutex_);
  check(rcl_action_notify_goal_done(&server_));
}

void ServerBase::publish_result(const GoalUUID & uuid, std::shared_ptr<void> result_msg) {
  std::lock_guard lock(*mutex_);
  const rcl_action_goal_info_t info = to_rcl(uuid);
  if (!rcl_action_server_goal_exists(&server_, &info)) {
    throw std::runtime_error("Asked to publish result for goal that does not exist");
  }
  results_[uuid] = result_msg;
  if (auto waiting = pending_result_requests_.extract(uuid)) {
    for (rmw_request_id_t & header : waiting.mapped()) {
      send(rcl_action_send_result_response, "result", header, result_msg.get());
    }
  }
}

void ServerBase::publish_feedback(std::shared_ptr<void> feedback_msg) {
  std::lock_guard lock(*mutex_);
  check(rcl_action_publish_feedback(&server_, feedback_msg.get()), "Failed to publish feedback");
}

}  // namespace rclcpp_action
