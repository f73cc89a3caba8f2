// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rcl_interfaces/srv/get_parameters.hpp"
#include "rclcpp/rclcpp.hpp"
#include "test_msgs/msg/basic_types.hpp"
#include "test_msgs/srv/basic_types.hpp"
#include "./spinning.hpp"

using namespace std::chrono_literals;
using spinning::spin_until;
using spinning::SpinningThread;
using spinning::wait_until;
using Message = test_msgs::msg::BasicTypes;
using rclcpp::executors::MultiThreadedExecutor;
using rclcpp::executors::SingleThreadedExecutor;
using rclcpp::experimental::executors::EventsExecutor;

namespace {

template <typename ExecutorT> class AnyExecutor : public ::testing::Test {
protected:
  void SetUp() override { rclcpp::init(0, nullptr); }
  void TearDown() override { rclcpp::shutdown(); }
};

class WaitSetExecutors : public ::testing::Test {
protected:
  void SetUp() override { rclcpp::init(0, nullptr); }
  void TearDown() override { rclcpp::shutdown(); }
};

class MultiThreaded : public WaitSetExecutors {};

using ExecutorTypes = ::testing::Types<SingleThreadedExecutor, MultiThreadedExecutor, EventsExecutor>;

class ExecutorNames {
public:
  template <typename T> static std::string GetName(int) {
    if (std::is_same_v<T, SingleThreadedExecutor>) { return "SingleThreaded"; }
    return std::is_same_v<T, MultiThreadedExecutor> ? "MultiThreaded" : "Events";
  }
};

}  // namespace

TYPED_TEST_SUITE(AnyExecutor, ExecutorTypes, ExecutorNames);

TYPED_TEST(AnyExecutor, DeliversMessagesTimersAndServices) {
  auto node = std::make_shared<rclcpp::Node>("node");
  TypeParam executor;
  executor.add_node(node);
  std::atomic<int> messages{0}, ticks{0};
  auto subscription =
    node->create_subscription<Message>("topic", 10, [&](const Message & message) { messages += message.int32_value; });
  auto publisher = node->create_publisher<Message>("topic", 10);
  auto timer = node->create_wall_timer(1ms, [&]() { ++ticks; });
  auto service = node->create_service<test_msgs::srv::BasicTypes>(
    "service", [](const std::shared_ptr<test_msgs::srv::BasicTypes::Request> request,
                 std::shared_ptr<test_msgs::srv::BasicTypes::Response> response) {
      response->int32_value = 2 * request->int32_value;
    });
  auto client = node->create_client<test_msgs::srv::BasicTypes>("service");
  SpinningThread spinning(executor);
  ASSERT_TRUE(wait_until([&]() { return publisher->get_subscription_count() > 0; }));
  Message message;
  message.int32_value = 5;
  publisher->publish(message);
  EXPECT_TRUE(wait_until([&]() { return messages == 5 && ticks > 2; }));
  ASSERT_TRUE(client->wait_for_service(60s));
  auto request = std::make_shared<test_msgs::srv::BasicTypes::Request>();
  request->int32_value = 21;
  auto future = client->async_send_request(request);
  ASSERT_EQ(future.wait_for(60s), std::future_status::ready);
  EXPECT_EQ(future.get()->int32_value, 42);
}

