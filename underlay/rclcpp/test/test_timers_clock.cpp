// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

#include "rclcpp/rclcpp.hpp"
#include "rclcpp/time_source.hpp"
#include "rosgraph_msgs/msg/clock.hpp"
#include "./spinning.hpp"

using namespace std::chrono_literals;
using rclcpp::Duration;
using rclcpp::Time;
using spinning::spin_until;
using spinning::wait_until;

namespace {

/// Initialises the default context for each test and shuts it down again.
class WithContext : public ::testing::Test {
protected:
  void SetUp() override { rclcpp::init(0, nullptr); }
  void TearDown() override { rclcpp::shutdown(); }
};

class Timers : public WithContext {};
class Clocks : public WithContext {};
class Rates : public WithContext {};
class SimTime : public WithContext {};

}  // namespace

TEST(DurationArithmetic, ThrowsAtTheEndsOfInt64) {
  const auto max = Duration::from_nanoseconds(std::numeric_limits<int64_t>::max());
  const auto min = Duration::from_nanoseconds(std::numeric_limits<int64_t>::min());
  const Duration one(1ns);
  EXPECT_THROW(max + one, std::overflow_error);
  EXPECT_THROW(min - one, std::underflow_error);
  EXPECT_THROW(max - Duration(-1ns), std::overflow_error);
  EXPECT_THROW(max * 2.0, std::overflow_error);
  EXPECT_THROW(max * -2.0, std::underflow_error);
  EXPECT_THROW(one * std::numeric_limits<double>::quiet_NaN(), std::runtime_error);
  EXPECT_EQ((Duration(2s) * 1.5).nanoseconds(), 3000000000);
}

TEST(DurationArithmetic, MaxIsTheLargestMessage) {
  EXPECT_EQ(Duration::max().nanoseconds(), 2147483647999999999LL);
  EXPECT_NO_THROW(Duration::max() + Duration(1s));
  EXPECT_EQ(Time::max().nanoseconds(), 2147483647999999999LL);
}

TEST(DurationConversion, RoundsNegativeSecondsDownInMessages) {
  const builtin_interfaces::msg::Duration msg = Duration(-1500ms);
  EXPECT_EQ(msg.sec, -2);
  EXPECT_EQ(msg.nanosec, 500000000u);
  EXPECT_EQ(Duration(msg), Duration(-1500ms));
  EXPECT_THROW(Duration(-1ns).to_rmw_time(), std::runtime_error);
  EXPECT_EQ(Duration::from_rmw_time({1, 5}).nanoseconds(), 1000000005);
  EXPECT_EQ(Duration::from_seconds(0.25).to_chrono<std::chrono::milliseconds>(), 250ms);
}

TEST(TimeArithmetic, RefusesTimesOfDifferentClocks) {
  const Time system(1, 0, RCL_SYSTEM_TIME);
  const Time ros(1, 0, RCL_ROS_TIME);
  EXPECT_THROW((void)(system == ros), std::runtime_error);
  EXPECT_THROW((void)(system < ros), std::runtime_error);
  EXPECT_THROW((void)(system - ros), std::runtime_error);
}

TEST(TimeArithmetic, ThrowsOnOverflowAndNegativeSeconds) {
  EXPECT_THROW(Time(std::numeric_limits<int64_t>::max()) + Duration(1ns), std::overflow_error);
  EXPECT_THROW(Time(-1, 0), std::runtime_error);
  builtin_interfaces::msg::Time negative;
  negative.sec = -1;
  EXPECT_THROW(Time{negative}, std::runtime_error);
}

TEST(TimeConversion, MessagesAreOfRosTimeAndNumbersOfSystemTime) {
  builtin_interfaces::msg::Time msg;
  msg.sec = 12;
  msg.nanosec = 34;
  EXPECT_EQ(Time(msg).get_clock_type(), RCL_ROS_TIME);
  EXPECT_EQ(Time(12, 34).get_clock_type(), RCL_SYSTEM_TIME);
  EXPECT_EQ(Time(msg).nanoseconds(), 12000000034);
  const builtin_interfaces::msg::Time later = msg + Duration(1s);
  EXPECT_EQ(later.sec, 13);
  Time assigned;
  assigned = msg;
  EXPECT_EQ(assigned.get_clock_type(), RCL_ROS_TIME);
}

