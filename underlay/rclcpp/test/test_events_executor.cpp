// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "rclcpp/experimental/executors/events_executor/events_executor.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rosgraph_msgs/msg/clock.hpp"
#include "test_msgs/msg/basic_types.hpp"
#include "./spinning.hpp"

using namespace std::chrono_literals;
using spinning::SpinningThread;
using spinning::wait_until;
using Message = test_msgs::msg::BasicTypes;
using rclcpp::experimental::TimersManager;
using rclcpp::experimental::executors::EventsExecutor;
using rclcpp::experimental::executors::ExecutorEvent;
using rclcpp::experimental::executors::SimpleEventsQueue;

namespace {

class Events : public ::testing::Test {
protected:
  void SetUp() override { rclcpp::init(0, nullptr); }
  void TearDown() override { rclcpp::shutdown(); }
};

class TimerOrder : public Events {};

}  // namespace

TEST(SimpleQueue, KeepsOrderAndHonoursTheTimeout) {
  SimpleEventsQueue queue;
  ExecutorEvent event;
  EXPECT_FALSE(queue.dequeue(event, 0ns));
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(queue.dequeue(event, 5ms));
  EXPECT_GE(std::chrono::steady_clock::now() - start, 5ms);
  for (size_t i = 1; i <= 3; ++i) {
    queue.enqueue({nullptr, nullptr, -1, rclcpp::experimental::executors::SUBSCRIPTION_EVENT, i});
  }
  EXPECT_EQ(queue.size(), 3u);
  for (size_t i = 1; i <= 3; ++i) {
    ASSERT_TRUE(queue.dequeue(event));
    EXPECT_EQ(event.num_events, i);
  }
  EXPECT_TRUE(queue.empty());
}

TEST_F(Events, NullQueueIsRefused) { EXPECT_THROW(EventsExecutor(nullptr), std::invalid_argument); }

TEST_F(Events, MessagesSentBeforeAddNodeAreDelivered) {
  auto node = std::make_shared<rclcpp::Node>("node");
  auto publisher = node->create_publisher<Message>("topic", 10);
  std::atomic<int> received{0};
  auto subscription = node->create_subscription<Message>("topic", 10, [&](const Message &) { ++received; });
  ASSERT_TRUE(wait_until([&]() { return publisher->get_subscription_count() > 0; }));
  for (int i = 0; i < 3; ++i) { publisher->publish(Message()); }
  EventsExecutor executor;
  executor.add_node(node);
  SpinningThread spinning(executor);
  EXPECT_TRUE(wait_until([&]() { return received == 3; }));
}

TEST_F(Events, CallbacksRunInTheOrderOfTheirCauses) {
  auto node = std::make_shared<rclcpp::Node>("node", rclcpp::NodeOptions().use_intra_process_comms(true));
  std::vector<int> order;
  auto a = node->create_subscription<Message>("a", 10, [&](const Message &) { order.push_back(0); });
  auto b = node->create_subscription<Message>("b", 10, [&](const Message &) { order.push_back(1); });
  auto to_a = node->create_publisher<Message>("a", 10);
  auto to_b = node->create_publisher<Message>("b", 10);
  EventsExecutor executor;
  executor.add_node(node);
  const std::vector<int> sent{1, 0, 0, 1, 1, 0};
  for (int target : sent) { (target ? to_b : to_a)->publish(std::make_unique<Message>()); }
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (order.size() < sent.size() && std::chrono::steady_clock::now() < end) { executor.spin_some(); }
  EXPECT_EQ(order, sent);
}

TEST_F(Events, TimersRunInTheirOwnThreadWhereAsked) {
  auto node = std::make_shared<rclcpp::Node>("node");
  EventsExecutor executor(std::make_unique<SimpleEventsQueue>(), true);
  executor.add_node(node);
  std::atomic<std::thread::id> in_timer{}, in_subscription{};
  auto publisher = node->create_publisher<Message>("topic", 10);
  auto subscription = node->create_subscription<Message>(
    "topic", 10, [&](const Message &) { in_subscription = std::this_thread::get_id(); });
  auto timer = node->create_wall_timer(1ms, [&]() {
    in_timer = std::this_thread::get_id();
    publisher->publish(Message());
  });
  SpinningThread spinning(executor);
  const std::thread::id nobody;
  EXPECT_TRUE(wait_until([&]() { return in_timer.load() != nobody && in_subscription.load() != nobody; }));
  EXPECT_NE(in_timer.load(), in_subscription.load());
}