TYPED_TEST(AnyExecutor, AnswersForTheParametersOfANodeWhenTheyAreFirstAskedFor) {
  auto server = std::make_shared<rclcpp::Node>("server");
  server->declare_parameter("number", 7);
  auto asker = std::make_shared<rclcpp::Node>("asker");
  SingleThreadedExecutor askers;
  askers.add_node(asker);
  auto client = asker->create_client<rcl_interfaces::srv::GetParameters>("server/get_parameters");
  ASSERT_TRUE(client->wait_for_service(60s));
  const auto answer = [&](auto && while_waiting) {
    auto request = std::make_shared<rcl_interfaces::srv::GetParameters::Request>();
    request->names = {"number"};
    auto future = client->async_send_request(request).future.share();
    while_waiting();
    const auto done = [&]() { return future.wait_for(0s) == std::future_status::ready; };
    return spin_until(askers, done) ? future.get()->values.at(0).integer_value : 0;
  };
  TypeParam executor;
  {
    EventsExecutor other;  // takes the services' callbacks, and leaves them without
    other.add_node(server);
    other.spin_some();
    other.remove_node(server);
    executor.add_node(server);
    SpinningThread spinning(executor);
    EXPECT_EQ(answer([]() {}), 7);
    EXPECT_EQ(answer([]() {}), 7);
  }
  executor.remove_node(server);
  // A request that came while nobody spun is answered by the first who does, in one call, also by another kind of
  // executor than the one that the node was with.
  for (const bool moved : {false, true}) {
    auto late = std::make_shared<rclcpp::Node>(moved ? "moved" : "late");
    late->declare_parameter("number", 8);
    if (moved) { rclcpp::spin_some(late); }
    client =
      asker->create_client<rcl_interfaces::srv::GetParameters>(std::string(late->get_name()) + "/get_parameters");
    ASSERT_TRUE(client->wait_for_service(60s));
    EXPECT_EQ(answer([&]() {
      std::this_thread::sleep_for(100ms);
      executor.add_node(late);
      executor.spin_some();
    }),
      8)
      << late->get_name();
    executor.remove_node(late);
  }
  // Asked between two calls.
  auto busy = std::make_shared<rclcpp::Node>("busy");
  busy->declare_parameter("number", 9);
  executor.add_node(busy);
  executor.spin_some();
  client = asker->create_client<rcl_interfaces::srv::GetParameters>("busy/get_parameters");
  ASSERT_TRUE(client->wait_for_service(60s));
  EXPECT_EQ(answer([&]() {
    std::this_thread::sleep_for(100ms);
    executor.spin_some();
  }),
    9);
}

TYPED_TEST(AnyExecutor, NoticesNodesAndEntitiesAddedWhileSpinning) {
  TypeParam executor;
  SpinningThread spinning(executor);
  auto node = std::make_shared<rclcpp::Node>("late");
  executor.add_node(node);
  std::atomic<int> ticks{0};
  auto timer = node->create_wall_timer(1ms, [&]() { ++ticks; });
  EXPECT_TRUE(wait_until([&]() { return ticks > 0; }));
  auto group = node->create_callback_group(rclcpp::CallbackGroupType::Reentrant);
  std::atomic<int> other_ticks{0};
  auto other = node->create_wall_timer(1ms, [&]() { ++other_ticks; }, group);
  EXPECT_TRUE(wait_until([&]() { return other_ticks > 0; }));
  executor.remove_node(node);
  EXPECT_FALSE(node->get_node_base_interface()->get_associated_with_executor_atomic().load());
}

TYPED_TEST(AnyExecutor, StopsCallingEntitiesThatWereDestroyed) {
  TypeParam executor;
  auto node = std::make_shared<rclcpp::Node>("node");
  executor.add_node(node);
  SpinningThread spinning(executor);
  for (int round = 0; round < 20; ++round) {
    auto alive = std::make_shared<std::atomic<int>>(0);
    auto timer = node->create_wall_timer(200us, [alive]() { ++*alive; });
    ASSERT_TRUE(wait_until([&]() { return *alive > 0; }));
    timer.reset();
    // The executor may hold the timer for one more round of its loop, never longer.
    std::weak_ptr<std::atomic<int>> weak = alive;
    alive.reset();
    auto kick = node->create_wall_timer(100us, []() {});
    ASSERT_TRUE(wait_until([&]() { return weak.expired(); }));
  }
}

TYPED_TEST(AnyExecutor, CancelEndsAWaitFromAnotherThreadAndFromACallback) {
  auto node = std::make_shared<rclcpp::Node>("node");
  TypeParam executor;
  executor.add_node(node);
  {
    SpinningThread spinning(executor);
    std::this_thread::sleep_for(5ms);
  }
  EXPECT_FALSE(executor.is_spinning());
  auto timer = node->create_wall_timer(1ms, [&]() { executor.cancel(); });
  executor.spin();
  EXPECT_FALSE(executor.is_spinning());
}

TYPED_TEST(AnyExecutor, ShutdownEndsSpin) {
  auto node = std::make_shared<rclcpp::Node>("node");
  TypeParam executor;
  executor.add_node(node);
  std::thread stopper([]() {
    std::this_thread::sleep_for(10ms);
    rclcpp::shutdown();
  });
  executor.spin();
  stopper.join();
  EXPECT_FALSE(rclcpp::ok());
}