TEST_F(Timers, WallTimerRunsWithEachCallbackSignature) {
  auto node = std::make_shared<rclcpp::Node>("timers");
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  int plain = 0;
  rclcpp::TimerBase * seen = nullptr;
  Time expected, actual;
  auto a = node->create_wall_timer(1ms, [&]() { ++plain; });
  auto b = node->create_wall_timer(1ms, [&](rclcpp::TimerBase & timer) { seen = &timer; });
  auto c = node->create_wall_timer(1ms, [&](const rclcpp::TimerInfo & info) {
    expected = info.expected_call_time;
    actual = info.actual_call_time;
  });
  EXPECT_TRUE(a->is_steady());
  ASSERT_TRUE(spin_until(executor, [&]() { return plain > 0 && seen && actual.nanoseconds() > 0; }));
  EXPECT_EQ(seen, b.get());
  EXPECT_GE(actual.nanoseconds(), expected.nanoseconds());
  EXPECT_EQ(actual.get_clock_type(), RCL_STEADY_TIME);
}

TEST_F(Timers, CanceledTimerHasNoTriggerUntilReset) {
  auto node = std::make_shared<rclcpp::Node>("timers");
  int calls = 0;
  auto timer = node->create_wall_timer(1ms, [&]() { ++calls; });
  timer->cancel();
  EXPECT_TRUE(timer->is_canceled());
  EXPECT_EQ(timer->time_until_trigger(), std::chrono::nanoseconds::max());
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  executor.spin_some();
  std::this_thread::sleep_for(3ms);
  executor.spin_some();
  EXPECT_EQ(calls, 0);
  timer->reset();
  EXPECT_FALSE(timer->is_canceled());
  EXPECT_TRUE(spin_until(executor, [&]() { return calls > 0; }));
}

TEST_F(Timers, WithoutAutostartATimerWaitsForReset) {
  auto node = std::make_shared<rclcpp::Node>("timers");
  auto timer = rclcpp::create_timer(node, node->get_clock(), Duration(1ms), []() {}, nullptr, false);
  EXPECT_TRUE(timer->is_canceled());
  timer->reset();
  EXPECT_FALSE(timer->is_canceled());
}

TEST_F(Timers, DoNotMakeUpForMissedPeriods) {
  auto node = std::make_shared<rclcpp::Node>("timers");
  int calls = 0;
  auto timer = node->create_wall_timer(5ms, [&]() { ++calls; });
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  std::this_thread::sleep_for(30ms);
  executor.spin_some();
  EXPECT_EQ(calls, 1);
}

TEST_F(Timers, OneShotCancelsItselfInItsCallback) {
  auto node = std::make_shared<rclcpp::Node>("timers");
  int calls = 0;
  rclcpp::TimerBase::SharedPtr timer;
  timer = node->create_wall_timer(1ms, [&](rclcpp::TimerBase & self) {
    ++calls;
    self.cancel();
  });
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  ASSERT_TRUE(spin_until(executor, [&]() { return calls > 0; }));
  std::this_thread::sleep_for(5ms);
  executor.spin_some();
  EXPECT_EQ(calls, 1);
}

TEST_F(Timers, BadArgumentsAreNamed) {
  auto node = std::make_shared<rclcpp::Node>("timers");
  auto other = std::make_shared<rclcpp::Node>("other");
  auto foreign = other->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
  EXPECT_THROW(node->create_wall_timer(-1ms, []() {}), std::invalid_argument);
  EXPECT_THROW(node->create_wall_timer(std::chrono::hours::max(), []() {}), std::invalid_argument);
  EXPECT_THROW(rclcpp::create_wall_timer(1ms, []() {}, nullptr, nullptr, nullptr), std::invalid_argument);
  EXPECT_THROW(node->create_wall_timer(1ms, []() {}, foreign), std::runtime_error);
  auto timer = node->create_wall_timer(1ms, []() {});
  EXPECT_THROW(timer->set_on_reset_callback(nullptr), std::invalid_argument);
}

