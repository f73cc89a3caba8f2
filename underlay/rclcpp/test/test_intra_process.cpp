// SPDX-License-Identifier: BSD-3-Clause
// Hand-over of messages within a process: who gets the object itself, who a copy.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rclcpp/experimental/buffers/ring_buffer_implementation.hpp"
#include "rclcpp/experimental/executors/events_executor/events_executor.hpp"
#include "rclcpp/rclcpp.hpp"
#include "spin_node.hpp"
#include "std_msgs/msg/int32.hpp"

using namespace std::chrono_literals;  // NOLINT(build/namespaces)
using std_msgs::msg::Int32;
using Address = const void *;

namespace {

class IntraProcess : public ::testing::Test {
protected:
  void SetUp() override {
    rclcpp::init(0, nullptr);
    node = make_node("node");
  }
  void TearDown() override {
    subscriptions.clear();
    node.reset();
    rclcpp::shutdown();
  }

  static rclcpp::Node::SharedPtr make_node(const std::string & name) {
    return std::make_shared<rclcpp::Node>(name, rclcpp::NodeOptions().use_intra_process_comms(true));
  }

  // Messages are kept, so that addresses of different objects differ.
  void add_owner() {
    subscriptions.push_back(node->create_subscription<Int32>("topic", 10, [this](Int32::UniquePtr message) {
      owners.push_back(message.get());
      kept.push_back(std::move(message));
    }));
  }
  void add_reader() {
    subscriptions.push_back(node->create_subscription<Int32>("topic", 10, [this](Int32::ConstSharedPtr message) {
      readers.push_back(message.get());
      kept.push_back(message);
    }));
  }

  Address publish_and_spin() {
    auto publisher = node->create_publisher<Int32>("topic", 10);
    auto message = std::make_unique<Int32>();
    const Address address = message.get();
    publisher->publish(std::move(message));
    EXPECT_TRUE(spin_until(node, [this]() { return owners.size() + readers.size() == subscriptions.size(); }));
    return address;
  }

  rclcpp::Node::SharedPtr node;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions;
  std::vector<Address> owners, readers;
  std::vector<std::shared_ptr<const Int32>> kept;
};

}  // namespace

TEST_F(IntraProcess, OneOwnerGetsTheOriginal) {
  add_owner();
  const Address original = publish_and_spin();
  EXPECT_EQ(original, owners.at(0));
}

TEST_F(IntraProcess, ReadersShareTheOriginal) {
  add_reader();
  add_reader();
  const Address original = publish_and_spin();
  EXPECT_EQ((std::vector<Address>{original, original}), readers);
}

TEST_F(IntraProcess, OneOfTwoOwnersGetsTheOriginal) {
  add_owner();
  add_owner();
  const Address original = publish_and_spin();
  EXPECT_NE(owners.at(0), owners.at(1));
  EXPECT_TRUE(owners.at(0) == original || owners.at(1) == original);
}

TEST_F(IntraProcess, BesideAnOwnerReadersShareOneCopy) {
  add_reader();
  add_owner();
  add_reader();
  const Address original = publish_and_spin();
  EXPECT_EQ(original, owners.at(0));
  EXPECT_EQ(readers.at(0), readers.at(1));
  EXPECT_NE(original, readers.at(0));
}

TEST_F(IntraProcess, PublishingAReferenceMakesACopy) {
  add_owner();
  auto publisher = node->create_publisher<Int32>("topic", 10);
  const Int32 message;
  publisher->publish(message);
  EXPECT_TRUE(spin_until(node, [this]() { return owners.size() == 1; }));
  EXPECT_NE(static_cast<Address>(&message), owners.at(0));
}

TEST_F(IntraProcess, SignaturesOfBothKindsSeeTheFlag) {
  int from_inside = 0;
  const auto count = [&](const rclcpp::MessageInfo & info) {
    from_inside += info.get_rmw_message_info().from_intra_process;
  };
  const auto add = [&](auto callback) {
    subscriptions.push_back(node->create_subscription<Int32>("topic", 10, callback));
  };
  add([&](const Int32 &, const rclcpp::MessageInfo & info) { count(info); });
  add([&](Int32::SharedPtr, const rclcpp::MessageInfo & info) { count(info); });
  add([&](Int32::ConstSharedPtr, const rclcpp::MessageInfo & info) { count(info); });
  add([&](Int32::UniquePtr, const rclcpp::MessageInfo & info) { count(info); });
  add([&](std::shared_ptr<rclcpp::SerializedMessage> message, const rclcpp::MessageInfo & info) {
    EXPECT_GT(message->size(), 0u);
    count(info);
  });
  auto publisher = node->create_publisher<Int32>("topic", 10);
  EXPECT_EQ(5u, publisher->get_intra_process_subscription_count());
  publisher->publish(Int32());
  EXPECT_TRUE(spin_until(node, [&]() { return from_inside == 5; }));
}

