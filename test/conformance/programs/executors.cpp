// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
//
// Executors: what the spin functions run and in which order, callback groups, exceptions, adding
// and removing, cancelling, and threads.

#include <atomic>
#include <future>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "ambf_conformance/observe.hpp"
#include "rclcpp/rclcpp.hpp"
#include "std_msgs/msg/empty.hpp"
#include "std_srvs/srv/empty.hpp"

using namespace std::chrono_literals;
using observe::outcome;
using observe::Say;
using std_msgs::msg::Empty;
using Single = rclcpp::executors::SingleThreadedExecutor;
using Multi = rclcpp::executors::MultiThreadedExecutor;

namespace
{

void ready_set()
{
  observe::area("order within a ready set");
  auto node = std::make_shared<rclcpp::Node>("ready");
  std::vector<std::string> calls;
  auto service = node->create_service<std_srvs::srv::Empty>(
    "serve",
    [&](const std_srvs::srv::Empty::Request::SharedPtr, std_srvs::srv::Empty::Response::SharedPtr) {
      calls.push_back("service");
    });
  auto client = node->create_client<std_srvs::srv::Empty>("serve");
  auto first = node->create_subscription<Empty>(
    "heard", 10, [&](const Empty &) { calls.push_back("subscription"); });
  auto second = node->create_subscription<Empty>(
    "heard", 10, [&](const Empty &) { calls.push_back("subscription"); });
  auto publisher = node->create_publisher<Empty>("heard", 10);
  rclcpp::TimerBase::SharedPtr timer;
  timer = node->create_wall_timer(1ms, [&] {
    calls.push_back("timer");
    timer->cancel();
  });
  client->wait_for_service(observe::patience);
  observe::eventually([&] { return publisher->get_subscription_count() == 2; });
  Single executor;
  executor.add_node(node);
  executor.spin_some();
  calls.clear();
  timer->reset();
  publisher->publish(Empty());
  publisher->publish(Empty());
  auto future = client->async_send_request(
    std::make_shared<std_srvs::srv::Empty::Request>(),
    [&](rclcpp::Client<std_srvs::srv::Empty>::SharedFuture) { calls.push_back("client"); });
  std::this_thread::sleep_for(100ms);
  executor.spin_some();
  Say{"spin_some", observe::join(calls, " | ")};
  calls.clear();
  std::this_thread::sleep_for(50ms);
  executor.spin_some();
  Say{"next spin_some", observe::join(calls, " | ")};
  calls.clear();
  publisher->publish(Empty());
  publisher->publish(Empty());
  std::this_thread::sleep_for(50ms);
  executor.spin_once(0ns);
  Say{"spin_once", observe::join(calls, " | ")};
  executor.spin_all(1s);
  Say{"spin_all after it", observe::join(calls, " | ")};
}

void spin_limits()
{
  observe::area("how much a spin does");
  auto node = std::make_shared<rclcpp::Node>("limits");
  Single executor;
  executor.add_node(node);
  int rounds = 0;
  auto publisher = node->create_publisher<Empty>("self", 10);
  auto echo = node->create_subscription<Empty>("self", 10, [&](const Empty &) {
    if (++rounds < 5) {
      publisher->publish(Empty());
      std::this_thread::sleep_for(20ms);
    }
  });
  observe::spin_until(executor, [&] { return publisher->get_subscription_count() == 1; });
  executor.spin_some();
  publisher->publish(Empty());
  std::this_thread::sleep_for(50ms);
  executor.spin_some();
  Say{"spin_some runs what was ready", rounds};
  executor.spin_all(5s);
  Say{"spin_all runs what became ready too", rounds};
  Say{"spin_all(0)", outcome([&] { executor.spin_all(0ns); })};
  Say{"spin_all(-1)", outcome([&] { executor.spin_all(-1ns); })};
  Say{"spin_some(-1)", outcome([&] { executor.spin_some(-1ns); })};
  const auto start = std::chrono::steady_clock::now();
  executor.spin_once(30ms);
  const auto waited = std::chrono::steady_clock::now() - start;
  Say{"spin_once waits", waited >= 25ms};

  int late = 0;
  Single fresh;
  auto other = std::make_shared<rclcpp::Node>("late");
  fresh.add_node(other);
  auto timer = other->create_wall_timer(1ms, [&] { ++late; });
  std::this_thread::sleep_for(10ms);
  fresh.spin_some();
  Say{"created after add_node, first spin_some", late};
  std::this_thread::sleep_for(5ms);
  fresh.spin_some();
  Say{"second spin_some", late};

  int nodes_called = 0;
  auto spun = std::make_shared<rclcpp::Node>("spun");
  auto spun_timer = spun->create_wall_timer(1ms, [&] { ++nodes_called; });
  std::this_thread::sleep_for(5ms);
  rclcpp::spin_some(spun);
  Say{"rclcpp::spin_some(node)", nodes_called};
  std::this_thread::sleep_for(5ms);
  rclcpp::spin_all(spun, 0s);
  Say{"rclcpp::spin_all(node, 0)", nodes_called > 1};
  Say{"spin_node_once", outcome([&] { executor.spin_node_once(spun, 1ms); })};
  Say{"spin_node_some", outcome([&] { executor.spin_node_some(spun); })};
}

void adding_and_removing()
{
  observe::area("adding and removing");
  auto node = std::make_shared<rclcpp::Node>("added");
  Single executor;
  Single other;
  Say{"add", outcome([&] { executor.add_node(node); })};
  Say{"add twice", outcome([&] { executor.add_node(node); })};
  Say{"add to another", outcome([&] { other.add_node(node); })};
  Say{"remove", outcome([&] { executor.remove_node(node); })};
  Say{"remove twice", outcome([&] { executor.remove_node(node); })};
  Say{"add to another now", outcome([&] { other.add_node(node); })};

  Single holder;
  auto held = std::make_shared<rclcpp::Node>("held");
  holder.add_node(held);
  Say{"rclcpp::spin_some(node) while added", outcome([&] { rclcpp::spin_some(held); })};
  Say{"remove from another", outcome([&] { other.remove_node(held); })};

  auto grouped = std::make_shared<rclcpp::Node>("grouped");
  auto group = grouped->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive, false);
  Say{"add group", outcome([&] {
        executor.add_callback_group(group, grouped->get_node_base_interface());
      })};
  Say{"add group twice", outcome([&] {
        executor.add_callback_group(group, grouped->get_node_base_interface());
      })};
  Say{"associated", group->get_associated_with_executor_atomic().load(),
      "type",       group->type() == rclcpp::CallbackGroupType::MutuallyExclusive,
      "automatic",  group->automatically_add_to_executor_with_node()};
  Say{
    "groups", executor.get_all_callback_groups().size(),
    executor.get_manually_added_callback_groups().size(),
    executor.get_automatically_added_callback_groups_from_nodes().size()};
  executor.add_node(grouped);
  Say{
    "groups with node", executor.get_all_callback_groups().size(),
    executor.get_manually_added_callback_groups().size(),
    executor.get_automatically_added_callback_groups_from_nodes().size()};
  Say{"remove group", outcome([&] { executor.remove_callback_group(group); })};
  Say{"remove group twice", outcome([&] { executor.remove_callback_group(group); })};
  Say{"remove automatic group", outcome([&] {
        executor.remove_callback_group(
          grouped->get_node_base_interface()->get_default_callback_group());
      })};
  {
    auto shortlived = std::make_shared<rclcpp::Node>("shortlived");
    executor.add_node(shortlived);
  }
  Say{"node destroyed while added", outcome([&] { executor.spin_some(); })};
  auto timer = grouped->create_wall_timer(1ms, [] {}, group);
  int foreign = 0;
  auto elsewhere = std::make_shared<rclcpp::Node>("elsewhere");
  Say{"timer in a group of another node", outcome([&] {
        elsewhere->create_wall_timer(1ms, [&] { ++foreign; }, group);
      })};
}