TEST_F(Events, ResetOfACanceledTimerWakesTheExecutor) {
  auto node = std::make_shared<rclcpp::Node>("node");
  EventsExecutor executor;
  executor.add_node(node);
  std::atomic<int> ticks{0};
  auto timer = node->create_wall_timer(1ms, [&]() { ++ticks; });
  timer->cancel();
  SpinningThread spinning(executor);
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(ticks, 0);
  timer->reset();
  EXPECT_TRUE(wait_until([&]() { return ticks > 0; }));
}

TEST_F(Events, RosTimersFollowSimulatedTime) {
  auto node =
    std::make_shared<rclcpp::Node>("sim", rclcpp::NodeOptions().append_parameter_override("use_sim_time", true));
  auto publisher = node->create_publisher<rosgraph_msgs::msg::Clock>("/clock", rclcpp::ClockQoS());
  ASSERT_TRUE(wait_until([&]() { return publisher->get_subscription_count() > 0; }));
  std::atomic<int> ticks{0};
  auto timer = rclcpp::create_timer(node, node->get_clock(), rclcpp::Duration(100s), [&]() { ++ticks; });
  EventsExecutor executor;
  executor.add_node(node);
  SpinningThread spinning(executor);
  rosgraph_msgs::msg::Clock message;
  message.clock.sec = 150;
  publisher->publish(message);
  EXPECT_TRUE(wait_until([&]() { return ticks == 1; }));
}

TEST_F(Events, SpinOnceAndSpinSomeDoABoundedAmountOfWork) {
  auto node = std::make_shared<rclcpp::Node>("node");
  int ticks = 0;
  auto timer = node->create_wall_timer(1ms, [&]() { ++ticks; });
  EventsExecutor executor;
  executor.add_node(node);
  std::this_thread::sleep_for(3ms);
  executor.spin_some();
  EXPECT_EQ(ticks, 1);
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (ticks < 3 && std::chrono::steady_clock::now() < end) { executor.spin_once(10ms); }
  EXPECT_EQ(ticks, 3);
}

TEST_F(TimerOrder, HeadTimeoutDescribesTheTimers) {
  TimersManager timers(rclcpp::contexts::get_global_default_context());
  EXPECT_EQ(timers.get_head_timeout(), std::chrono::nanoseconds::max());
  std::atomic<int> calls{0};
  using Callback = std::function<void()>;
  auto timer = std::make_shared<rclcpp::WallTimer<Callback>>(
    1ms, [&]() { ++calls; }, rclcpp::contexts::get_global_default_context());
  timers.add_timer(timer);
  EXPECT_THROW(timers.add_timer(nullptr), std::invalid_argument);
  EXPECT_LE(timers.get_head_timeout().value(), 1ms);
  std::this_thread::sleep_for(2ms);
  EXPECT_EQ(timers.get_head_timeout().value(), 0ns);
  EXPECT_EQ(timers.get_number_of_ready_timers(), 1u);
  EXPECT_TRUE(timers.execute_ready_timer());
  EXPECT_EQ(calls, 1);
  timer->cancel();
  std::this_thread::sleep_for(2ms);
  EXPECT_FALSE(timers.execute_ready_timer());
  EXPECT_FALSE(timers.get_head_timeout().has_value());
  timer->reset();
  timers.start();
  EXPECT_THROW(timers.start(), std::runtime_error);
  EXPECT_THROW(timers.get_head_timeout(), std::runtime_error);
  EXPECT_TRUE(wait_until([&]() { return calls > 1; }));
  timers.stop();
  timers.remove_timer(timer);
  EXPECT_EQ(timers.get_head_timeout(), std::chrono::nanoseconds::max());
}