TEST_F(IntraProcess, ReadersInsideAndOutsideEachGetOneMessage) {
  add_reader();
  auto outside = std::make_shared<rclcpp::Node>("outside");
  int heard_outside = 0;
  auto subscription = outside->create_subscription<Int32>("topic", 10, [&](const Int32 &) { ++heard_outside; });
  auto publisher = node->create_publisher<Int32>("topic", 10);
  ASSERT_TRUE(spinning::wait_until([&]() { return publisher->get_subscription_count() == 2; }));
  EXPECT_EQ(1u, publisher->get_intra_process_subscription_count());
  auto message = std::make_unique<Int32>();
  const Address original = message.get();
  publisher->publish(std::move(message));
  EXPECT_TRUE(spin_until(outside, [&]() { return heard_outside == 1; }));
  EXPECT_TRUE(spin_until(node, [&]() { return readers.size() == 1; }));
  EXPECT_EQ(original, readers.at(0));
  // The middleware brings the message to the inner reader too; it must be dropped there.
  rclcpp::spin_all(node, 50ms);
  EXPECT_EQ(1u, readers.size());
}

TEST_F(IntraProcess, KeepLastDropsTheOldest) {
  std::vector<int> heard;
  auto subscription =
    node->create_subscription<Int32>("topic", 3, [&](const Int32 & message) { heard.push_back(message.data); });
  auto publisher = node->create_publisher<Int32>("topic", 3);
  for (int i = 0; i < 5; ++i) {
    Int32 message;
    message.data = i;
    publisher->publish(message);
  }
  EXPECT_EQ(0u, publisher->lowest_available_ipm_capacity());
  EXPECT_TRUE(spin_until(node, [&]() { return heard.size() == 3; }));
  EXPECT_EQ((std::vector<int>{2, 3, 4}), heard);
  EXPECT_EQ(3u, publisher->lowest_available_ipm_capacity());
}

TEST_F(IntraProcess, TransientLocalServesLateReadersOnce) {
  const auto qos = rclcpp::QoS(2).transient_local();
  auto publisher = node->create_publisher<Int32>("topic", qos);
  for (int i = 0; i < 4; ++i) {
    Int32 message;
    message.data = i;
    publisher->publish(message);
  }
  std::vector<int> heard;
  auto late = node->create_subscription<Int32>(
    "topic", qos, [&](Int32::ConstSharedPtr message) { heard.push_back(message->data); });
  EXPECT_TRUE(spin_until(node, [&]() { return heard.size() == 2; }));
  rclcpp::spin_all(node, 50ms);
  EXPECT_EQ((std::vector<int>{2, 3}), heard);
  auto volatile_reader =
    node->create_subscription<Int32>("topic", 2, [&](Int32::ConstSharedPtr) { heard.push_back(-1); });
  rclcpp::spin_all(node, 50ms);
  EXPECT_EQ(2u, heard.size());
}

TEST_F(IntraProcess, KeepAllIsRefused) {
  const rclcpp::QoS keep_all{rclcpp::KeepAll()};
  EXPECT_THROW(node->create_publisher<Int32>("topic", keep_all), std::invalid_argument);
  EXPECT_THROW(node->create_subscription<Int32>("topic", keep_all, [](const Int32 &) {}), std::invalid_argument);
}

TEST_F(IntraProcess, SerializedMessagesAreRefusedByItsPublishers) {
  auto publisher = node->create_publisher<Int32>("topic", 1);
  EXPECT_THROW(publisher->publish(rclcpp::SerializedMessage(8)), std::runtime_error);
}

TEST_F(IntraProcess, IncompatibleEndpointsAreNotConnected) {
  auto publisher = node->create_publisher<Int32>("topic", rclcpp::QoS(1).best_effort());
  auto subscription =
    node->create_subscription<Int32>("topic", rclcpp::QoS(1).reliable(), [](const Int32 &) { FAIL(); });
  EXPECT_EQ(0u, publisher->get_intra_process_subscription_count());
  publisher->publish(Int32());
  rclcpp::spin_all(node, 20ms);
}

TEST_F(IntraProcess, TheOptionOfTheEndpointOverridesTheNode) {
  rclcpp::SubscriptionOptions options;
  options.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
  auto publisher = node->create_publisher<Int32>("topic", 1);
  auto subscription = node->create_subscription<Int32>("topic", 1, [](const Int32 &) {}, options);
  EXPECT_EQ(0u, publisher->get_intra_process_subscription_count());
  EXPECT_EQ(nullptr, subscription->get_intra_process_waitable());
}