void exceptions()
{
  observe::area("exceptions");
  auto node = std::make_shared<rclcpp::Node>("throws");
  bool armed = true;
  int calls = 0;
  auto timer = node->create_wall_timer(1ms, [&] {
    ++calls;
    if (armed) {
      armed = false;
      throw std::logic_error("thrown by a timer");
    }
  });
  Single executor;
  executor.add_node(node);
  Say{"spin", outcome([&] { executor.spin(); })};
  Say{"spinning afterwards", executor.is_spinning()};
  Say{
    "spins again", outcome([&] { observe::spin_until(executor, [&] { return calls > 2; }); }),
    calls > 2};
  armed = true;
  Say{"spin_some", outcome([&] {
        observe::until([&] { return !armed; }, [&] { executor.spin_some(10ms); });
      })};
  std::string inner = "(none)";
  bool once = true;
  auto nested = std::make_shared<rclcpp::Node>("nested");
  Single outer;
  auto inside = nested->create_wall_timer(1ms, [&] {
    if (once) {
      once = false;
      inner = outcome([&] { outer.spin(); });
      inner += " / " + outcome([&] { outer.spin_some(); });
      inner += " / " + outcome([&] { outer.spin_once(0ns); });
      outer.cancel();
    }
  });
  outer.add_node(nested);
  outer.spin();
  Say{"spinning within a callback", inner};
}

