// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
//
// Timers and rates: callback forms, order, cancel and reset, missed periods, wrong periods.

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "ambf_conformance/observe.hpp"
#include "rclcpp/rclcpp.hpp"

using namespace std::chrono_literals;
using observe::outcome;
using observe::Say;

namespace
{

struct Bench
{
  rclcpp::Node::SharedPtr node = std::make_shared<rclcpp::Node>("timers");
  rclcpp::executors::SingleThreadedExecutor executor;
  Bench() { executor.add_node(node); }
};

void basics()
{
  observe::area("timers");
  Bench bench;
  int plain = 0;
  int with_timer = 0;
  bool same = false;
  auto first = bench.node->create_wall_timer(5ms, [&] { ++plain; });
  rclcpp::TimerBase::SharedPtr second;
  second = bench.node->create_wall_timer(5ms, [&](rclcpp::TimerBase & timer) {
    ++with_timer;
    same = &timer == second.get();
    timer.cancel();
  });
  observe::spin_until(bench.executor, [&] { return plain >= 4 && with_timer >= 1; });
  Say{"both called", plain >= 4, "self-cancelling one", with_timer, "same object", same};
  Say{"steady", first->is_steady()};
  auto ros = bench.node->create_timer(5ms, [] {});
  Say{"ROS timer steady", ros->is_steady()};
  auto system =
    rclcpp::create_timer(bench.node, std::make_shared<rclcpp::Clock>(RCL_SYSTEM_TIME), 5ms, [] {});
  Say{"system timer steady", system->is_steady()};
  first->cancel();
  Say{
    "canceled", first->is_canceled(), "until trigger max",
    first->time_until_trigger() == std::chrono::nanoseconds::max()};
  const int before = plain;
  observe::spin_for(bench.executor, 30ms);
  Say{"calls while canceled", plain - before, "ready", first->is_ready()};
  first->reset();
  Say{"after reset canceled", first->is_canceled(), "ready at once", first->is_ready()};
  Say{"revived", observe::spin_until(bench.executor, [&] { return plain > before; })};
  Say{"negative period", outcome([&] { bench.node->create_wall_timer(-1ms, [] {}); })};
  Say{"period beyond int64 ns", outcome([&] {
        bench.node->create_wall_timer(std::chrono::hours(24 * 365 * 400), [] {});
      })};
  Say{"zero period", outcome([&] { bench.node->create_wall_timer(0ms, [] {}); })};
  Say{"fractional period", outcome([&] {
        bench.node->create_wall_timer(std::chrono::duration<double>(0.0015), [] {});
      })};
  Say{"without a clock", outcome([&] {
        rclcpp::create_timer(bench.node, rclcpp::Clock::SharedPtr{}, 5ms, [] {});
      })};
}

void order()
{
  observe::area("order of due timers");
  Bench bench;
  std::vector<std::string> calls;
  auto slow = bench.node->create_wall_timer(3ms, [&] { calls.push_back("created first, 3 ms"); });
  auto quick = bench.node->create_wall_timer(1ms, [&] { calls.push_back("created second, 1 ms"); });
  auto middle = bench.node->create_wall_timer(2ms, [&] { calls.push_back("created third, 2 ms"); });
  bench.executor.spin_some();
  calls.clear();
  std::this_thread::sleep_for(10ms);
  bench.executor.spin_some();
  std::sort(calls.begin(), calls.end());  // the order within one kind is not promised
  Say{"all due, one spin_some", observe::join(calls, " | ")};
  calls.clear();
  std::this_thread::sleep_for(10ms);
  bench.executor.spin_once(0ns);
  Say{"all due, one spin_once", calls.size()};
}

void missed_periods()
{
  observe::area("missed periods");
  Bench bench;
  int count = 0;
  auto timer = bench.node->create_wall_timer(200ms, [&] { ++count; });
  bench.executor.spin_some();
  std::this_thread::sleep_for(650ms);
  bench.executor.spin_some();
  bench.executor.spin_some();
  Say{"calls after more than three periods", count};
  const auto left = timer->time_until_trigger();
  Say{"next within one period", left > 0ns && left <= 200ms};
  Say{"executed by hand", outcome([&] {
        auto data = timer->call();
        Say{"data when not due", data != nullptr};
      })};
}

void autostart_and_exchange()
{
  observe::area("autostart");
  Bench bench;
  int count = 0;
  auto timer = bench.node->create_wall_timer(1ms, [&] { ++count; }, nullptr, false);
  observe::spin_for(bench.executor, 20ms);
  Say{"started by itself", count > 0, "canceled", timer->is_canceled()};
  timer->reset();
  observe::spin_until(bench.executor, [&] { return count > 0; });
  Say{"after reset", count > 0};
  std::atomic<std::size_t> triggers{0};
  timer->set_on_reset_callback([&](std::size_t n) { triggers += n; });
  timer->reset();
  Say{"on reset callback", triggers.load()};
  timer->clear_on_reset_callback();
  timer->reset();
  Say{"after clearing", triggers.load()};
  Say{"empty on reset callback", outcome([&] { timer->set_on_reset_callback(nullptr); })};
  auto dropped = bench.node->create_wall_timer(1ms, [&] { count = -1000; });
  dropped.reset();
  observe::spin_for(bench.executor, 20ms);
  Say{"a dropped timer is not called", count > 0};
}

void rates()
{
  observe::area("rates");
  rclcpp::Rate fast(200.0);
  Say{"period", fast.period().count()};
  rclcpp::WallRate wall(50ms);
  Say{"wall period", wall.period().count(), "steady", wall.get_type() == RCL_STEADY_TIME};
  Say{"rate type", fast.get_type() == RCL_SYSTEM_TIME};
  Say{"in time", fast.sleep()};
  std::this_thread::sleep_for(12ms);
  Say{"late", fast.sleep()};
  std::this_thread::sleep_for(60ms);
  fast.reset();
  Say{"after reset", fast.sleep()};
  Say{"zero frequency", outcome([] { rclcpp::Rate rate(0.0); })};
  Say{"negative frequency", outcome([] { rclcpp::Rate rate(-1.0); })};
  Say{"zero period", outcome([] { rclcpp::WallRate rate(std::chrono::nanoseconds(0)); })};
  Say{"negative period", outcome([] { rclcpp::WallRate rate(std::chrono::nanoseconds(-1)); })};
  rclcpp::Rate ros(100.0, std::make_shared<rclcpp::Clock>(RCL_ROS_TIME));
  Say{"ROS rate", ros.sleep(), ros.get_type() == RCL_ROS_TIME};
  rclcpp::Rate duration(rclcpp::Duration(0, 2000000));
  Say{"from a duration", duration.period().count()};
}

}  // namespace

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  basics();
  order();
  missed_periods();
  autostart_and_exchange();
  rates();
  rclcpp::WallRate rate(60s);  // a rate that is late does not sleep
  rclcpp::shutdown();
  Say{"wall rate after shutdown", outcome([&] { rate.sleep(); })};
  return 0;
}