TYPED_TEST(AnyExecutor, SpinWithinACallbackThrows) {
  auto node = std::make_shared<rclcpp::Node>("node");
  TypeParam executor;
  executor.add_node(node);
  int refused = 0;
  auto timer = node->create_wall_timer(1ms, [&]() {
    try {
      executor.spin();
    } catch (const std::runtime_error &) { ++refused; }
    try {
      executor.spin_some();
    } catch (const std::runtime_error &) { ++refused; }
    executor.cancel();
  });
  executor.spin();
  EXPECT_EQ(refused, 2);
}

TYPED_TEST(AnyExecutor, ExceptionOfACallbackLeavesSpin) {
  auto node = std::make_shared<rclcpp::Node>("node");
  TypeParam executor;
  executor.add_node(node);
  std::atomic<int> later{0};
  auto failing = node->create_wall_timer(1ms, [&](rclcpp::TimerBase & timer) {
    timer.cancel();
    throw std::logic_error("callback failed");
  });
  if constexpr (std::is_same_v<TypeParam, MultiThreadedExecutor>) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(executor.spin(), "terminate called");  // as stock: the other threads cannot go on
    return;
  }
  EXPECT_THROW(executor.spin(), std::logic_error);
  EXPECT_FALSE(executor.is_spinning());
  auto working = node->create_wall_timer(1ms, [&]() { ++later; });
  EXPECT_TRUE(spin_until(executor, [&]() { return later > 0; }));
}

TYPED_TEST(AnyExecutor, MembershipIsExclusive) {
  auto node = std::make_shared<rclcpp::Node>("node");
  auto group = node->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive, false);
  auto base = node->get_node_base_interface();
  {
    TypeParam first;
    TypeParam second;
    EXPECT_THROW(first.remove_node(node), std::runtime_error);
    first.add_node(node);
    EXPECT_THROW(first.add_node(node), std::runtime_error);
    EXPECT_THROW(second.add_node(node), std::runtime_error);
    EXPECT_THROW(second.remove_node(node), std::runtime_error);
    second.add_callback_group(group, base);
    EXPECT_THROW(first.add_callback_group(group, base), std::runtime_error);
    EXPECT_THROW(first.remove_callback_group(group), std::runtime_error);
    EXPECT_EQ(second.get_manually_added_callback_groups().size(), 1u);
    EXPECT_EQ(second.get_automatically_added_callback_groups_from_nodes().size(), 0u);
    EXPECT_EQ(first.get_all_callback_groups().size(), 1u);
    second.remove_callback_group(group);
    EXPECT_FALSE(group->get_associated_with_executor_atomic().load());
  }
  // A destroyed executor has let its node go.
  TypeParam third;
  EXPECT_NO_THROW(third.add_node(node));
}

TYPED_TEST(AnyExecutor, GroupsNotAddedAutomaticallyRunWhereTheyAreAdded) {
  auto node = std::make_shared<rclcpp::Node>("node");
  auto group = node->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive, false);
  std::atomic<int> ticks{0};
  auto timer = node->create_wall_timer(1ms, [&]() { ++ticks; }, group);
  TypeParam of_node;
  of_node.add_node(node);
  std::this_thread::sleep_for(3ms);
  of_node.spin_some();
  of_node.spin_some();
  EXPECT_EQ(ticks, 0);
  TypeParam of_group;
  of_group.add_callback_group(group, node->get_node_base_interface());
  EXPECT_TRUE(spin_until(of_group, [&]() { return ticks > 0; }));
}

TYPED_TEST(AnyExecutor, OutlivesItsNodes) {
  TypeParam executor;
  SpinningThread spinning(executor);
  for (int round = 0; round < 5; ++round) {
    auto node = std::make_shared<rclcpp::Node>("mortal");
    std::atomic<int> ticks{0};
    auto timer = node->create_wall_timer(1ms, [&]() { ++ticks; });
    executor.add_node(node);
    ASSERT_TRUE(wait_until([&]() { return ticks > 0; }));
    executor.remove_node(node);
    timer->cancel();
    // The last call may still be running in the other thread.
    std::this_thread::sleep_for(5ms);
  }
  auto abandoned = std::make_shared<rclcpp::Node>("abandoned");
  executor.add_node(abandoned);
  std::weak_ptr<rclcpp::Node> weak = abandoned;
  abandoned.reset();
  EXPECT_TRUE(wait_until([&]() { return weak.expired(); }));
  EXPECT_TRUE(wait_until([&]() { return executor.get_all_callback_groups().empty(); }));
}