void cancelling()
{
  observe::area("cancelling");
  auto node = std::make_shared<rclcpp::Node>("cancelled");
  Single executor;
  executor.add_node(node);
  executor.cancel();
  std::atomic<bool> ended{false};
  std::thread thread([&] {
    executor.spin();
    ended = true;
  });
  observe::eventually([&] { return executor.is_spinning(); });
  std::this_thread::sleep_for(20ms);
  Say{"a cancel before spin is forgotten", !ended.load(), "spinning", executor.is_spinning()};
  executor.cancel();
  thread.join();
  Say{"ended", ended.load(), "spinning", executor.is_spinning()};
  std::promise<void> promise;
  std::thread canceller([&] {
    observe::eventually([&] { return executor.is_spinning(); });
    std::this_thread::sleep_for(20ms);
    executor.cancel();
  });
  const auto code = executor.spin_until_future_complete(promise.get_future(), observe::patience);
  canceller.join();
  Say{
    "spin_until_future_complete cancelled",
    code == rclcpp::FutureReturnCode::INTERRUPTED ? "INTERRUPTED" : "other"};
  std::ostringstream text;
  text << rclcpp::FutureReturnCode::SUCCESS << " " << rclcpp::FutureReturnCode::TIMEOUT << " "
       << rclcpp::FutureReturnCode::INTERRUPTED;
  Say{"codes printed", text.str()};
}

/// Greatest number of callbacks of two timers that ran at the same time; `wanted` is waited for, since a
/// busy machine may start the second thread late.
int overlap(
  rclcpp::Executor & executor, bool same_group, rclcpp::CallbackGroupType type, int wanted = 1)
{
  auto node = std::make_shared<rclcpp::Node>("overlap");
  auto a = node->create_callback_group(type);
  auto b = same_group ? a : node->create_callback_group(type);
  std::atomic<int> running{0};
  std::atomic<int> most{0};
  std::atomic<int> calls{0};
  const auto work = [&] {
    const int now = ++running;
    int seen = most.load();
    while (now > seen && !most.compare_exchange_weak(seen, now)) {}
    std::this_thread::sleep_for(30ms);
    --running;
    if (++calls >= 6 && (most >= wanted || calls >= 1000)) { executor.cancel(); }
  };
  auto first = node->create_wall_timer(5ms, work, a);
  auto second = node->create_wall_timer(5ms, work, b);
  executor.add_node(node);
  executor.spin();
  executor.remove_node(node);
  return most.load();
}

