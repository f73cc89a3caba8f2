// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
//
// Publishers and subscriptions: every callback signature, message info, serialized and generic
// endpoints, taking by hand, and what happens on misuse.

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ambf_conformance/observe.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rclcpp/serialization.hpp"
#include "std_msgs/msg/header.hpp"
#include "std_msgs/msg/int32.hpp"
#include "std_msgs/msg/string.hpp"

using namespace std::chrono_literals;
using observe::outcome;
using observe::Say;
using std_msgs::msg::String;

namespace
{

String text(const std::string & data)
{
  String message;
  message.data = data;
  return message;
}

void callback_signatures()
{
  observe::area("callback signatures");
  auto node = std::make_shared<rclcpp::Node>("signatures");
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);

  std::map<std::string, std::string> got;
  const auto note = [&got](const std::string & kind, const std::string & data) {
    got[kind] += data + ";";
  };
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions;
  const auto add = [&](auto && callback) {
    subscriptions.push_back(node->create_subscription<String>("words", 10, callback));
  };
  add([&](const String & m) { note("const T &", m.data); });
  add([&](const String & m, const rclcpp::MessageInfo & i) {
    note("const T & + info", m.data + (i.get_rmw_message_info().from_intra_process ? "!" : ""));
  });
  add([&](String::UniquePtr m) { note("unique_ptr", m->data); });
  add(
    [&](String::UniquePtr m, const rclcpp::MessageInfo &) { note("unique_ptr + info", m->data); });
  add([&](String::ConstSharedPtr m) { note("shared_ptr<const T>", m->data); });
  add([&](const String::ConstSharedPtr & m) { note("const shared_ptr<const T> &", m->data); });
  add([&](String::ConstSharedPtr m, const rclcpp::MessageInfo &) {
    note("shared_ptr<const T> + info", m->data);
  });
  add([&](const String::ConstSharedPtr & m, const rclcpp::MessageInfo &) {
    note("const shared_ptr<const T> & + info", m->data);
  });
  add([&](String::SharedPtr m) { note("shared_ptr<T>", m->data); });
  add([&](String::SharedPtr m, const rclcpp::MessageInfo &) {
    note("shared_ptr<T> + info", m->data);
  });
  const auto size = [](const rclcpp::SerializedMessage & m) { return std::to_string(m.size()); };
  add([&](const rclcpp::SerializedMessage & m) { note("const Serialized &", size(m)); });
  add([&](std::unique_ptr<rclcpp::SerializedMessage> m) { note("unique Serialized", size(*m)); });
  add([&](std::shared_ptr<const rclcpp::SerializedMessage> m) {
    note("shared const Serialized", size(*m));
  });
  add([&](std::shared_ptr<rclcpp::SerializedMessage> m, const rclcpp::MessageInfo &) {
    note("shared Serialized + info", size(*m));
  });

  auto publisher = node->create_publisher<String>("words", 10);
  const auto kinds = subscriptions.size();
  const auto matched =
    observe::spin_until(executor, [&] { return publisher->get_subscription_count() == kinds; });
  Say{"every subscription matched", matched, publisher->get_subscription_count()};

  publisher->publish(text("by reference"));
  auto owned = std::make_unique<String>();
  owned->data = "by unique_ptr";
  publisher->publish(std::move(owned));
  rclcpp::SerializedMessage serialized;
  rclcpp::Serialization<String> serialization;
  const auto third = text("serialized");
  serialization.serialize_message(&third, &serialized);
  publisher->publish(serialized);
  publisher->publish(serialized.get_rcl_serialized_message());

  observe::spin_until(executor, [&] {
    return got.size() == kinds && std::all_of(got.begin(), got.end(), [](const auto & entry) {
             return std::count(entry.second.begin(), entry.second.end(), ';') == 4;
           });
  });
  for (const auto & [kind, data] : got) { Say{kind, data}; }
  Say{"serialized flags", subscriptions[0]->is_serialized(), subscriptions.back()->is_serialized()};
}