TYPED_TEST(AnyExecutor, SpinUntilFutureCompleteTellsHowItEnded) {
  auto node = std::make_shared<rclcpp::Node>("node");
  TypeParam executor;
  executor.add_node(node);
  std::promise<void> promise;
  auto future = promise.get_future().share();
  EXPECT_EQ(executor.spin_until_future_complete(future, 5ms), rclcpp::FutureReturnCode::TIMEOUT);
  auto stopper = node->create_wall_timer(1ms, [&]() { executor.cancel(); });
  EXPECT_EQ(executor.spin_until_future_complete(future, 60s), rclcpp::FutureReturnCode::INTERRUPTED);
  stopper->cancel();
  auto keeper = node->create_wall_timer(1ms, [&](rclcpp::TimerBase & timer) {
    timer.cancel();
    promise.set_value();
  });
  EXPECT_EQ(executor.spin_until_future_complete(future, 60s), rclcpp::FutureReturnCode::SUCCESS);
  EXPECT_EQ(executor.spin_until_future_complete(future, 0s), rclcpp::FutureReturnCode::SUCCESS);
}

TYPED_TEST(AnyExecutor, SpinAllRefusesNegativeDurationsAndDrainsWork) {
  auto node = std::make_shared<rclcpp::Node>("node");
  TypeParam executor;
  executor.add_node(node);
  EXPECT_THROW(executor.spin_all(-1ns), std::invalid_argument);
  int received = 0;
  auto publisher = node->create_publisher<Message>("chain", 10);
  auto subscription = node->create_subscription<Message>("chain", 10, [&](const Message & message) {
    received = message.int32_value;
    if (received < 5) {
      Message next = message;
      ++next.int32_value;
      publisher->publish(next);
    }
  });
  executor.spin_all(10ms);
  ASSERT_TRUE(wait_until([&]() { return publisher->get_subscription_count() > 0; }));
  Message first;
  first.int32_value = 1;
  publisher->publish(first);
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (received < 5 && std::chrono::steady_clock::now() < end) { executor.spin_all(100ms); }
  EXPECT_EQ(received, 5);
}

TYPED_TEST(AnyExecutor, IntraProcessMessagesArriveWithoutBeingCopied) {
  auto node = std::make_shared<rclcpp::Node>("node", rclcpp::NodeOptions().use_intra_process_comms(true));
  TypeParam executor;
  executor.add_node(node);
  std::atomic<const void *> received{nullptr};
  auto subscription =
    node->create_subscription<Message>("topic", 10, [&](Message::UniquePtr message) { received = message.get(); });
  auto publisher = node->create_publisher<Message>("topic", 10);
  SpinningThread spinning(executor);
  auto message = std::make_unique<Message>();
  const void * sent = message.get();
  publisher->publish(std::move(message));
  EXPECT_TRUE(wait_until([&]() { return received.load() == sent; }));
}

TEST_F(WaitSetExecutors, EntityCreatedAfterAddNodeRunsInTheSecondSpinSome) {
  auto node = std::make_shared<rclcpp::Node>("node");
  SingleThreadedExecutor executor;
  executor.add_node(node);
  int ticks = 0;
  auto timer = node->create_wall_timer(1ms, [&]() { ++ticks; });
  std::this_thread::sleep_for(3ms);
  executor.spin_some();
  EXPECT_EQ(ticks, 0) << "the first one only takes notice";
  executor.spin_some();
  EXPECT_EQ(ticks, 1);
}

TEST_F(WaitSetExecutors, EntityCreatedBeforeAddNodeRunsInTheFirstSpinSome) {
  auto node = std::make_shared<rclcpp::Node>("node");
  int ticks = 0;
  auto timer = node->create_wall_timer(1ms, [&]() { ++ticks; });
  SingleThreadedExecutor executor;
  executor.add_node(node);
  std::this_thread::sleep_for(3ms);
  executor.spin_some();
  EXPECT_EQ(ticks, 1);
  std::this_thread::sleep_for(3ms);
  executor.remove_node(node);
  rclcpp::spin_some(node);
  EXPECT_EQ(ticks, 2);
}