TEST_F(IntraProcess, AnotherContextOfTheProcessIsOutside) {
  auto context = std::make_shared<rclcpp::Context>();
  context->init(0, nullptr, rclcpp::InitOptions().auto_initialize_logging(false));
  {
    auto elsewhere =
      std::make_shared<rclcpp::Node>("elsewhere", rclcpp::NodeOptions().context(context).use_intra_process_comms(true));
    auto subscription = elsewhere->create_subscription<Int32>("topic", 1, [](const Int32 &) {});
    auto publisher = node->create_publisher<Int32>("topic", 1);
    EXPECT_EQ(0u, publisher->get_intra_process_subscription_count());
  }
  context->shutdown("end");
}

TEST_F(IntraProcess, APipelineOfTwoNodesPassesOneObjectAround) {
  // As in the cyclic pipeline of the demos: each node increments and sends on.
  auto other = make_node("other");
  std::vector<Address> seen;
  std::vector<int> values;
  auto to_other = node->create_publisher<Int32>("ping", 10);
  auto to_node = other->create_publisher<Int32>("pong", 10);
  const auto pass = [&](auto publisher) {
    return [&, publisher](Int32::UniquePtr message) {
      seen.push_back(message.get());
      values.push_back(message->data++);
      publisher->publish(std::move(message));
    };
  };
  auto at_other = other->create_subscription<Int32>("ping", 10, pass(to_node));
  auto at_node = node->create_subscription<Int32>("pong", 10, pass(to_other));
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  executor.add_node(other);
  to_other->publish(std::make_unique<Int32>());
  EXPECT_TRUE(spinning::spin_until(executor, [&]() { return values.size() >= 6; }));
  EXPECT_EQ(5, values.at(5));
  for (const Address address : seen) { EXPECT_EQ(seen.front(), address); }
}

TEST_F(IntraProcess, EveryMessageArrivesOnceWithManyPublishingThreads) {
  constexpr int threads = 3, each = 200;
  rclcpp::experimental::executors::EventsExecutor events;
  rclcpp::executors::SingleThreadedExecutor single;
  auto other = make_node("other");
  std::atomic_int by_events{0}, by_single{0};
  const rclcpp::QoS qos(threads * each);
  auto one = node->create_subscription<Int32>("topic", qos, [&](Int32::ConstSharedPtr) { ++by_events; });
  auto two = other->create_subscription<Int32>("topic", qos, [&](Int32::UniquePtr) { ++by_single; });
  events.add_node(node);
  single.add_node(other);
  auto publisher_node = make_node("publishes");
  auto publisher = publisher_node->create_publisher<Int32>("topic", qos);
  {
    spinning::SpinningThread events_thread(events), single_thread(single);
    std::vector<std::thread> publishing;
    for (int i = 0; i < threads; ++i) {
      publishing.emplace_back([&]() {
        for (int k = 0; k < each; ++k) { publisher->publish(std::make_unique<Int32>()); }
      });
    }
    for (auto & thread : publishing) { thread.join(); }
    EXPECT_TRUE(spinning::wait_until([&]() { return by_events == threads * each && by_single == threads * each; }));
  }
}

TEST_F(IntraProcess, SubscriptionsMayComeAndGoWhileMessagesFlow) {
  std::atomic_bool stop{false};
  auto publisher = node->create_publisher<Int32>("topic", 5);
  std::thread publishing([&]() {
    while (!stop) {
      publisher->publish(std::make_unique<Int32>());
      std::this_thread::yield();
    }
  });
  rclcpp::executors::SingleThreadedExecutor executor;
  auto other = make_node("other");
  executor.add_node(other);
  {
    spinning::SpinningThread spinning(executor);
    for (int i = 0; i < 20; ++i) {
      // A callback may still be running after the node was removed, so it owns what it counts.
      auto heard = std::make_shared<std::atomic_int>(0);
      auto subscription = other->create_subscription<Int32>("topic", 5, [heard](Int32::ConstSharedPtr) { ++*heard; });
      EXPECT_TRUE(spinning::wait_until([&]() { return *heard > 0; }));
      executor.remove_node(other);
      subscription.reset();
      executor.add_node(other);
    }
  }
  stop = true;
  publishing.join();
}

TEST(RingBuffer, CopiesOldestFirst) {
  rclcpp::experimental::buffers::RingBufferImplementation<int> ring(2);
  for (int i = 0; i < 3; ++i) { ring.enqueue(i); }
  EXPECT_EQ((std::vector<int>{1, 2}), ring.get_all_data());
}

TEST(RingBuffer, KeepsTheLatest) {
  rclcpp::experimental::buffers::RingBufferImplementation<std::unique_ptr<int>> ring(2);
  EXPECT_EQ(nullptr, ring.dequeue());
  for (int i = 0; i < 3; ++i) { ring.enqueue(std::make_unique<int>(i)); }
  EXPECT_TRUE(ring.is_full());
  EXPECT_EQ(1, *ring.dequeue());
  EXPECT_EQ(2, *ring.dequeue());
  EXPECT_FALSE(ring.has_data());
  EXPECT_THROW(rclcpp::experimental::buffers::RingBufferImplementation<int>(0), std::invalid_argument);
}
