// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp_action/client.hpp"

#include <random>

#include "rcl_action/wait.h"
#include "rclcpp/utilities.hpp"

namespace rclcpp_action {

using detail::check;

ClientBase::ClientBase(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base,
  rclcpp::node_interfaces::NodeGraphInterface::SharedPtr node_graph,
  rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging, const std::string & action_name,
  const rosidl_action_type_support_t * type_support, const rcl_action_client_options_t & options)
: ActionWaitable(*node_base, *node_logging, 5), node_graph_(node_graph), context_(node_base->get_context()) {
  check(rcl_action_client_init(&client_, node_handle_.get(), type_support, action_name.c_str(), &options),
    "could not create action client");
  check(rcl_action_client_wait_set_get_num_entities(
          &client_, &subscriptions_, &guard_conditions_, &timers_, &clients_, &services_),
    "could not retrieve action client details");
}

ClientBase::~ClientBase() {
  try {
    clear_on_ready_callback();
    check(rcl_action_client_fini(&client_, node_handle_.get()), "failed to finalize the action client");
  } catch (const std::exception & ex) { RCLCPP_ERROR(logger_, "%s", ex.what()); }
}

bool ClientBase::action_server_is_ready() const {
  bool is_ready = false;
  const rcl_ret_t ret = rcl_action_server_is_available(node_handle_.get(), &client_, &is_ready);
  if (ret == RCL_RET_NODE_INVALID && !rclcpp::ok(context_)) {
    // After a shutdown there is no server.
    rcl_reset_error();
    return false;
  }
  check(ret, "rcl_action_server_is_available failed");
  return is_ready;
}

bool ClientBase::wait_for_action_server_nanoseconds(std::chrono::nanoseconds timeout) {
  const auto start = std::chrono::steady_clock::now();
  const auto node_graph = node_graph_.lock();
  if (!node_graph) { throw rclcpp::exceptions::InvalidNodeError(); }
  // Before the first look, so that no change between looking and waiting is missed.
  const auto event = node_graph->get_graph_event();
  if (action_server_is_ready()) { return true; }
  // The five entities of a server match one by one, and not every match is a graph event.
  constexpr std::chrono::nanoseconds longest_wait = std::chrono::milliseconds(100);
  while (rclcpp::ok(context_)) {
    std::chrono::nanoseconds left = longest_wait;
    if (timeout >= timeout.zero()) {
      const auto elapsed = std::chrono::steady_clock::now() - start;
      if (elapsed >= timeout) { return false; }
      left = std::min<std::chrono::nanoseconds>(longest_wait, timeout - elapsed);
    }
    node_graph->wait_for_graph_change(event, left);
    event->check_and_clear();
    if (action_server_is_ready()) { return true; }
  }
  return false;
}

void ClientBase::add_to_wait_set(rcl_wait_set_t & wait_set) {
  check(rcl_action_wait_set_add_action_client(&wait_set, &client_, nullptr, nullptr),
    "ClientBase::add_to_wait_set() failed");
}

bool ClientBase::is_ready(const rcl_wait_set_t & wait_set) {
  bool feedback = false, status = false, goal = false, cancel = false, result = false;
  check(rcl_action_client_wait_set_get_entities_ready(&wait_set, &client_, &feedback, &status, &goal, &cancel, &result),
    "failed to check for any ready entities");
  // Feedback goes before the result.
  return choose({{feedback, Feedback}, {status, Status}, {goal, Goal}, {result, Result}, {cancel, Cancel}});
}

rcl_ret_t ClientBase::take(Taken & taken) {
  const auto into = [&](std::shared_ptr<void> message) { return (taken.message = message).get(); };
  switch (taken.entity) {
    case Feedback: return rcl_action_take_feedback(&client_, into(create_feedback_message()));
    case Status: return rcl_action_take_status(&client_, into(create_status_message()));
    case Goal: return rcl_action_take_goal_response(&client_, &taken.header, into(create_goal_response()));
    case Result: return rcl_action_take_result_response(&client_, &taken.header, into(create_result_response()));
    default: return rcl_action_take_cancel_response(&client_, &taken.header, into(create_cancel_response()));
  }
}

void ClientBase::handle(Taken & taken) {
  if (taken.entity == Feedback) { return handle_feedback_message(taken.message); }
  if (taken.entity == Status) { return handle_status_message(taken.message); }
  ResponseCallback callback;
  {
    std::lock_guard lock(pending_mutex_);
    auto request = pending_[taken.entity].extract(taken.header.sequence_number);
    if (!request) {
      constexpr const char * kinds[] = {"goal", "result", "cancel"};
      RCLCPP_ERROR(logger_, "unknown %s response, ignoring...", kinds[taken.entity]);
      return;
    }
    callback = std::move(request.mapped());
  }
  callback(std::move(taken.message));
}

rcl_ret_t ClientBase::attach(size_t entity, rcl_event_callback_t callback, const void * user_data) {
  constexpr decltype(&rcl_action_client_set_goal_client_callback) functions[] = {
    rcl_action_client_set_goal_client_callback, rcl_action_client_set_result_client_callback,
    rcl_action_client_set_cancel_client_callback, rcl_action_client_set_feedback_subscription_callback,
    rcl_action_client_set_status_subscription_callback};
  return functions[entity](&client_, callback, user_data);
}

GoalUUID ClientBase::generate_goal_id() {
  // Straight from the system: ids must differ between all clients of all processes.
  thread_local std::random_device random;
  GoalUUID goal_id;
  std::generate(goal_id.begin(), goal_id.end(), []() { return static_cast<uint8_t>(random()); });
  return goal_id;
}

void ClientBase::send(SendFunction send_request, Entity kind, const void * request, ResponseCallback callback) {
  // The response may arrive before the number of the request is known.
  std::lock_guard lock(pending_mutex_);
  int64_t number = 0;
  check(send_request(&client_, request, &number));
  pending_[kind].emplace(number, std::move(callback));
}

}  // namespace rclcpp_action
