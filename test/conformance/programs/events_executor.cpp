// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
//
// The experimental events executor: messages, services, timers, waitables, spin variants, order of
// arrival, exceptions, adding and removing while it spins.

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "ambf_conformance/observe.hpp"
#include "rclcpp/experimental/executors/events_executor/events_executor.hpp"
#include "rclcpp/rclcpp.hpp"
#include "std_msgs/msg/int32.hpp"
#include "std_srvs/srv/empty.hpp"

using namespace std::chrono_literals;
using observe::outcome;
using observe::Say;
using rclcpp::experimental::executors::EventsExecutor;
using std_msgs::msg::Int32;

namespace
{

void order_of_arrival()
{
  observe::area("order of arrival");
  auto node = std::make_shared<rclcpp::Node>("arrival");
  std::vector<std::string> calls;
  const auto listen = [&](const std::string & topic) {
    return node->create_subscription<Int32>(topic, 10, [&calls, topic](const Int32 & m) {
      calls.push_back(topic + std::to_string(m.data));
    });
  };
  auto a = listen("a");
  auto b = listen("b");
  auto to_a = node->create_publisher<Int32>("a", 10);
  auto to_b = node->create_publisher<Int32>("b", 10);
  observe::eventually(
    [&] { return to_a->get_subscription_count() == 1 && to_b->get_subscription_count() == 1; });
  EventsExecutor executor;
  executor.add_node(node);
  executor.spin_some();
  const auto send = [](auto & publisher, int value) {
    Int32 message;
    message.data = value;
    publisher->publish(message);
    std::this_thread::sleep_for(10ms);
  };
  send(to_b, 1);
  send(to_a, 1);
  send(to_a, 2);
  send(to_b, 2);
  std::this_thread::sleep_for(50ms);
  executor.spin_some();
  Say{"spin_some", observe::join(calls)};
  calls.clear();
  send(to_a, 3);
  send(to_a, 4);
  std::this_thread::sleep_for(50ms);
  executor.spin_once(100ms);
  Say{"spin_once", observe::join(calls)};
  executor.spin_all(100ms);
  Say{"spin_all", observe::join(calls)};
  Say{"spin_all(-1)", outcome([&] { executor.spin_all(-1ns); })};
}

void everything_spins()
{
  observe::area("everything spins");
  auto node = std::make_shared<rclcpp::Node>("events");
  EventsExecutor executor;
  executor.add_node(node);
  std::atomic<int> timer_calls{0};
  std::atomic<int> messages{0};
  auto timer = node->create_wall_timer(2ms, [&] { ++timer_calls; });
  auto subscription =
    node->create_subscription<Int32>("late", 10, [&](const Int32 &) { ++messages; });
  auto service = node->create_service<std_srvs::srv::Empty>(
    "late",
    [](const std_srvs::srv::Empty::Request::SharedPtr, std_srvs::srv::Empty::Response::SharedPtr) {
    });
  std::thread thread([&] { executor.spin(); });
  auto other = std::make_shared<rclcpp::Node>("added_while_spinning");
  std::atomic<int> other_calls{0};
  auto other_timer = other->create_wall_timer(2ms, [&] { ++other_calls; });
  executor.add_node(other);
  auto publisher = node->create_publisher<Int32>("late", 10);
  observe::eventually([&] { return publisher->get_subscription_count() == 1; });
  publisher->publish(Int32());
  auto client = other->create_client<std_srvs::srv::Empty>("late");
  client->wait_for_service(observe::patience);
  auto future = client->async_send_request(std::make_shared<std_srvs::srv::Empty::Request>());
  Say{"service", future.wait_for(observe::patience) == std::future_status::ready};
  Say{"timer", observe::eventually([&] { return timer_calls > 3; })};
  Say{"message", observe::eventually([&] { return messages == 1; })};
  Say{"node added while spinning", observe::eventually([&] { return other_calls > 3; })};
  executor.remove_node(other);
  std::this_thread::sleep_for(20ms);
  const int stopped = other_calls;
  std::this_thread::sleep_for(30ms);
  Say{"removed node stands still", other_calls == stopped};
  timer->cancel();
  std::this_thread::sleep_for(20ms);
  const int before = timer_calls;
  std::this_thread::sleep_for(20ms);
  Say{"canceled timer stands still", timer_calls == before};
  timer->reset();
  Say{"reset timer runs", observe::eventually([&] { return timer_calls > before; })};
  Say{"spin while spinning", outcome([&] { executor.spin(); })};
  executor.cancel();
  thread.join();
  Say{"spinning after cancel", executor.is_spinning()};
}

void exceptions()
{
  observe::area("exceptions and errors");
  auto node = std::make_shared<rclcpp::Node>("events_throw");
  auto subscription = node->create_subscription<Int32>(
    "bang", 10, [](const Int32 &) { throw std::runtime_error("thrown by a subscription"); });
  auto publisher = node->create_publisher<Int32>("bang", 10);
  observe::eventually([&] { return publisher->get_subscription_count() == 1; });
  EventsExecutor executor;
  executor.add_node(node);
  publisher->publish(Int32());
  Say{"a message callback that throws", outcome([&] { executor.spin(); })};
  Say{"spinning afterwards", executor.is_spinning()};
  Say{"add twice", outcome([&] { executor.add_node(node); })};
  EventsExecutor other;
  Say{"add to another", outcome([&] { other.add_node(node); })};
  Say{"remove from another", outcome([&] { other.remove_node(node); })};
  auto group = node->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive, false);
  Say{"group to another executor", outcome([&] {
        other.add_callback_group(group, node->get_node_base_interface());
      })};
  Say{"groups", executor.get_all_callback_groups().size(), other.get_all_callback_groups().size()};
  std::promise<void> promise;
  auto future = promise.get_future().share();
  Say{"future timeout", executor.spin_until_future_complete(future, 20ms)};
  promise.set_value();
  Say{"future ready", executor.spin_until_future_complete(future, 20ms)};
}

void timers_on_their_thread()
{
  observe::area("timers on their own thread");
  auto node = std::make_shared<rclcpp::Node>("events_timers");
  EventsExecutor executor(
    std::make_unique<rclcpp::experimental::executors::SimpleEventsQueue>(), true);
  executor.add_node(node);
  std::atomic<bool> elsewhere{false};
  std::atomic<int> calls{0};
  std::thread::id spinner;
  std::promise<void> started;
  auto timer = node->create_wall_timer(2ms, [&] {
    elsewhere = std::this_thread::get_id() != spinner;
    ++calls;
  });
  std::thread thread([&] {
    spinner = std::this_thread::get_id();
    started.set_value();
    executor.spin();
  });
  started.get_future().wait();
  observe::eventually([&] { return calls > 2; });
  executor.cancel();
  thread.join();
  Say{"called", calls > 2, "on another thread", elsewhere.load()};
}

}  // namespace

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  order_of_arrival();
  everything_spins();
  exceptions();
  timers_on_their_thread();
  auto node = std::make_shared<rclcpp::Node>("stopped");
  EventsExecutor executor;
  executor.add_node(node);
  std::thread stopper([] {
    std::this_thread::sleep_for(50ms);
    rclcpp::shutdown();
  });
  Say{"spin until shutdown", outcome([&] { executor.spin(); })};
  stopper.join();
  return 0;
}