void threads()
{
  observe::area("threads and callback groups");
  Single single;
  Say{
    "single-threaded, two groups",
    overlap(single, false, rclcpp::CallbackGroupType::MutuallyExclusive)};
  Multi multi(rclcpp::ExecutorOptions(), 3);
  Say{"threads", multi.get_number_of_threads()};
  Say{
    "multi-threaded, one exclusive group",
    overlap(multi, true, rclcpp::CallbackGroupType::MutuallyExclusive)};
  Say{
    "multi-threaded, two exclusive groups",
    overlap(multi, false, rclcpp::CallbackGroupType::MutuallyExclusive, 2) >= 2};
  Say{
    "multi-threaded, two timers in one reentrant group",
    overlap(multi, true, rclcpp::CallbackGroupType::Reentrant, 2) >= 2};
  Say{"default threads at least two", Multi().get_number_of_threads() >= 2};

  auto node = std::make_shared<rclcpp::Node>("caller");
  auto client_group = node->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
  auto service = node->create_service<std_srvs::srv::Empty>(
    "inner",
    [](const std_srvs::srv::Empty::Request::SharedPtr, std_srvs::srv::Empty::Response::SharedPtr) {
    });
  auto client =
    node->create_client<std_srvs::srv::Empty>("inner", rclcpp::ServicesQoS(), client_group);
  std::string answered = "(never)";
  rclcpp::TimerBase::SharedPtr timer;
  timer = node->create_wall_timer(1ms, [&] {
    timer->cancel();
    auto future = client->async_send_request(std::make_shared<std_srvs::srv::Empty::Request>());
    answered = future.wait_for(300ms) == std::future_status::ready ? "answered" : "not";
    multi.cancel();
  });
  client->wait_for_service(observe::patience);
  multi.add_node(node);
  multi.spin();
  Say{"waiting in a callback, service in the callback's group", answered};
}

void group_queries()
{
  observe::area("callback group queries");
  auto node = std::make_shared<rclcpp::Node>("queries");
  auto group = node->create_callback_group(rclcpp::CallbackGroupType::Reentrant);
  auto timer = node->create_wall_timer(1s, [] {}, group);
  rclcpp::SubscriptionOptions options;
  options.callback_group = group;
  auto subscription = node->create_subscription<Empty>("q", 1, [](const Empty &) {}, options);
  Say{"size", group->size() >= 2, "can be taken from", group->can_be_taken_from().load()};
  int timers = 0;
  int subscriptions = 0;
  group->collect_all_ptrs(
    [&](const rclcpp::SubscriptionBase::SharedPtr &) { ++subscriptions; },
    [](const rclcpp::ServiceBase::SharedPtr &) {}, [](const rclcpp::ClientBase::SharedPtr &) {},
    [&](const rclcpp::TimerBase::SharedPtr &) { ++timers; },
    [](const rclcpp::Waitable::SharedPtr &) {});
  Say{"collected", timers, "timers", subscriptions, "subscriptions"};
  int count = 0;
  node->for_each_callback_group([&](rclcpp::CallbackGroup::SharedPtr) { ++count; });
  Say{"groups of the node", count};
  auto guard = std::make_shared<rclcpp::GuardCondition>();
  std::atomic<std::size_t> triggered{0};
  guard->trigger();
  guard->trigger();
  guard->set_on_trigger_callback([&](std::size_t n) { triggered += n; });
  Say{"triggers before the callback", triggered.load()};
  guard->trigger();
  Say{"and after", triggered.load()};
  Say{
    "in use", guard->exchange_in_use_by_wait_set_state(true),
    guard->exchange_in_use_by_wait_set_state(false)};
  Say{"guard condition without context", outcome([] {
        rclcpp::GuardCondition g(rclcpp::Context::SharedPtr{});
      })};
}

}  // namespace

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  ready_set();
  spin_limits();
  adding_and_removing();
  exceptions();
  cancelling();
  threads();
  group_queries();
  Single left;
  auto node = std::make_shared<rclcpp::Node>("left");
  left.add_node(node);
  rclcpp::shutdown();
  Say{"spin after shutdown", outcome([&] { left.spin(); })};
  Say{"spin_some after shutdown", outcome([&] { left.spin_some(); })};
  Say{"executor after shutdown", outcome([] { Single late; })};
  return 0;
}
