// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
//
// Clocks: types, sleeping, simulated time through /clock and use_sim_time, jump callbacks.

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "ambf_conformance/observe.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rosgraph_msgs/msg/clock.hpp"

using namespace std::chrono_literals;
using observe::outcome;
using observe::Say;

namespace
{

void kinds()
{
  observe::area("kinds of clocks");
  rclcpp::Clock system;
  rclcpp::Clock steady(RCL_STEADY_TIME);
  rclcpp::Clock ros(RCL_ROS_TIME);
  Say{
    "types", static_cast<int>(system.get_clock_type()), static_cast<int>(steady.get_clock_type()),
    static_cast<int>(ros.get_clock_type())};
  Say{
    "types of now", static_cast<int>(system.now().get_clock_type()),
    static_cast<int>(steady.now().get_clock_type()), static_cast<int>(ros.now().get_clock_type())};
  Say{"ros time active", ros.ros_time_is_active()};
  Say{"ros time active on a system clock", outcome([&] { (void)system.ros_time_is_active(); })};
  const auto a = steady.now();
  const auto b = steady.now();
  Say{"steady does not go back", b >= a};
  Say{
    "system and ros agree within a second",
    std::abs(system.now().seconds() - ros.now().seconds()) < 1.0};
  Say{"started", system.started(), ros.started()};
  auto node = std::make_shared<rclcpp::Node>("kinds");
  Say{
    "node clock", static_cast<int>(node->get_clock()->get_clock_type()), "active",
    node->get_clock()->ros_time_is_active()};
  Say{"now of node", static_cast<int>(node->now().get_clock_type()), node->now().seconds() > 1e9};
}

void sleeping()
{
  observe::area("sleeping");
  rclcpp::Clock steady(RCL_STEADY_TIME);
  rclcpp::Clock system(RCL_SYSTEM_TIME);
  const auto start = steady.now();
  Say{
    "sleep_for", steady.sleep_for(10ms), "long enough",
    steady.now() - start >= rclcpp::Duration(10ms)};
  Say{"sleep_until the past", system.sleep_until(system.now() - rclcpp::Duration(1s))};
  Say{"negative sleep", steady.sleep_for(-5ms)};
  Say{"other clock type", outcome([&] { steady.sleep_until(system.now()); })};
  auto context = std::make_shared<rclcpp::Context>();
  Say{"context not initialized", outcome([&] { steady.sleep_for(1ms, context); })};
  context->init(0, nullptr);
  std::thread stopper([&] {
    std::this_thread::sleep_for(30ms);
    context->shutdown("enough");
  });
  const auto woken = steady.sleep_for(30s, context);
  stopper.join();
  Say{"sleep ended by shutdown", woken};
  Say{"wait_until_started", system.wait_until_started(), system.wait_until_started(1ms)};
}

struct Simulation
{
  rclcpp::Node::SharedPtr clock_node = std::make_shared<rclcpp::Node>("clock_source");
  rclcpp::Publisher<rosgraph_msgs::msg::Clock>::SharedPtr publisher =
    clock_node->create_publisher<rosgraph_msgs::msg::Clock>("/clock", rclcpp::ClockQoS());
  void publish(int sec, unsigned nanosec = 0)
  {
    rosgraph_msgs::msg::Clock message;
    message.clock.sec = sec;
    message.clock.nanosec = nanosec;
    publisher->publish(message);
  }
};

void simulated_time()
{
  observe::area("simulated time");
  Simulation simulation;
  auto node = std::make_shared<rclcpp::Node>(
    "simulated", rclcpp::NodeOptions().parameter_overrides({{"use_sim_time", true}}));
  const auto clock = node->get_clock();
  Say{"active from the start",
      clock->ros_time_is_active(),
      "time",
      node->now().nanoseconds(),
      "started",
      clock->started()};
  observe::eventually([&] { return simulation.publisher->get_subscription_count() == 1; });
  Say{"clock subscription", simulation.publisher->get_subscription_count()};
  Say{"timed out waiting", clock->wait_until_started(rclcpp::Duration(10ms))};

  std::vector<std::string> jumps;
  rcl_jump_threshold_t threshold{};
  threshold.on_clock_change = true;
  threshold.min_forward.nanoseconds = 5'000'000'000;
  threshold.min_backward.nanoseconds = -1;
  auto handler = clock->create_jump_callback(
    [&] { jumps.push_back("pre"); },
    [&](const rcl_time_jump_t & jump) {
      jumps.push_back(
        "post " + std::to_string(jump.delta.nanoseconds / 1'000'000) + " ms kind " +
        std::to_string(static_cast<int>(jump.clock_change)));
    },
    threshold);

  const auto reach = [&](int sec) {
    return observe::eventually([&] { return node->now().seconds() == static_cast<double>(sec); });
  };
  simulation.publish(10);
  Say{"advances without spinning", reach(10), "started", clock->started()};
  Say{"forward 10 s", observe::join(jumps, " | ")};
  jumps.clear();
  simulation.publish(12);
  Say{"forward 2 s", reach(12), observe::join(jumps, " | ")};
  simulation.publish(11);
  Say{"backward 1 s", reach(11), observe::join(jumps, " | ")};
  jumps.clear();
  simulation.publish(20);
  Say{"forward 9 s", reach(20), observe::join(jumps, " | ")};
  jumps.clear();
  handler.reset();
  simulation.publish(40);
  Say{"handler gone", reach(40), observe::join(jumps, " | ")};

  int calls = 0;
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  auto timer = node->create_timer(1s, [&] { ++calls; });
  observe::spin_for(executor, 30ms);
  Say{"timer while time stands", calls};
  simulation.publish(41, 500'000'000);
  observe::spin_until(executor, [&] { return calls == 1; });
  Say{"timer after 1.5 s", calls};
  simulation.publish(45);
  observe::spin_until(executor, [&] { return calls == 2; });
  observe::spin_for(executor, 30ms);
  Say{"timer after 3.5 s more", calls};
  int wall = 0;
  auto wall_timer = node->create_wall_timer(1ms, [&] { ++wall; });
  Say{"wall timer runs on", observe::spin_until(executor, [&] { return wall > 2; })};

  std::atomic<int> slept{-1};
  std::thread sleeper(
    [&] { slept = clock->sleep_until(rclcpp::Time(50, 0, RCL_ROS_TIME)) ? 1 : 0; });
  std::this_thread::sleep_for(30ms);
  Say{"asleep until simulated 50 s", slept.load() == -1};
  simulation.publish(51);
  observe::eventually([&] { return slept.load() >= 0; });
  sleeper.join();
  Say{"woken", slept.load()};
}

void switching()
{
  observe::area("switching use_sim_time");
  Simulation simulation;
  auto node = std::make_shared<rclcpp::Node>("switched");
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  const auto clock = node->get_clock();
  std::vector<int> changes;
  rcl_jump_threshold_t threshold{};
  threshold.on_clock_change = true;
  auto handler = clock->create_jump_callback(
    [] {},
    [&](const rcl_time_jump_t & jump) { changes.push_back(static_cast<int>(jump.clock_change)); },
    threshold);
  Say{"declared as", node->get_parameter("use_sim_time").as_bool()};
  Say{"set", node->set_parameter(rclcpp::Parameter("use_sim_time", true)).successful};
  Say{
    "active once spun", observe::spin_until(executor, [&] { return clock->ros_time_is_active(); })};
  node->set_parameter(rclcpp::Parameter("use_sim_time", false));
  Say{
    "inactive again", observe::spin_until(executor, [&] { return !clock->ros_time_is_active(); })};
  Say{"changes", observe::join(changes)};
  const auto wrong = node->set_parameter(rclcpp::Parameter("use_sim_time", "yes"));
  Say{"of the wrong type", wrong.successful, wrong.reason};
  Say{"override of the wrong type", outcome([] {
        rclcpp::Node other(
          "other", rclcpp::NodeOptions().parameter_overrides({{"use_sim_time", "yes"}}));
      })};
  rclcpp::Node quiet("quiet", rclcpp::NodeOptions().use_clock_thread(false));
  Say{"without clock thread", quiet.get_clock()->ros_time_is_active()};
}

}  // namespace

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  kinds();
  sleeping();
  simulated_time();
  switching();
  rclcpp::shutdown();
  Say{"sleep after shutdown", outcome([] {
        Say{"slept", rclcpp::Clock(RCL_STEADY_TIME).sleep_for(1ms)};
      })};
  return 0;
}