TEST_F(WaitSetExecutors, SpinOnceDoesNotStarveLaterEntities) {
  auto node = std::make_shared<rclcpp::Node>("node");
  int fast = 0, slow = 0;
  // Always due again before the next call.
  auto greedy = node->create_wall_timer(1ns, [&]() { ++fast; });
  auto publisher = node->create_publisher<Message>("topic", 10);
  auto subscription = node->create_subscription<Message>("topic", 10, [&](const Message &) { ++slow; });
  SingleThreadedExecutor executor;
  executor.add_node(node);
  ASSERT_TRUE(wait_until([&]() { return publisher->get_subscription_count() > 0; }));
  publisher->publish(Message());
  EXPECT_TRUE(spin_until(executor, [&]() { return slow > 0; }));
  EXPECT_GT(fast, 0);
}

TEST_F(WaitSetExecutors, SpinSomeStopsAtItsMaximumDuration) {
  auto node = std::make_shared<rclcpp::Node>("node");
  int calls = 0;
  std::vector<rclcpp::TimerBase::SharedPtr> timers;
  for (int i = 0; i < 10; ++i) {
    timers.push_back(node->create_wall_timer(1ms, [&]() {
      ++calls;
      std::this_thread::sleep_for(5ms);
    }));
  }
  SingleThreadedExecutor executor;
  executor.add_node(node);
  std::this_thread::sleep_for(2ms);
  executor.spin_some(8ms);
  EXPECT_GE(calls, 1);
  EXPECT_LE(calls, 3);
}

TEST_F(WaitSetExecutors, FreeFunctionsAddAndRemoveTheNode) {
  auto node = std::make_shared<rclcpp::Node>("node");
  int ticks = 0;
  auto timer = node->create_wall_timer(1ms, [&]() { ++ticks; });
  std::this_thread::sleep_for(2ms);
  rclcpp::spin_some(node);
  EXPECT_EQ(ticks, 1);
  std::this_thread::sleep_for(2ms);
  rclcpp::spin_all(node, 50ms);
  EXPECT_GE(ticks, 2);
  std::promise<void> promise;
  auto future = promise.get_future();
  EXPECT_EQ(rclcpp::spin_until_future_complete(node, future, 5ms), rclcpp::FutureReturnCode::TIMEOUT);
  EXPECT_FALSE(node->get_node_base_interface()->get_associated_with_executor_atomic().load());
  EXPECT_EQ(rclcpp::to_string(rclcpp::FutureReturnCode::TIMEOUT), "TIMEOUT (2)");
}

TEST_F(WaitSetExecutors, IdleSpinningCostsNoCpu) {
  auto node = std::make_shared<rclcpp::Node>("node");
  SingleThreadedExecutor executor;
  executor.add_node(node);
  timespec before, after;
  SpinningThread spinning(executor);
  std::this_thread::sleep_for(20ms);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  std::this_thread::sleep_for(200ms);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  const auto used = (after.tv_sec - before.tv_sec) * 1000000000L + after.tv_nsec - before.tv_nsec;
  // A thread that polls would use all of the 200 ms; the middleware's own threads use some.
  EXPECT_LT(used, 40000000L);
}

TEST_F(MultiThreaded, ExclusiveGroupNeverRunsTwiceAtOnce) {
  auto node = std::make_shared<rclcpp::Node>("node");
  MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 4);
  executor.add_node(node);
  std::atomic<int> inside{0}, most{0}, calls{0};
  const auto work = [&]() {
    const int now = ++inside;
    most = std::max(most.load(), now);
    std::this_thread::sleep_for(1ms);
    --inside;
    ++calls;
  };
  std::vector<rclcpp::TimerBase::SharedPtr> timers;
  for (int i = 0; i < 4; ++i) { timers.push_back(node->create_wall_timer(1ms, work)); }
  {
    SpinningThread spinning(executor);
    EXPECT_TRUE(wait_until([&]() { return calls > 40; }));
  }
  EXPECT_EQ(most, 1);
}

