// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
//
// Intra-process communication: who gets the publisher's own object and who a copy, for owners
// (unique_ptr), readers (shared_ptr<const T>) and mixtures, with and without remote readers.

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "ambf_conformance/observe.hpp"
#include "rclcpp/experimental/executors/events_executor/events_executor.hpp"
#include "rclcpp/rclcpp.hpp"
#include "std_msgs/msg/u_int8_multi_array.hpp"

using namespace std::chrono_literals;
using observe::outcome;
using observe::Say;
using Bytes = std_msgs::msg::UInt8MultiArray;

namespace
{

rclcpp::Node::SharedPtr intra_node(const std::string & name, bool intra = true)
{
  return std::make_shared<rclcpp::Node>(name, rclcpp::NodeOptions().use_intra_process_comms(intra));
}

/// Payload addresses seen by the callbacks of one case, by the kind of callback.
struct Seen
{
  std::vector<const void *> owners;
  std::vector<const void *> readers;
  std::size_t count() const { return owners.size() + readers.size(); }
};

struct Case
{
  int owners{0};
  int readers{0};
  int references{0};
  bool remote{false};  // one more subscription that does not use intra-process
  bool publish_reference{false};
};

void run(const std::string & name, const Case & setup)
{
  static int number = 0;
  const std::string topic = "matrix_" + std::to_string(number++);
  auto node = intra_node("matrix");
  auto plain = intra_node("plain", false);
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  executor.add_node(plain);
  Seen seen;
  std::vector<std::unique_ptr<Bytes>> kept_owned;
  std::vector<Bytes::ConstSharedPtr> kept_shared;
  int remote_count = 0;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions;
  for (int i = 0; i < setup.owners; ++i) {
    subscriptions.push_back(
      node->create_subscription<Bytes>(topic, 10, [&](std::unique_ptr<Bytes> m) {
        seen.owners.push_back(m->data.data());
        kept_owned.push_back(std::move(m));
      }));
  }
  for (int i = 0; i < setup.readers; ++i) {
    subscriptions.push_back(
      node->create_subscription<Bytes>(topic, 10, [&](Bytes::ConstSharedPtr m) {
        seen.readers.push_back(m->data.data());
        kept_shared.push_back(m);
      }));
  }
  for (int i = 0; i < setup.references; ++i) {
    subscriptions.push_back(node->create_subscription<Bytes>(
      topic, 10, [&](const Bytes & m) { seen.readers.push_back(m.data.data()); }));
  }
  if (setup.remote) {
    subscriptions.push_back(
      plain->create_subscription<Bytes>(topic, 10, [&](const Bytes &) { ++remote_count; }));
  }
  auto publisher = node->create_publisher<Bytes>(topic, 10);
  observe::spin_until(
    executor, [&] { return publisher->get_subscription_count() == subscriptions.size(); });
  auto message = std::make_unique<Bytes>();
  message->data.resize(4096, 7);
  const void * original = message->data.data();
  if (setup.publish_reference) {
    publisher->publish(*message);
  } else {
    publisher->publish(std::move(message));
  }
  const auto wanted = static_cast<std::size_t>(setup.owners + setup.readers + setup.references);
  observe::spin_until(
    executor, [&] { return seen.count() == wanted && remote_count == (setup.remote ? 1 : 0); });
  const auto originals = [&](const std::vector<const void *> & addresses) {
    return std::count(addresses.begin(), addresses.end(), original);
  };
  const auto distinct = [](const std::vector<const void *> & addresses) {
    return std::set<const void *>(addresses.begin(), addresses.end()).size();
  };
  Say{
    name,
    "owners",
    seen.owners.size(),
    "with the original",
    originals(seen.owners),
    "| readers",
    seen.readers.size(),
    "with the original",
    originals(seen.readers),
    "distinct",
    distinct(seen.readers),
    "| remote",
    remote_count,
    "| intra",
    publisher->get_intra_process_subscription_count()};
}

void matrix()
{
  observe::area("who gets the original");
  run("one owner", {1, 0, 0, false, false});
  run("two owners", {2, 0, 0, false, false});
  run("one reader", {0, 1, 0, false, false});
  run("three readers", {0, 3, 0, false, false});
  run("one by reference", {0, 0, 1, false, false});
  run("owner and reader", {1, 1, 0, false, false});
  run("owner and three readers", {1, 3, 0, false, false});
  run("two owners and two readers", {2, 2, 0, false, false});
  run("reader and reference", {0, 1, 1, false, false});
  run("owner and remote", {1, 0, 0, true, false});
  run("reader and remote", {0, 1, 0, true, false});
  run("owner, two readers and remote", {1, 2, 0, true, false});
  run("published by reference, one owner", {1, 0, 0, false, true});
  run("published by reference, two readers", {0, 2, 0, false, true});
  run("published by reference, owner, reader and remote", {1, 1, 0, true, true});
}

void settings()
{
  observe::area("settings");
  auto node = intra_node("settings");
  auto plain = intra_node("settings_off", false);
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  executor.add_node(plain);
  int count = 0;
  const auto hear = [&](Bytes::ConstSharedPtr) { ++count; };

  rclcpp::PublisherOptions off;
  off.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
  rclcpp::PublisherOptions on;
  on.use_intra_process_comm = rclcpp::IntraProcessSetting::Enable;
  rclcpp::SubscriptionOptions sub_on;
  sub_on.use_intra_process_comm = rclcpp::IntraProcessSetting::Enable;
  rclcpp::SubscriptionOptions sub_off;
  sub_off.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;

  auto subscription = node->create_subscription<Bytes>("set", 10, hear);
  auto disabled = node->create_publisher<Bytes>("set", 10, off);
  auto enabled = plain->create_publisher<Bytes>("set", 10, on);
  Say{"publisher off on a node with it", disabled->get_intra_process_subscription_count()};
  Say{"publisher on in a node without it", enabled->get_intra_process_subscription_count()};
  auto second = plain->create_subscription<Bytes>("set", 10, hear, sub_on);
  auto third = node->create_subscription<Bytes>("set", 10, hear, sub_off);
  Say{"subscription on in a node without it", enabled->get_intra_process_subscription_count()};
  observe::spin_until(executor, [&] {
    return enabled->get_subscription_count() == 3 && disabled->get_subscription_count() == 3;
  });
  disabled->publish(Bytes());
  observe::spin_until(executor, [&] { return count == 3; });
  enabled->publish(Bytes());
  observe::spin_until(executor, [&] { return count == 6; });
  observe::spin_for(executor, 50ms);
  Say{"every message arrived once", count};

  Say{"keep all publisher", outcome([&] {
        node->create_publisher<Bytes>("all", rclcpp::QoS(rclcpp::KeepAll()));
      })};
  Say{"keep all subscription", outcome([&] {
        node->create_subscription<Bytes>("all", rclcpp::QoS(rclcpp::KeepAll()), hear);
      })};
  Say{"depth zero publisher", outcome([&] {
        node->create_publisher<Bytes>("zero", rclcpp::QoS(rclcpp::KeepLast(0)));
      })};
  Say{"depth zero subscription", outcome([&] {
        node->create_subscription<Bytes>("zero", rclcpp::QoS(rclcpp::KeepLast(0)), hear);
      })};
  auto best = node->create_publisher<Bytes>("quality", rclcpp::QoS(5).best_effort());
  auto reliable = node->create_subscription<Bytes>("quality", rclcpp::QoS(5).reliable(), hear);
  Say{"incompatible reliability connected", best->get_intra_process_subscription_count()};
  auto bytes = node->create_publisher<Bytes>("typed", 5);
  Say{"buffer types", outcome([&] {
        rclcpp::SubscriptionOptions options;
        options.intra_process_buffer_type = rclcpp::IntraProcessBufferType::UniquePtr;
        node->create_subscription<Bytes>("typed", 5, hear, options);
        options.intra_process_buffer_type = rclcpp::IntraProcessBufferType::SharedPtr;
        node->create_subscription<Bytes>("typed", 5, hear, options);
      })};
}

void depth_and_history()
{
  observe::area("depth and history");
  auto node = intra_node("history");
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  std::vector<int> got;
  const auto hear = [&](Bytes::ConstSharedPtr m) { got.push_back(m->data.at(0)); };
  const auto send = [](const rclcpp::Publisher<Bytes>::SharedPtr & publisher, int value) {
    auto message = std::make_unique<Bytes>();
    message->data.push_back(static_cast<std::uint8_t>(value));
    publisher->publish(std::move(message));
  };
  auto publisher = node->create_publisher<Bytes>("depth", 10);
  auto subscription = node->create_subscription<Bytes>("depth", 3, hear);
  executor.spin_some();
  for (int i = 0; i < 8; ++i) { send(publisher, i); }
  observe::spin_until(executor, [&] { return got.size() == 3; });
  observe::spin_for(executor, 30ms);
  Say{"newest three of eight", observe::join(got)};

  got.clear();
  auto latched = node->create_publisher<Bytes>("latched", rclcpp::QoS(2).transient_local());
  for (int i = 0; i < 4; ++i) { send(latched, i); }
  auto late = node->create_subscription<Bytes>("latched", rclcpp::QoS(5).transient_local(), hear);
  observe::spin_until(executor, [&] { return got.size() == 2; });
  observe::spin_for(executor, 50ms);
  Say{"latched for a late subscriber", observe::join(got)};
  auto volatile_late = node->create_subscription<Bytes>("latched", rclcpp::QoS(5), hear);
  observe::spin_for(executor, 50ms);
  Say{"nothing latched for a volatile one", got.size()};
  send(latched, 9);
  observe::spin_until(executor, [&] { return got.size() == 4; });
  Say{"both hear the next", observe::join(got)};
  Say{"lowest available capacity", publisher->lowest_available_ipm_capacity()};
}

void info_and_contexts()
{
  observe::area("message info and contexts");
  auto node = intra_node("info");
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  int from_intra = -1;
  auto subscription = node->create_subscription<Bytes>(
    "info", 3, [&](Bytes::ConstSharedPtr, const rclcpp::MessageInfo & info) {
      from_intra = info.get_rmw_message_info().from_intra_process ? 1 : 0;
    });
  auto publisher = node->create_publisher<Bytes>("info", 3);
  publisher->publish(Bytes());
  observe::spin_until(executor, [&] { return from_intra >= 0; });
  Say{"from_intra_process", from_intra};

  auto context = std::make_shared<rclcpp::Context>();
  context->init(0, nullptr);
  auto other = std::make_shared<rclcpp::Node>(
    "elsewhere", rclcpp::NodeOptions().context(context).use_intra_process_comms(true));
  auto foreign = other->create_publisher<Bytes>("info", 3);
  Say{"subscriptions of another context", foreign->get_intra_process_subscription_count()};
  subscription.reset();
  Say{"after the subscription is gone", publisher->get_intra_process_subscription_count()};
  context->shutdown("done");
}

void events_executor_hand_over()
{
  observe::area("hand-over between threads");
  auto node = intra_node("giver");
  auto taker = intra_node("taker");
  rclcpp::experimental::executors::EventsExecutor executor;
  executor.add_node(taker);
  std::atomic<const void *> received{nullptr};
  std::atomic<bool> other_thread{false};
  const auto here = std::this_thread::get_id();
  auto subscription = taker->create_subscription<Bytes>("given", 3, [&](std::unique_ptr<Bytes> m) {
    other_thread = std::this_thread::get_id() != here;
    received = m->data.data();
  });
  auto publisher = node->create_publisher<Bytes>("given", 3);
  std::thread thread([&] { executor.spin(); });
  auto message = std::make_unique<Bytes>();
  message->data.resize(1 << 20);
  const void * original = message->data.data();
  publisher->publish(std::move(message));
  const auto arrived = observe::eventually([&] { return received.load() != nullptr; });
  executor.cancel();
  thread.join();
  Say{"arrived",          arrived, "same payload", received.load() == original, "other thread",
      other_thread.load()};
}

}  // namespace

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  matrix();
  settings();
  depth_and_history();
  info_and_contexts();
  events_executor_hand_over();
  rclcpp::shutdown();
  return 0;
}