void message_info()
{
  observe::area("message info");
  auto node = std::make_shared<rclcpp::Node>("info");
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  auto publisher = node->create_publisher<String>("info_topic", rclcpp::QoS(5));
  std::vector<rmw_message_info_t> infos;
  auto subscription = node->create_subscription<String>(
    "info_topic", 5, [&](const String &, const rclcpp::MessageInfo & info) {
      infos.push_back(info.get_rmw_message_info());
    });
  observe::spin_until(executor, [&] { return publisher->get_subscription_count() == 1; });
  publisher->publish(text("a"));
  publisher->publish(text("b"));
  observe::spin_until(executor, [&] { return infos.size() == 2; });
  Say{"messages", infos.size()};
  if (infos.size() == 2) {
    Say{"sent not after received", infos[0].source_timestamp <= infos[0].received_timestamp};
    Say{"in order of sending", infos[0].source_timestamp <= infos[1].source_timestamp};
    Say{
      "publication sequence numbers", infos[0].publication_sequence_number,
      infos[1].publication_sequence_number};
    const auto & gid = publisher->get_gid();
    Say{
      "gid of the publisher",
      std::equal(gid.data, gid.data + RMW_GID_STORAGE_SIZE, infos[0].publisher_gid.data)};
    Say{"publisher equals gid", *publisher == gid};
  }
  Say{"names", publisher->get_topic_name(), subscription->get_topic_name()};
  Say{"queue sizes", publisher->get_queue_size(), publisher->get_actual_qos().depth()};
  Say{
    "counts", publisher->get_subscription_count(), subscription->get_publisher_count(),
    publisher->get_intra_process_subscription_count()};
  Say{"loans", publisher->can_loan_messages()};
  subscription.reset();
  const auto left = observe::eventually([&] { return publisher->get_subscription_count() == 0; });
  Say{"subscription gone after reset", left};
}

void taking_by_hand()
{
  observe::area("taking by hand");
  auto node = std::make_shared<rclcpp::Node>("taker");
  bool called = false;
  auto subscription =
    node->create_subscription<String>("taken", 2, [&](const String &) { called = true; });
  auto publisher = node->create_publisher<String>("taken", 10);
  observe::eventually([&] { return publisher->get_subscription_count() == 1; });
  String message;
  rclcpp::MessageInfo info;
  Say{"nothing to take", subscription->take(message, info)};
  for (const auto * word : {"one", "two", "three"}) { publisher->publish(text(word)); }
  std::vector<std::string> taken;
  observe::eventually([&] {
    while (subscription->take(message, info)) { taken.push_back(message.data); }
    return !taken.empty() && taken.back() == "three";
  });
  Say{"last taken", taken.empty() ? "(none)" : taken.back()};
  Say{"callback called", called};
  publisher->publish(text("serialized"));
  rclcpp::SerializedMessage serialized;
  const auto took =
    observe::eventually([&] { return subscription->take_serialized(serialized, info); });
  Say{"take_serialized", took, serialized.size()};
  String back;
  rclcpp::Serialization<String>().deserialize_message(&serialized, &back);
  Say{"deserialized", back.data};
}

void serialized_messages()
{
  observe::area("serialized messages");
  rclcpp::SerializedMessage empty;
  Say{"empty", empty.size(), empty.capacity()};
  rclcpp::SerializedMessage reserved(16);
  Say{"reserved", reserved.size(), reserved.capacity()};
  reserved.reserve(64);
  Say{"after reserve(64)", reserved.size(), reserved.capacity()};

  rclcpp::Serialization<String> serialization;
  const auto hello = text("hello");
  rclcpp::SerializedMessage first;
  serialization.serialize_message(&hello, &first);
  const rclcpp::SerializedMessage copy(first);
  Say{
    "copy", copy.size(),
    copy.get_rcl_serialized_message().buffer != first.get_rcl_serialized_message().buffer};
  rclcpp::SerializedMessage moved(std::move(first));
  Say{"moved", moved.size(), moved.size() == copy.size()};
  std::string bytes;
  const auto & raw = moved.get_rcl_serialized_message();
  for (std::size_t i = 0; i < raw.buffer_length; ++i) {
    constexpr char digits[] = "0123456789abcdef";
    bytes += digits[raw.buffer[i] >> 4];
    bytes += digits[raw.buffer[i] & 15];
  }
  Say{"bytes", bytes};
  String out;
  Say{"null message", outcome([&] { serialization.serialize_message(nullptr, &moved); })};
  Say{"null target", outcome([&] { serialization.serialize_message(&hello, nullptr); })};
  Say{"deserialize empty", outcome([&] { serialization.deserialize_message(&empty, &out); })};
  Say{"deserialize null", outcome([&] { serialization.deserialize_message(&moved, nullptr); })};
  auto released = moved.release_rcl_serialized_message();
  Say{"released", released.buffer_length, moved.size()};
  Say{"released memory freed", rcutils_uint8_array_fini(&released) == RCUTILS_RET_OK};
}

