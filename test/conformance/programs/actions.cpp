// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
//
// Actions: accept, defer, reject, feedback, success, abort, cancel (accepted and refused), results
// asked late, wrong transitions, and goals that nobody answers.

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "ambf_conformance/observe.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rclcpp_action/rclcpp_action.hpp"
#include "test_msgs/action/fibonacci.hpp"

using namespace std::chrono_literals;
using observe::outcome;
using observe::Say;
using test_msgs::action::Fibonacci;
using ServerHandle = rclcpp_action::ServerGoalHandle<Fibonacci>;
using ClientHandle = rclcpp_action::ClientGoalHandle<Fibonacci>;

namespace
{

const char * name(rclcpp_action::ResultCode code)
{
  switch (code) {
    case rclcpp_action::ResultCode::SUCCEEDED:
      return "SUCCEEDED";
    case rclcpp_action::ResultCode::CANCELED:
      return "CANCELED";
    case rclcpp_action::ResultCode::ABORTED:
      return "ABORTED";
    case rclcpp_action::ResultCode::UNKNOWN:
      return "UNKNOWN";
  }
  return "?";
}

/// A server whose behaviour the goal's order selects; the handle is kept so that the program
/// decides when a goal ends.
struct Stage
{
  rclcpp::Node::SharedPtr node = std::make_shared<rclcpp::Node>("actions");
  rclcpp::executors::SingleThreadedExecutor executor;
  rclcpp_action::GoalResponse goal_answer = rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;
  rclcpp_action::CancelResponse cancel_answer = rclcpp_action::CancelResponse::ACCEPT;
  std::shared_ptr<ServerHandle> handle;
  std::vector<int> orders;
  rclcpp_action::Server<Fibonacci>::SharedPtr server;
  rclcpp_action::Client<Fibonacci>::SharedPtr client;
  std::vector<std::string> log;

  Stage()
  {
    executor.add_node(node);
    server = rclcpp_action::create_server<Fibonacci>(
      node, "fibonacci",
      [this](const rclcpp_action::GoalUUID &, std::shared_ptr<const Fibonacci::Goal> goal) {
        orders.push_back(goal->order);
        return goal_answer;
      },
      [this](const std::shared_ptr<ServerHandle> h) {
        log.push_back(
          std::string("cancel asked while executing ") + (h->is_executing() ? "true" : "false"));
        return cancel_answer;
      },
      [this](const std::shared_ptr<ServerHandle> h) { handle = h; });
    client = rclcpp_action::create_client<Fibonacci>(node, "fibonacci");
  }

  rclcpp_action::Client<Fibonacci>::SendGoalOptions options()
  {
    rclcpp_action::Client<Fibonacci>::SendGoalOptions o;
    o.goal_response_callback = [this](ClientHandle::SharedPtr h) {
      log.push_back(h ? "response accepted" : "response rejected");
    };
    o.feedback_callback =
      [this](ClientHandle::SharedPtr, const std::shared_ptr<const Fibonacci::Feedback> f) {
        log.push_back("feedback " + std::to_string(f->sequence.size()));
      };
    o.result_callback = [this](const ClientHandle::WrappedResult & r) {
      log.push_back(
        std::string("result ") + name(r.code) + " " + std::to_string(r.result->sequence.size()));
    };
    return o;
  }

  ClientHandle::SharedPtr send(int order)
  {
    Fibonacci::Goal goal;
    goal.order = order;
    auto future = client->async_send_goal(goal, options());
    executor.spin_until_future_complete(future, observe::patience);
    return future.get();
  }

  void show(const std::string & what)
  {
    Say{what, observe::join(log, " | ")};
    log.clear();
  }