TEST_F(Timers, OnResetCallbackReportsResets) {
  auto node = std::make_shared<rclcpp::Node>("timers");
  auto timer = node->create_wall_timer(1h, []() {});
  size_t resets = 0;
  timer->set_on_reset_callback([&](size_t count) { resets += count; });
  timer->reset();
  EXPECT_EQ(resets, 1u);
  timer->clear_on_reset_callback();
  timer->reset();
  EXPECT_EQ(resets, 1u);
}

TEST_F(Clocks, SleepUntilReachesItsTimeAndRefusesOtherClocks) {
  rclcpp::Clock steady(RCL_STEADY_TIME);
  const auto until = steady.now() + Duration(5ms);
  EXPECT_TRUE(steady.sleep_until(until));
  EXPECT_GE(steady.now(), until);
  EXPECT_TRUE(steady.sleep_until(steady.now() - Duration(1s)));
  EXPECT_THROW(steady.sleep_until(Time(1, 0, RCL_SYSTEM_TIME)), std::runtime_error);
  rclcpp::Clock system(RCL_SYSTEM_TIME);
  EXPECT_TRUE(system.sleep_for(Duration(2ms)));
  EXPECT_THROW(system.sleep_for(Duration(1ms), nullptr), std::runtime_error);
}

TEST_F(Clocks, ShutdownAndCancelEndASleep) {
  rclcpp::Clock clock(RCL_STEADY_TIME);
  std::thread canceler([&]() {
    std::this_thread::sleep_for(10ms);
    clock.cancel_sleep_or_wait();
  });
  EXPECT_FALSE(clock.sleep_for(Duration(60s)));
  canceler.join();
  std::thread stopper([]() {
    std::this_thread::sleep_for(10ms);
    rclcpp::shutdown();
  });
  EXPECT_FALSE(clock.sleep_for(Duration(60s)));
  stopper.join();
}

TEST_F(Clocks, JumpCallbacksLiveAsLongAsTheirHandler) {
  auto clock = std::make_shared<rclcpp::Clock>(RCL_ROS_TIME);
  EXPECT_FALSE(clock->ros_time_is_active());
  int before = 0, after = 0;
  rcl_jump_threshold_t threshold;
  threshold.on_clock_change = true;
  threshold.min_forward.nanoseconds = 1000000000;
  threshold.min_backward.nanoseconds = -1000000000;
  auto handler = clock->create_jump_callback([&]() { ++before; }, [&](const rcl_time_jump_t &) { ++after; }, threshold);
  auto * rcl_clock = clock->get_clock_handle();
  ASSERT_EQ(rcl_enable_ros_time_override(rcl_clock), RCL_RET_OK);
  EXPECT_EQ(after, 1);
  ASSERT_EQ(rcl_set_ros_time_override(rcl_clock, 10000000000), RCL_RET_OK);
  EXPECT_EQ(after, 2);
  ASSERT_EQ(rcl_set_ros_time_override(rcl_clock, 10500000000), RCL_RET_OK);
  EXPECT_EQ(after, 2) << "half a second is below the threshold";
  EXPECT_EQ(before, after);
  handler.reset();
  ASSERT_EQ(rcl_set_ros_time_override(rcl_clock, 20000000000), RCL_RET_OK);
  EXPECT_EQ(after, 2);
  EXPECT_EQ(clock->now().nanoseconds(), 20000000000);
}

TEST_F(Rates, KeepTheirPeriodAndRefuseNonPositiveOnes) {
  rclcpp::WallRate rate(200.0);
  EXPECT_EQ(rate.period(), 5ms);
  EXPECT_EQ(rate.get_type(), RCL_STEADY_TIME);
  auto start = std::chrono::steady_clock::now();
  bool in_time = false;
  while (!in_time) {
    // A busy machine may be late for some cycles, but not for all.
    start = std::chrono::steady_clock::now();
    rate.reset();
    in_time = rate.sleep();
  }
  EXPECT_GE(std::chrono::steady_clock::now() - start, 5ms);
  std::this_thread::sleep_for(12ms);
  EXPECT_FALSE(rate.sleep()) << "the cycle is already over";
  EXPECT_THROW(rclcpp::Rate(0.0), std::invalid_argument);
  EXPECT_THROW(rclcpp::Rate(Duration(0, 0)), std::invalid_argument);
}

