// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
//
// Wait sets used by hand: what they report, adding and removing, timeouts, misuse.

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "ambf_conformance/observe.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rclcpp/wait_for_message.hpp"
#include "rclcpp/wait_set.hpp"
#include "std_msgs/msg/string.hpp"

using namespace std::chrono_literals;
using observe::outcome;
using observe::Say;
using std_msgs::msg::String;

namespace
{

const char * kind(rclcpp::WaitResultKind k)
{
  switch (k) {
    case rclcpp::WaitResultKind::Ready:
      return "Ready";
    case rclcpp::WaitResultKind::Timeout:
      return "Timeout";
    case rclcpp::WaitResultKind::Empty:
      return "Empty";
    case rclcpp::WaitResultKind::Invalid:
      return "Invalid";
  }
  return "?";
}

void guard_conditions_and_timers()
{
  observe::area("guard conditions and timers");
  rclcpp::WaitSet set;
  Say{"empty", kind(set.wait(1ms).kind())};
  auto guard = std::make_shared<rclcpp::GuardCondition>();
  set.add_guard_condition(guard);
  Say{"nothing triggered", kind(set.wait(5ms).kind())};
  guard->trigger();
  {
    auto result = set.wait(1s);
    Say{
      "triggered", kind(result.kind()),
      result.get_wait_set().get_rcl_wait_set().guard_conditions[0] != nullptr};
    Say{"waiting while a result lives", outcome([&] { Say{"kind", kind(set.wait(1ms).kind())}; })};
  }
  Say{"once only", kind(set.wait(5ms).kind())};
  Say{"added twice", outcome([&] { set.add_guard_condition(guard); })};
  rclcpp::WaitSet other;
  Say{"in two sets", outcome([&] { other.add_guard_condition(guard); })};
  set.remove_guard_condition(guard);
  Say{"removed twice", outcome([&] { set.remove_guard_condition(guard); })};
  Say{"empty again", kind(set.wait(5ms).kind())};

  auto node = std::make_shared<rclcpp::Node>("wait_timers");
  int calls = 0;
  auto timer = node->create_wall_timer(5ms, [&] { ++calls; });
  set.add_timer(timer);
  auto result = set.wait(1s);
  Say{"timer", kind(result.kind()), timer->is_ready()};
  if (result.kind() == rclcpp::WaitResultKind::Ready) {
    auto data = timer->call();
    timer->execute_callback(data);
  }
  Say{"called by hand", calls};
}

void subscriptions()
{
  observe::area("subscriptions");
  auto node = std::make_shared<rclcpp::Node>("wait_subscriptions");
  const auto ignore = [](const String &) {};
  auto first = node->create_subscription<String>("one", 10, ignore);
  auto second = node->create_subscription<String>("two", 10, ignore);
  auto publisher = node->create_publisher<String>("two", 10);
  rclcpp::WaitSet set({{first}, {second}});
  observe::eventually([&] { return publisher->get_subscription_count() == 1; });
  String message;
  message.data = "hello";
  publisher->publish(message);
  auto result = set.wait(5s);
  Say{"ready", kind(result.kind())};
  const auto & handles = result.get_wait_set().get_rcl_wait_set();
  Say{"which", handles.subscriptions[0] != nullptr, handles.subscriptions[1] != nullptr};
  String taken;
  rclcpp::MessageInfo info;
  Say{"taken", second->take(taken, info), taken.data, "other", first->take(taken, info)};
  std::shared_ptr<void> untyped = second->create_message();
  Say{"nothing left", second->take_type_erased(untyped.get(), info)};

  rclcpp::WaitSet one;
  rclcpp::WaitSet other;
  auto third = node->create_subscription<String>("three", 10, ignore);
  one.add_subscription(third);
  Say{"subscription in a second set", outcome([&] { other.add_subscription(third); })};
}

void masks_and_pruning()
{
  observe::area("masks and pruning");
  auto node = std::make_shared<rclcpp::Node>("wait_masks");
  const auto ignore = [](const String &) {};
  auto subscription = node->create_subscription<String>("masked", 10, ignore);
  rclcpp::SubscriptionWaitSetMask mask{true, false, false};
  rclcpp::WaitSet set;
  set.add_subscription(subscription, mask);
  Say{"masked", set.get_rcl_wait_set().size_of_subscriptions};
  set.remove_subscription(subscription, mask);
  auto guard = std::make_shared<rclcpp::GuardCondition>();
  set.add_guard_condition(guard);
  guard.reset();
  // What such a wait answers is left open: only that it ends.
  Say{"owner gone", outcome([&] { (void)set.wait(1ms).kind(); })};
  Say{"pruned", outcome([&] { set.prune_deleted_entities(); })};
  Say{"null guard condition", outcome([&] { set.add_guard_condition(nullptr); })};
  Say{"null subscription", outcome([&] { set.add_subscription(nullptr); })};
  Say{"null timer", outcome([&] { set.add_timer(nullptr); })};
}

void wait_for_message()
{
  observe::area("wait_for_message");
  auto node = std::make_shared<rclcpp::Node>("waits");
  String out;
  Say{"nobody publishes", rclcpp::wait_for_message(out, node, "silence", 20ms)};
  String message;
  message.data = "spoken";
  std::atomic<bool> stop{false};
  auto plain = node->create_publisher<String>("spoken", 1);
  std::thread speaker([&] {
    while (!stop) {
      plain->publish(message);
      std::this_thread::sleep_for(5ms);
    }
  });
  Say{"heard", rclcpp::wait_for_message(out, node, "spoken", 5s), out.data};
  stop = true;
  speaker.join();
}

}  // namespace

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  guard_conditions_and_timers();
  subscriptions();
  masks_and_pruning();
  wait_for_message();
  auto node = std::make_shared<rclcpp::Node>("left");
  rclcpp::WaitSet set;
  auto guard = std::make_shared<rclcpp::GuardCondition>();
  set.add_guard_condition(guard);
  rclcpp::shutdown();
  Say{"wait after shutdown", outcome([&] { Say{"kind", kind(set.wait(5ms).kind())}; })};
  return 0;
}