TEST_F(MultiThreaded, ReentrantAndSeparateGroupsRunInParallel) {
  auto node = std::make_shared<rclcpp::Node>("node");
  MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 2);
  EXPECT_EQ(executor.get_number_of_threads(), 2u);
  executor.add_node(node);
  // Each callback waits for the other: only two threads at once can end this.
  std::promise<void> first_in, second_in;
  auto first_future = first_in.get_future().share();
  auto second_future = second_in.get_future().share();
  std::atomic<int> met{0};
  auto group = node->create_callback_group(rclcpp::CallbackGroupType::Reentrant);
  auto a = node->create_wall_timer(
    1ms,
    [&](rclcpp::TimerBase & timer) {
      timer.cancel();
      first_in.set_value();
      met += second_future.wait_for(60s) == std::future_status::ready;
    },
    group);
  auto b = node->create_wall_timer(
    1ms,
    [&](rclcpp::TimerBase & timer) {
      timer.cancel();
      second_in.set_value();
      met += first_future.wait_for(60s) == std::future_status::ready;
    },
    group);
  SpinningThread spinning(executor);
  EXPECT_TRUE(wait_until([&]() { return met == 2; }));
}

TEST_F(MultiThreaded, ServiceCallWithinACallbackGetsItsAnswerFromAnotherGroup) {
  auto node = std::make_shared<rclcpp::Node>("node");
  MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 2);
  executor.add_node(node);
  auto group = node->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
  auto service = node->create_service<test_msgs::srv::BasicTypes>(
    "service",
    [](const std::shared_ptr<test_msgs::srv::BasicTypes::Request> request,
      std::shared_ptr<test_msgs::srv::BasicTypes::Response> response) {
      response->int32_value = request->int32_value + 1;
    },
    rclcpp::ServicesQoS(), group);
  auto client = node->create_client<test_msgs::srv::BasicTypes>("service", rclcpp::ServicesQoS(), group);
  std::atomic<int> answer{0};
  auto timer = node->create_wall_timer(1ms, [&](rclcpp::TimerBase & self) {
    self.cancel();
    if (client->wait_for_service(60s)) {
      auto future = client->async_send_request(std::make_shared<test_msgs::srv::BasicTypes::Request>());
      if (future.wait_for(60s) == std::future_status::ready) { answer = future.get()->int32_value; }
    }
  });
  SpinningThread spinning(executor);
  EXPECT_TRUE(wait_until([&]() { return answer == 1; }));
}

TEST_F(MultiThreaded, WaitingForABusyGroupCostsNoCpu) {
  auto node = std::make_shared<rclcpp::Node>("node");
  MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 2);
  executor.add_node(node);
  std::atomic<bool> busy{false}, leave{false};
  auto blocker = node->create_wall_timer(1ms, [&](rclcpp::TimerBase & timer) {
    timer.cancel();
    busy = true;
    wait_until([&]() { return leave.load(); });
  });
  // Overdue all the time, but its group is busy.
  std::atomic<int> calls{0};
  auto overdue = node->create_wall_timer(2ms, [&]() { ++calls; });
  SpinningThread spinning(executor);
  ASSERT_TRUE(wait_until([&]() { return busy.load(); }));
  timespec before, after;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  std::this_thread::sleep_for(100ms);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  const auto used = (after.tv_sec - before.tv_sec) * 1000000000L + after.tv_nsec - before.tv_nsec;
  EXPECT_LT(used, 50000000L);
  leave = true;
  EXPECT_TRUE(wait_until([&]() { return calls > 0; }));
}

TEST_F(MultiThreaded, SpinUntilFutureCompleteWorksInTheCallingThreadOnly) {
  auto node = std::make_shared<rclcpp::Node>("node");
  MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 4);
  executor.add_node(node);
  std::promise<void> promise;
  auto future = promise.get_future().share();
  std::thread::id seen;
  auto timer = node->create_wall_timer(1ms, [&](rclcpp::TimerBase & self) {
    self.cancel();
    seen = std::this_thread::get_id();
    promise.set_value();
  });
  EXPECT_EQ(executor.spin_until_future_complete(future, 60s), rclcpp::FutureReturnCode::SUCCESS);
  EXPECT_EQ(seen, std::this_thread::get_id());
}
