// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rclcpp/experimental/executors/events_executor/events_executor.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rclcpp_action/rclcpp_action.hpp"
#include "test_msgs/action/fibonacci.hpp"

using namespace std::chrono_literals;
using Fibonacci = test_msgs::action::Fibonacci;
using rclcpp_action::CancelResponse;
using rclcpp_action::GoalResponse;
using rclcpp_action::GoalUUID;
using rclcpp_action::ResultCode;
using Client = rclcpp_action::Client<Fibonacci>;
using Server = rclcpp_action::Server<Fibonacci>;
using ServerHandle = rclcpp_action::ServerGoalHandle<Fibonacci>;
using CancelAnswer = action_msgs::srv::CancelGoal::Response;

namespace {

constexpr auto patience = 60s;

enum class ExecutorKind { SingleThreaded, MultiThreaded, Events };

std::unique_ptr<rclcpp::Executor> make_executor(ExecutorKind kind) {
  switch (kind) {
    case ExecutorKind::SingleThreaded: return std::make_unique<rclcpp::executors::SingleThreadedExecutor>();
    case ExecutorKind::MultiThreaded:
      return std::make_unique<rclcpp::executors::MultiThreadedExecutor>(rclcpp::ExecutorOptions(), 2);
    default: return std::make_unique<rclcpp::experimental::executors::EventsExecutor>();
  }
}

// A server and a client on two nodes of one executor, which a thread spins.
class Actions : public ::testing::TestWithParam<ExecutorKind> {
protected:
  void SetUp() override {
    rclcpp::init(0, nullptr);
    server_node_ = std::make_shared<rclcpp::Node>("server", "/ns");
    client_node_ = std::make_shared<rclcpp::Node>("client", "/ns");
    client_ = rclcpp_action::create_client<Fibonacci>(client_node_, "fibonacci");
    executor_ = make_executor(GetParam());
    executor_->add_node(server_node_);
    executor_->add_node(client_node_);
  }

  void TearDown() override {
    executor_->cancel();
    if (thread_.joinable()) { thread_.join(); }
    goals_.clear();
    rclcpp::shutdown();
  }

  void start(const rcl_action_server_options_t & options = rcl_action_server_get_default_options()) {
    server_ = rclcpp_action::create_server<Fibonacci>(
      server_node_, "fibonacci",
      [this](const GoalUUID &, std::shared_ptr<const Fibonacci::Goal> goal) {
        // The order of the goal chooses the answer: negative is refused, 100 is put off.
        return goal->order < 0      ? GoalResponse::REJECT
               : goal->order == 100 ? GoalResponse::ACCEPT_AND_DEFER
                                    : GoalResponse::ACCEPT_AND_EXECUTE;
      },
      [this](const std::shared_ptr<ServerHandle>) {
        return allow_cancel_ ? CancelResponse::ACCEPT : CancelResponse::REJECT;
      },
      [this](const std::shared_ptr<ServerHandle> goal) {
        std::lock_guard<std::mutex> lock(goals_mutex_);
        goals_.push_back(goal);
      },
      options);
    thread_ = std::thread([this]() { executor_->spin(); });
    ASSERT_TRUE(client_->wait_for_action_server(patience));
  }

  // The n-th goal that the server accepted.
  std::shared_ptr<ServerHandle> server_goal(size_t n = 0) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < end) {
      {
        std::lock_guard<std::mutex> lock(goals_mutex_);
        if (goals_.size() > n) { return goals_[n]; }
      }
      std::this_thread::sleep_for(1ms);
    }
    return nullptr;
  }

  Client::GoalHandle::SharedPtr send(
    int32_t order, const Client::SendGoalOptions & options = Client::SendGoalOptions()) {
    Fibonacci::Goal goal;
    goal.order = order;
    auto future = client_->async_send_goal(goal, options);
    EXPECT_EQ(future.wait_for(patience), std::future_status::ready);
    return future.get();
  }

  template <typename FutureT> static auto get(FutureT future) {
    if (future.wait_for(patience) != std::future_status::ready) { throw std::runtime_error("no answer in time"); }
    return future.get();
  }

  static bool eventually(const std::function<bool()> & condition) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!condition() && std::chrono::steady_clock::now() < end) { std::this_thread::sleep_for(1ms); }
    return condition();
  }

  static Fibonacci::Result::SharedPtr result(std::vector<int32_t> sequence) {
    auto message = std::make_shared<Fibonacci::Result>();
    message->sequence = std::move(sequence);
    return message;
  }

  rclcpp::Node::SharedPtr server_node_;
  rclcpp::Node::SharedPtr client_node_;
  Client::SharedPtr client_;
  Server::SharedPtr server_;
  std::unique_ptr<rclcpp::Executor> executor_;
  std::thread thread_;
  std::mutex goals_mutex_;
  std::vector<std::shared_ptr<ServerHandle>> goals_;
  std::atomic_bool allow_cancel_{true};
};