void generic_endpoints()
{
  observe::area("generic endpoints");
  auto node = std::make_shared<rclcpp::Node>("generic");
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  auto publisher = node->create_generic_publisher("any", "std_msgs/msg/String", rclcpp::QoS(10));
  std::vector<std::string> typed;
  std::vector<std::string> generic;
  auto subscription = node->create_subscription<String>(
    "any", 10, [&](const String & m) { typed.push_back(m.data); });
  rclcpp::Serialization<String> serialization;
  auto generic_subscription = node->create_generic_subscription(
    "any", "std_msgs/msg/String", rclcpp::QoS(10),
    [&](std::shared_ptr<rclcpp::SerializedMessage> m) {
      String back;
      serialization.deserialize_message(m.get(), &back);
      generic.push_back(back.data);
    });
  observe::spin_until(executor, [&] { return publisher->get_subscription_count() == 2; });
  rclcpp::SerializedMessage message;
  const auto hello = text("generic hello");
  serialization.serialize_message(&hello, &message);
  publisher->publish(message);
  Say{"publish_as_loaned_msg", observe::outcome_type([&] {
        publisher->publish_as_loaned_msg(message);
      })};
  observe::spin_until(executor, [&] { return typed.size() == 1 && generic.size() == 1; });
  Say{"typed", observe::join(typed, "|")};
  Say{"generic", observe::join(generic, "|")};
  Say{"generic is serialized", generic_subscription->is_serialized()};
  Say{"unknown package", outcome([&] {
        node->create_generic_publisher("any", "no_such_package/msg/Text", rclcpp::QoS(1));
      })};
  Say{"unknown type", observe::outcome_type([&] {
        node->create_generic_publisher("any2", "std_msgs/msg/NoSuchType", rclcpp::QoS(1));
      })};
  Say{"type without package", outcome([&] {
        node->create_generic_subscription(
          "any2", "String", rclcpp::QoS(1), [](std::shared_ptr<rclcpp::SerializedMessage>) {});
      })};
}

void keep_last()
{
  observe::area("depth");
  auto node = std::make_shared<rclcpp::Node>("depth");
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  std::vector<std::string> got;
  auto publisher = node->create_publisher<String>("deep", 10);
  auto subscription =
    node->create_subscription<String>("deep", 3, [&](const String & m) { got.push_back(m.data); });
  observe::spin_until(executor, [&] { return publisher->get_subscription_count() == 1; });
  for (int i = 0; i < 8; ++i) { publisher->publish(text(std::to_string(i))); }
  observe::spin_until(executor, [&] { return !got.empty() && got.back() == "7"; });
  Say{"newest three of eight", observe::join(got)};

  got.clear();
  auto latched = node->create_publisher<String>("latched", rclcpp::QoS(2).transient_local());
  for (int i = 0; i < 4; ++i) { latched->publish(text(std::to_string(i))); }
  auto late = node->create_subscription<String>(
    "latched", rclcpp::QoS(5).transient_local(), [&](const String & m) { got.push_back(m.data); });
  observe::spin_until(executor, [&] { return got.size() == 2; });
  observe::spin_for(executor, 100ms);
  Say{"latched for a late subscriber", observe::join(got)};
}

void misuse()
{
  observe::area("misuse");
  auto node = std::make_shared<rclcpp::Node>("misuse");
  const auto with_name = [&](const std::string & name) {
    return outcome([&] { node->create_publisher<String>(name, 1); });
  };
  Say{"empty name", with_name("")};
  Say{"space in name", with_name("a b")};
  Say{"trailing slash", with_name("a/")};
  Say{"leading digit", with_name("1a")};
  Say{"unknown substitution", with_name("{nothing}/a")};
  Say{"subscription with a bad name", outcome([&] {
        node->create_subscription<String>("not good", 1, [](const String &) {});
      })};
  auto first = node->create_publisher<String>("typed_topic", 1);
  Say{"another type on the same topic", observe::outcome_type([&] {
        node->create_publisher<std_msgs::msg::Int32>("typed_topic", 1);
      })};
  std::shared_ptr<rclcpp::Publisher<String>> kept;
  {
    auto owner = std::make_shared<rclcpp::Node>("owner");
    kept = owner->create_publisher<String>("outlives", 1);
  }
  Say{"publishing after the node is gone", outcome([&] { kept->publish(text("x")); })};
  Say{
    "names", node->create_publisher<String>("~/private", 1)->get_topic_name(),
    node->create_publisher<String>("/absolute", 1)->get_topic_name(),
    node->create_publisher<String>("{node}/sub", 1)->get_topic_name()};
}

}  // namespace

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  callback_signatures();
  message_info();
  taking_by_hand();
  serialized_messages();
  generic_endpoints();
  keep_last();
  misuse();
  auto node = std::make_shared<rclcpp::Node>("last");
  auto publisher = node->create_publisher<String>("last", 1);
  Say{"shutdown", rclcpp::shutdown()};
  Say{"publish after shutdown", outcome([&] { publisher->publish(text("late")); })};
  return 0;
}
