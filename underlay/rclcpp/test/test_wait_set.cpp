// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>

#include "rclcpp/rclcpp.hpp"
#include "test_msgs/msg/basic_types.hpp"
#include "test_msgs/srv/basic_types.hpp"

using namespace std::chrono_literals;
using Message = test_msgs::msg::BasicTypes;
using Service = test_msgs::srv::BasicTypes;

namespace {

class WaitSets : public ::testing::Test {
protected:
  void SetUp() override {
    rclcpp::init(0, nullptr);
    node = std::make_shared<rclcpp::Node>("node");
  }
  void TearDown() override {
    node.reset();
    rclcpp::shutdown();
  }

  static void serve(const std::shared_ptr<Service::Request> request, std::shared_ptr<Service::Response> response) {
    response->int32_value = request->int32_value + 1;
  }

  std::shared_ptr<rclcpp::Node> node;
};

/// Ready after each trigger of its own guard condition.
class Doorbell : public rclcpp::Waitable {
public:
  size_t get_number_of_ready_guard_conditions() override { return 1; }
  void add_to_wait_set(rcl_wait_set_t & wait_set) override { condition.add_to_wait_set(wait_set); }
  bool is_ready(const rcl_wait_set_t & wait_set) override {
    for (size_t i = 0; i < wait_set.size_of_guard_conditions; ++i) {
      if (wait_set.guard_conditions[i] == &condition.get_rcl_guard_condition()) { return true; }
    }
    return false;
  }
  std::shared_ptr<void> take_data() override { return nullptr; }
  void execute(const std::shared_ptr<void> &) override { ++rings; }

  rclcpp::GuardCondition condition;
  int rings = 0;
};

}  // namespace

TEST_F(WaitSets, EmptySetReturnsEmptyAtOnce) {
  rclcpp::WaitSet wait_set;
  auto result = wait_set.wait(60s);
  EXPECT_EQ(result.kind(), rclcpp::WaitResultKind::Empty);
  EXPECT_THROW(result.get_wait_set(), std::runtime_error);
}

TEST_F(WaitSets, GuardConditionWakesFromAnotherThread) {
  auto condition = std::make_shared<rclcpp::GuardCondition>();
  rclcpp::WaitSet wait_set({}, {condition});
  EXPECT_EQ(wait_set.wait(2ms).kind(), rclcpp::WaitResultKind::Timeout);
  std::thread ringer([&]() {
    std::this_thread::sleep_for(5ms);
    condition->trigger();
  });
  auto result = wait_set.wait(60s);
  ringer.join();
  ASSERT_EQ(result.kind(), rclcpp::WaitResultKind::Ready);
  EXPECT_NE(result.get_wait_set().get_rcl_wait_set().guard_conditions[0], nullptr);
}

TEST_F(WaitSets, EntitiesKeepTheOrderOfTheirAdding) {
  const auto ignore = [](const Message &) { ADD_FAILURE() << "nobody spins"; };
  auto first = node->create_subscription<Message>("first", 10, ignore);
  auto second = node->create_subscription<Message>("second", 10, ignore);
  auto publisher = node->create_publisher<Message>("second", 10);
  rclcpp::WaitSet wait_set({{first}, {second}}, {});
  Message message;
  message.int32_value = 9;
  publisher->publish(message);
  auto result = wait_set.wait(60s);
  ASSERT_EQ(result.kind(), rclcpp::WaitResultKind::Ready);
  const auto & rcl_wait_set = result.get_wait_set().get_rcl_wait_set();
  EXPECT_EQ(rcl_wait_set.subscriptions[0], nullptr);
  EXPECT_NE(rcl_wait_set.subscriptions[1], nullptr);
  EXPECT_EQ(result.next_ready_subscription(), second);
  EXPECT_EQ(result.next_ready_subscription(), nullptr);
  Message received;
  rclcpp::MessageInfo info;
  ASSERT_TRUE(second->take(received, info));
  EXPECT_EQ(received.int32_value, 9);
  EXPECT_FALSE(first->take(received, info));
}

TEST_F(WaitSets, TimersClientsAndServicesBecomeReady) {
  auto service = node->create_service<Service>("service", &WaitSets::serve);
  auto client = node->create_client<Service>("service");
  int ticks = 0;
  auto timer = node->create_wall_timer(1ms, [&]() { ++ticks; });
  rclcpp::WaitSet wait_set({}, {}, {timer});
  {
    auto result = wait_set.wait(60s);
    ASSERT_EQ(result.kind(), rclcpp::WaitResultKind::Ready);
    auto [ready, index] = result.peek_next_ready_timer();
    ASSERT_EQ(ready, timer);
    result.clear_timer_with_index(index);
    EXPECT_EQ(result.peek_next_ready_timer().first, nullptr);
    auto data = ready->call();
    ASSERT_TRUE(data);
    ready->execute_callback(data);
    EXPECT_EQ(ticks, 1);
  }
  wait_set.remove_timer(timer);
  wait_set.add_service(service);
  wait_set.add_client(client);
  ASSERT_TRUE(client->wait_for_service(60s));
  auto future = client->async_send_request(std::make_shared<Service::Request>());
  {
    auto result = wait_set.wait(60s);
    ASSERT_EQ(result.kind(), rclcpp::WaitResultKind::Ready);
    ASSERT_EQ(result.next_ready_service(), service);
    auto request = std::make_shared<Service::Request>();
    auto header = service->create_request_header();
    ASSERT_TRUE(service->take_request(*request, *header));
    service->handle_request(header, request);
  }
  auto result = wait_set.wait(60s);
  ASSERT_EQ(result.kind(), rclcpp::WaitResultKind::Ready);
  ASSERT_EQ(result.next_ready_client(), client);
  auto response = client->create_response();
  auto header = client->create_request_header();
  ASSERT_TRUE(client->take_type_erased_response(response.get(), *header));
  client->handle_response(header, response);
  EXPECT_EQ(future.get()->int32_value, 1);
}