TEST_F(SimTime, ClockTopicDrivesTimeWithoutSpinning) {
  auto node =
    std::make_shared<rclcpp::Node>("sim", rclcpp::NodeOptions().append_parameter_override("use_sim_time", true));
  auto publisher = node->create_publisher<rosgraph_msgs::msg::Clock>("/clock", rclcpp::ClockQoS());
  ASSERT_TRUE(node->get_clock()->ros_time_is_active());
  EXPECT_EQ(node->now().nanoseconds(), 0);
  ASSERT_TRUE(wait_until([&]() { return publisher->get_subscription_count() > 0; }));
  rosgraph_msgs::msg::Clock message;
  message.clock.sec = 42;
  ASSERT_TRUE(wait_until([&]() {
    publisher->publish(message);
    return node->now().nanoseconds() == 42000000000;
  }));
  message.clock.sec = -1;
  publisher->publish(message);
  std::this_thread::sleep_for(10ms);
  EXPECT_EQ(node->now().nanoseconds(), 42000000000) << "negative time is ignored";
}

TEST_F(SimTime, ParameterChangeTakesEffectWhenTheNodeSpins) {
  auto node = std::make_shared<rclcpp::Node>("sim");
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  EXPECT_FALSE(node->get_clock()->ros_time_is_active());
  EXPECT_TRUE(node->set_parameter(rclcpp::Parameter("use_sim_time", true)).successful);
  EXPECT_FALSE(node->get_clock()->ros_time_is_active());
  EXPECT_TRUE(spin_until(executor, [&]() { return node->get_clock()->ros_time_is_active(); }));
  EXPECT_TRUE(node->set_parameter(rclcpp::Parameter("use_sim_time", false)).successful);
  EXPECT_TRUE(spin_until(executor, [&]() { return !node->get_clock()->ros_time_is_active(); }));
  EXPECT_FALSE(node->set_parameter(rclcpp::Parameter("use_sim_time", "yes")).successful);
}

TEST_F(SimTime, RosTimerAndSleepFollowTheClock) {
  auto node =
    std::make_shared<rclcpp::Node>("sim", rclcpp::NodeOptions().append_parameter_override("use_sim_time", true));
  auto publisher = node->create_publisher<rosgraph_msgs::msg::Clock>("/clock", rclcpp::ClockQoS());
  ASSERT_TRUE(wait_until([&]() { return publisher->get_subscription_count() > 0; }));
  int calls = 0;
  auto timer = rclcpp::create_timer(node, node->get_clock(), Duration(10s), [&]() { ++calls; });
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);

  std::atomic<bool> slept{false};
  std::thread sleeper([&]() { slept = node->get_clock()->sleep_until(Time(15, 0, RCL_ROS_TIME)); });
  rosgraph_msgs::msg::Clock message;
  message.clock.sec = 1;
  publisher->publish(message);
  executor.spin_some();
  executor.spin_some();
  EXPECT_EQ(calls, 0);
  message.clock.sec = 20;
  EXPECT_TRUE(spin_until(executor, [&]() {
    publisher->publish(message);
    return calls > 0 && slept;
  }));
  EXPECT_EQ(calls, 1);
  sleeper.join();
}

TEST_F(SimTime, TimeSourceDrivesAttachedClocks) {
  auto node = std::make_shared<rclcpp::Node>("sim");
  auto clock = std::make_shared<rclcpp::Clock>(RCL_ROS_TIME);
  rclcpp::TimeSource source(node);
  source.attachClock(clock);
  EXPECT_FALSE(clock->ros_time_is_active());
  EXPECT_TRUE(source.get_use_clock_thread());
  EXPECT_FALSE(source.clock_thread_is_joinable());
  node->set_parameter(rclcpp::Parameter("use_sim_time", true));
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  EXPECT_TRUE(spin_until(executor, [&]() { return clock->ros_time_is_active(); }));
  EXPECT_TRUE(source.clock_thread_is_joinable());
  EXPECT_THROW(source.attachClock(std::make_shared<rclcpp::Clock>(RCL_STEADY_TIME)), std::invalid_argument);
  source.detachNode();
  EXPECT_FALSE(clock->ros_time_is_active());
}