std::string kind_name(const ::testing::TestParamInfo<ExecutorKind> & info) {
  return info.param == ExecutorKind::SingleThreaded  ? "SingleThreaded"
         : info.param == ExecutorKind::MultiThreaded ? "MultiThreaded"
                                                     : "Events";
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(AllExecutors, Actions,
  ::testing::Values(ExecutorKind::SingleThreaded, ExecutorKind::MultiThreaded, ExecutorKind::Events), kind_name);

TEST_P(Actions, GoalSucceedsWithFeedbackBeforeTheResult) {
  start();
  std::atomic_int feedbacks{0};
  std::promise<Client::WrappedResult> from_callback;
  Client::SendGoalOptions options;
  std::atomic_bool responded{false};
  options.goal_response_callback = [&](Client::GoalHandle::SharedPtr handle) { responded = handle != nullptr; };
  options.feedback_callback = [&](Client::GoalHandle::SharedPtr,
                                const std::shared_ptr<const Fibonacci::Feedback> feedback) {
    EXPECT_EQ(feedback->sequence, (std::vector<int32_t>{0, 1}));
    ++feedbacks;
  };
  options.result_callback = [&](const Client::WrappedResult & wrapped) { from_callback.set_value(wrapped); };
  const auto handle = send(5, options);
  ASSERT_NE(handle, nullptr);
  EXPECT_TRUE(handle->is_feedback_aware());
  const auto goal = server_goal();
  ASSERT_NE(goal, nullptr);
  EXPECT_EQ(goal->get_goal()->order, 5);
  EXPECT_EQ(goal->get_goal_id(), handle->get_goal_id());
  EXPECT_TRUE(goal->is_executing());
  EXPECT_TRUE(goal->is_active());
  auto feedback = std::make_shared<Fibonacci::Feedback>();
  feedback->sequence = {0, 1};
  goal->publish_feedback(feedback);
  EXPECT_TRUE(eventually([&]() { return feedbacks == 1; }));
  goal->succeed(result({0, 1, 1}));
  EXPECT_FALSE(goal->is_active());

  const auto wrapped = get(from_callback.get_future());
  EXPECT_EQ(wrapped.code, ResultCode::SUCCEEDED);
  EXPECT_EQ(wrapped.goal_id, handle->get_goal_id());
  EXPECT_EQ(wrapped.result->sequence, (std::vector<int32_t>{0, 1, 1}));
  EXPECT_TRUE(responded);
  EXPECT_TRUE(handle->is_result_aware());
  EXPECT_TRUE(eventually([&]() { return handle->get_status() == action_msgs::msg::GoalStatus::STATUS_SUCCEEDED; }));
  EXPECT_THROW(goal->succeed(result({})), rclcpp::exceptions::RCLError);
}

TEST_P(Actions, ResultCanBeAskedForLaterAndOnlyOnce) {
  start();
  const auto handle = send(5);
  ASSERT_NE(handle, nullptr);
  EXPECT_FALSE(handle->is_result_aware());
  server_goal()->abort(result({7}));
  const auto wrapped = get(client_->async_get_result(handle));
  EXPECT_EQ(wrapped.code, ResultCode::ABORTED);
  EXPECT_EQ(wrapped.result->sequence, std::vector<int32_t>{7});
  EXPECT_TRUE(eventually([&]() {
    try {
      client_->async_get_result(handle);
      return false;
    } catch (const rclcpp_action::exceptions::UnknownGoalHandleError &) { return true; }
  }));
  EXPECT_THROW(client_->async_cancel_goal(handle), rclcpp_action::exceptions::UnknownGoalHandleError);
}

TEST_P(Actions, RejectedGoalGivesNoHandle) {
  start();
  std::atomic_bool called_with_null{false};
  Client::SendGoalOptions options;
  options.goal_response_callback = [&](Client::GoalHandle::SharedPtr handle) { called_with_null = handle == nullptr; };
  EXPECT_EQ(send(-1, options), nullptr);
  EXPECT_TRUE(eventually([&]() { return called_with_null.load(); }));
}

TEST_P(Actions, DeferredGoalExecutesWhenTold) {
  start();
  const auto handle = send(100);
  const auto goal = server_goal();
  ASSERT_NE(goal, nullptr);
  EXPECT_FALSE(goal->is_executing());
  EXPECT_THROW(goal->succeed(result({})), rclcpp::exceptions::RCLError);
  goal->execute();
  EXPECT_TRUE(goal->is_executing());
  EXPECT_TRUE(eventually([&]() { return handle->get_status() == action_msgs::msg::GoalStatus::STATUS_EXECUTING; }));
  goal->succeed(result({}));
  EXPECT_EQ(get(client_->async_get_result(handle)).code, ResultCode::SUCCEEDED);
}

TEST_P(Actions, CancelIsAnsweredByTheServer) {
  start();
  const auto handle = send(5);
  const auto goal = server_goal();
  ASSERT_NE(goal, nullptr);
  allow_cancel_ = false;
  const auto refused = get(client_->async_cancel_goal(handle));
  EXPECT_EQ(refused->return_code, CancelAnswer::ERROR_REJECTED);
  EXPECT_TRUE(refused->goals_canceling.empty());
  EXPECT_FALSE(goal->is_canceling());

  allow_cancel_ = true;
  std::atomic_bool called{false};
  const auto accepted = get(client_->async_cancel_goal(handle, [&](CancelAnswer::SharedPtr) { called = true; }));
  EXPECT_EQ(accepted->return_code, CancelAnswer::ERROR_NONE);
  ASSERT_EQ(accepted->goals_canceling.size(), 1u);
  EXPECT_EQ(accepted->goals_canceling[0].goal_id.uuid, handle->get_goal_id());
  EXPECT_TRUE(eventually([&]() { return called.load(); }));
  EXPECT_TRUE(goal->is_canceling());
  goal->canceled(result({3}));
  const auto wrapped = get(client_->async_get_result(handle));
  EXPECT_EQ(wrapped.code, ResultCode::CANCELED);
  EXPECT_EQ(wrapped.result->sequence, std::vector<int32_t>{3});
}

TEST_P(Actions, AllGoalsOrThoseBeforeATimeAreCanceled) {
  start();
  const auto first = send(1);
  ASSERT_NE(server_goal(0), nullptr);
  const auto between = server_node_->now() + rclcpp::Duration(1ms);
  std::this_thread::sleep_for(5ms);
  const auto second = send(2);
  ASSERT_NE(server_goal(1), nullptr);
  const auto before = get(client_->async_cancel_goals_before(between));
  ASSERT_EQ(before->goals_canceling.size(), 1u);
  EXPECT_EQ(before->goals_canceling[0].goal_id.uuid, first->get_goal_id());
  const auto all = get(client_->async_cancel_all_goals());
  // The first is canceling already, so that only the second is left.
  ASSERT_EQ(all->goals_canceling.size(), 1u);
  EXPECT_EQ(all->goals_canceling[0].goal_id.uuid, second->get_goal_id());
}

TEST_P(Actions, DroppedServerHandleEndsAsCanceled) {
  start();
  const auto handle = send(5);
  ASSERT_NE(server_goal(), nullptr);
  {
    std::lock_guard<std::mutex> lock(goals_mutex_);
    goals_.clear();
  }
  EXPECT_EQ(get(client_->async_get_result(handle)).code, ResultCode::CANCELED);
}

TEST_P(Actions, ResultsExpire) {
  auto options = rcl_action_server_get_default_options();
  options.result_timeout.nanoseconds = RCL_MS_TO_NS(50);
  start(options);
  const auto handle = send(5);
  server_goal()->succeed(result({1}));
  std::this_thread::sleep_for(150ms);
  // Events executors have no timer for it: there a new goal sweeps.
  send(6);
  const auto wrapped = get(client_->async_get_result(handle));
  EXPECT_EQ(wrapped.code, ResultCode::UNKNOWN);
}

TEST_P(Actions, StoppedCallbacksAreNotCalled) {
  start();
  std::atomic_int calls{0};
  Client::SendGoalOptions options;
  options.feedback_callback = [&](auto, auto) { ++calls; };
  options.result_callback = [&](const auto &) { ++calls; };
  const auto handle = send(5, options);
  client_->stop_callbacks(handle);
  const auto goal = server_goal();
  goal->publish_feedback(std::make_shared<Fibonacci::Feedback>());
  goal->succeed(result({}));
  // A second goal goes all the way, so that what was sent before it has been handled.
  const auto second = send(6);
  server_goal(1)->succeed(result({}));
  get(client_->async_get_result(second));
  EXPECT_EQ(calls, 0);
}

TEST_P(Actions, ClientThatEndsBreaksTheWaitForAResult) {
  start();
  const auto handle = send(5);
  const auto future = client_->async_get_result(handle);
  executor_->cancel();
  thread_.join();
  executor_->remove_node(client_node_);
  client_.reset();
  EXPECT_THROW(get(future), rclcpp_action::exceptions::UnawareGoalHandleError);
}

TEST_P(Actions, HandleMayOutliveTheServer) {
  start();
  send(5);
  const auto goal = server_goal();
  executor_->cancel();
  thread_.join();
  server_.reset();
  EXPECT_NO_THROW(goal->succeed(result({})));
  EXPECT_NO_THROW(goal->publish_feedback(std::make_shared<Fibonacci::Feedback>()));
}

TEST_P(Actions, ServerAndClientLeaveTheNodeWhenDropped) {
  start();
  server_.reset();
  // An executor that waits holds what it waits for until something wakes it.
  server_node_->get_node_base_interface()->trigger_notify_guard_condition();
  EXPECT_TRUE(eventually([&]() { return !client_->action_server_is_ready(); }));
  EXPECT_FALSE(client_->wait_for_action_server(20ms));
}

TEST(ActionTypes, ShowTheirBytes) {
  GoalUUID id{};
  id[0] = 0xab;
  id[15] = 0x01;
  EXPECT_EQ(rclcpp_action::to_string(id), "ab000000-0000-0000-0000-000000000001");
  EXPECT_NE(std::hash<GoalUUID>()(id), std::hash<GoalUUID>()(GoalUUID{}));
}