TEST_F(WaitSets, WaitablesReportThemselves) {
  auto doorbell = std::make_shared<Doorbell>();
  rclcpp::WaitSet wait_set;
  wait_set.add_waitable(doorbell);
  EXPECT_EQ(wait_set.wait(2ms).kind(), rclcpp::WaitResultKind::Timeout);
  doorbell->condition.trigger();
  auto result = wait_set.wait(60s);
  ASSERT_EQ(result.kind(), rclcpp::WaitResultKind::Ready);
  EXPECT_EQ(result.next_ready_waitable(), doorbell);
  EXPECT_EQ(result.next_ready_waitable(), nullptr);
}

TEST_F(WaitSets, WaitablesRunInExecutors) {
  auto doorbell = std::make_shared<Doorbell>();
  node->get_node_waitables_interface()->add_waitable(doorbell, nullptr);
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  executor.spin_some();
  EXPECT_EQ(doorbell->rings, 0);
  doorbell->condition.trigger();
  executor.spin_some();
  EXPECT_EQ(doorbell->rings, 1);
}

TEST_F(WaitSets, IntraProcessMessagesWakeThroughTheSubscription) {
  rclcpp::SubscriptionOptions options;
  options.use_intra_process_comm = rclcpp::IntraProcessSetting::Enable;
  rclcpp::PublisherOptions publisher_options;
  publisher_options.use_intra_process_comm = rclcpp::IntraProcessSetting::Enable;
  int received = 0;
  auto subscription = node->create_subscription<Message>("topic", 10, [&](Message::UniquePtr) { ++received; }, options);
  auto publisher = node->create_publisher<Message>("topic", 10, publisher_options);
  rclcpp::WaitSet wait_set({{subscription}}, {});
  publisher->publish(std::make_unique<Message>());
  auto result = wait_set.wait(60s);
  ASSERT_EQ(result.kind(), rclcpp::WaitResultKind::Ready);
  auto waitable = result.next_ready_waitable();
  ASSERT_EQ(waitable, subscription->get_intra_process_waitable());
  auto data = waitable->take_data();
  waitable->execute(data);
  EXPECT_EQ(received, 1);
}

TEST_F(WaitSets, EntitiesBelongToOneSetAtATime) {
  auto timer = node->create_wall_timer(1h, []() {});
  auto condition = std::make_shared<rclcpp::GuardCondition>();
  {
    rclcpp::WaitSet first({}, {condition}, {timer});
    rclcpp::WaitSet second;
    EXPECT_THROW(first.add_timer(timer), std::runtime_error);
    EXPECT_THROW(second.add_timer(timer), std::runtime_error);
    EXPECT_THROW(second.add_guard_condition(condition), std::runtime_error);
    EXPECT_THROW(second.remove_timer(timer), std::runtime_error);
    EXPECT_THROW(second.add_timer(nullptr), std::invalid_argument);
    first.remove_timer(timer);
    EXPECT_NO_THROW(second.add_timer(timer));
  }
  rclcpp::WaitSet third;
  EXPECT_NO_THROW(third.add_timer(timer));
  EXPECT_NO_THROW(third.add_guard_condition(condition));
}

TEST_F(WaitSets, DestroyedEntitiesAreForgotten) {
  rclcpp::WaitSet wait_set;
  wait_set.add_timer(node->create_wall_timer(1h, []() {}));
  EXPECT_EQ(wait_set.wait(60s).kind(), rclcpp::WaitResultKind::Empty);
}

TEST_F(WaitSets, AResultStaysWholeWhenTheSetIsChanged) {
  auto first = std::make_shared<rclcpp::GuardCondition>();
  auto timer = node->create_wall_timer(0s, []() {});
  auto second_timer = node->create_wall_timer(0s, []() {});
  rclcpp::WaitSet wait_set({}, {first}, {timer, second_timer});
  auto result = wait_set.wait(60s);
  ASSERT_EQ(result.kind(), rclcpp::WaitResultKind::Ready);
  for (int i = 0; i < 64; ++i) {
    wait_set.add_timer(node->create_wall_timer(1h, []() {}));
  }
  wait_set.remove_timer(timer);
  auto [ready, index] = result.peek_next_ready_timer();
  EXPECT_EQ(ready, timer);
  EXPECT_EQ(result.peek_next_ready_timer(index + 1).first, second_timer);
  EXPECT_EQ(result.peek_next_ready_timer(index + 2).first, nullptr);
}

TEST_F(WaitSets, AnotherWaitIsAllowedWhileAResultLives) {
  auto condition = std::make_shared<rclcpp::GuardCondition>();
  rclcpp::WaitSet wait_set({}, {condition});
  condition->trigger();
  {
    auto result = wait_set.wait(60s);
    ASSERT_EQ(result.kind(), rclcpp::WaitResultKind::Ready);
    EXPECT_EQ(wait_set.wait(0s).kind(), rclcpp::WaitResultKind::Timeout);
  }
  EXPECT_EQ(wait_set.wait(0s).kind(), rclcpp::WaitResultKind::Timeout);
}