  bool wait_log(std::size_t size)
  {
    return observe::spin_until(executor, [&] { return log.size() >= size; });
  }
};

std::shared_ptr<Fibonacci::Result> result_of(int size)
{
  auto result = std::make_shared<Fibonacci::Result>();
  result->sequence.resize(static_cast<std::size_t>(size), 1);
  return result;
}

void success()
{
  observe::area("success");
  Stage stage;
  Say{
    "server available", stage.client->wait_for_action_server(observe::patience),
    stage.client->action_server_is_ready()};
  auto goal = stage.send(5);
  Say{"goal accepted", goal != nullptr, "order", stage.orders.back()};
  observe::spin_until(stage.executor, [&] { return stage.handle != nullptr; });
  Say{
    "server handle",
    "active",
    stage.handle->is_active(),
    "executing",
    stage.handle->is_executing(),
    "canceling",
    stage.handle->is_canceling()};
  Say{
    "same id", stage.handle->get_goal_id() == goal->get_goal_id(), "order",
    stage.handle->get_goal()->order};
  Say{"client aware", goal->is_feedback_aware(), goal->is_result_aware()};
  auto feedback = std::make_shared<Fibonacci::Feedback>();
  feedback->sequence = {0, 1};
  stage.handle->publish_feedback(feedback);
  stage.wait_log(2);
  feedback->sequence = {0, 1, 1};
  stage.handle->publish_feedback(feedback);
  stage.wait_log(3);
  stage.handle->succeed(result_of(5));
  Say{
    "after succeed", "active", stage.handle->is_active(), "executing",
    stage.handle->is_executing()};
  stage.wait_log(4);
  stage.show("client saw");
  Say{"status", static_cast<int>(goal->get_status())};
  Say{"result asked again", outcome([&] { stage.client->async_get_result(goal); })};
  Say{"succeed twice", observe::outcome_type([&] { stage.handle->succeed(result_of(1)); })};
  Say{"abort after success", observe::outcome_type([&] { stage.handle->abort(result_of(1)); })};
  Say{"feedback after the end", outcome([&] { stage.handle->publish_feedback(feedback); })};
}

void rejection()
{
  observe::area("rejection");
  Stage stage;
  stage.client->wait_for_action_server(observe::patience);
  stage.goal_answer = rclcpp_action::GoalResponse::REJECT;
  auto goal = stage.send(3);
  Say{"handle", goal == nullptr ? "null" : "given"};
  stage.show("client saw");
  Say{"accepted callback called", stage.handle != nullptr};
}

void deferral()
{
  observe::area("deferral");
  Stage stage;
  stage.client->wait_for_action_server(observe::patience);
  stage.goal_answer = rclcpp_action::GoalResponse::ACCEPT_AND_DEFER;
  auto goal = stage.send(3);
  observe::spin_until(stage.executor, [&] { return stage.handle != nullptr; });
  Say{"deferred", "active", stage.handle->is_active(), "executing", stage.handle->is_executing()};
  Say{
    "succeed before execute", observe::outcome_type([&] { stage.handle->succeed(result_of(1)); })};
  Say{
    "execute", outcome([&] { stage.handle->execute(); }), "executing",
    stage.handle->is_executing()};
  Say{"execute twice", observe::outcome_type([&] { stage.handle->execute(); })};
  stage.handle->abort(result_of(2));
  stage.wait_log(2);
  stage.show("client saw");
  Say{"status", static_cast<int>(goal->get_status())};
}

void cancellation()
{
  observe::area("cancellation");
  Stage stage;
  stage.client->wait_for_action_server(observe::patience);
  auto goal = stage.send(3);
  observe::spin_until(stage.executor, [&] { return stage.handle != nullptr; });
  stage.log.clear();
  stage.cancel_answer = rclcpp_action::CancelResponse::REJECT;
  auto refused = stage.client->async_cancel_goal(goal);
  stage.executor.spin_until_future_complete(refused, observe::patience);
  Say{
    "refused",
    "code",
    static_cast<int>(refused.get()->return_code),
    "goals",
    refused.get()->goals_canceling.size(),
    "canceling",
    stage.handle->is_canceling()};
  Say{"canceled without being asked", observe::outcome_type([&] {
        stage.handle->canceled(result_of(1));
      })};
  stage.cancel_answer = rclcpp_action::CancelResponse::ACCEPT;
  auto accepted = stage.client->async_cancel_goal(goal);
  stage.executor.spin_until_future_complete(accepted, observe::patience);
  Say{
    "accepted",
    "code",
    static_cast<int>(accepted.get()->return_code),
    "goals",
    accepted.get()->goals_canceling.size(),
    "canceling",
    stage.handle->is_canceling()};
  stage.handle->canceled(result_of(1));
  stage.wait_log(3);
  stage.show("both saw");
  Say{"cancel of an ended goal", outcome([&] { stage.client->async_cancel_goal(goal); })};

  auto second = stage.send(4);
  auto third = stage.send(5);
  auto all = stage.client->async_cancel_all_goals();
  stage.executor.spin_until_future_complete(all, observe::patience);
  Say{
    "cancel all", "code", static_cast<int>(all.get()->return_code), "goals",
    all.get()->goals_canceling.size()};
  auto before = stage.client->async_cancel_goals_before(stage.node->now());
  stage.executor.spin_until_future_complete(before, observe::patience);
  Say{
    "cancel before now", "code", static_cast<int>(before.get()->return_code), "goals",
    before.get()->goals_canceling.size()};
}

void dropped_and_unknown()
{
  observe::area("dropped and unknown");
  Stage stage;
  stage.client->wait_for_action_server(observe::patience);
  auto goal = stage.send(3);
  observe::spin_until(stage.executor, [&] { return stage.handle != nullptr; });
  stage.log.clear();
  stage.handle.reset();
  stage.wait_log(1);
  stage.show("server dropped its handle");

  Fibonacci::Goal plain;
  plain.order = 1;
  auto future = stage.client->async_send_goal(plain);
  stage.executor.spin_until_future_complete(future, observe::patience);
  auto unaware = future.get();
  Say{"plain goal aware", unaware->is_feedback_aware(), unaware->is_result_aware()};
  auto result = stage.client->async_get_result(unaware);
  Say{"aware after asking", unaware->is_result_aware()};
  stage.handle->succeed(result_of(4));
  stage.executor.spin_until_future_complete(result, observe::patience);
  Say{"result", name(result.get().code), result.get().result->sequence.size()};

  Stage other;
  other.client->wait_for_action_server(observe::patience);
  Say{"goal handle of another client", outcome([&] { other.client->async_cancel_goal(unaware); })};
  Say{"result through another client", outcome([&] { other.client->async_get_result(unaware); })};
  auto lonely = rclcpp_action::create_client<Fibonacci>(stage.node, "nobody");
  Say{"no server", lonely->wait_for_action_server(20ms), lonely->action_server_is_ready()};
  Say{"bad name", observe::outcome_type([&] {
        rclcpp_action::create_client<Fibonacci>(stage.node, "bad name");
      })};
  Say{"stop callbacks", outcome([&] { stage.client->stop_callbacks(unaware); })};
  Say{"uuid", rclcpp_action::to_string(rclcpp_action::GoalUUID{})};
}

}  // namespace

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  success();
  rejection();
  deferral();
  cancellation();
  dropped_and_unknown();
  rclcpp::shutdown();
  return 0;
}
