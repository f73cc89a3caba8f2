// SPDX-License-Identifier: BSD-3-Clause
// Publishers and subscriptions through the middleware: signatures, QoS, events, generic, graph.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rclcpp/rclcpp.hpp"
#include "rclcpp/serialization.hpp"
#include "rclcpp/wait_for_message.hpp"
#include "spin_node.hpp"
#include "std_msgs/msg/int32.hpp"
#include "std_msgs/msg/string.hpp"
#include "test_msgs/msg/arrays.hpp"
#include "type_description_interfaces/srv/get_type_description.hpp"

using namespace std::chrono_literals;  // NOLINT(build/namespaces)
using rclcpp::MessageInfo;
using rclcpp::SerializedMessage;
using std_msgs::msg::Int32;
using std_msgs::msg::String;

namespace {

std::set<std::string> heard;

void free_function(String::ConstSharedPtr message) { heard.insert("function " + message->data); }

struct Listener {
  void by_reference(const String & message) const { heard.insert("member " + message.data); }
  void with_info(String::UniquePtr message, const MessageInfo &) { heard.insert("member with info " + message->data); }
};

class PubSub : public ::testing::Test {
protected:
  void SetUp() override {
    rclcpp::init(0, nullptr);
    node = std::make_shared<rclcpp::Node>("node");
  }
  void TearDown() override {
    node.reset();
    rclcpp::shutdown();
  }

  rclcpp::Node::SharedPtr node;
};

Int32 number(int value) {
  Int32 message;
  message.data = value;
  return message;
}

}  // namespace

TEST_F(PubSub, EveryCallbackSignatureReceives) {
  using std::placeholders::_1;
  using std::placeholders::_2;
  heard.clear();
  std::vector<rclcpp::SubscriptionBase::SharedPtr> all;
  std::set<std::string> expected;
  const auto hear = [&](const std::string & what, auto callback) {
    all.push_back(node->create_subscription<String>("topic", 10, callback));
    expected.insert(what);
  };
#define HEAR(what, argument)                                                          \
  hear(what " x", [](argument m) { heard.insert(std::string(what " ") + m->data); }); \
  hear(what " with info x", [](argument m, const MessageInfo & info) {                \
    EXPECT_FALSE(info.get_rmw_message_info().from_intra_process);                     \
    heard.insert(std::string(what " with info ") + m->data);                          \
  })
  HEAR("unique", String::UniquePtr);
  HEAR("shared", String::SharedPtr);
  HEAR("const shared", const String::SharedPtr);
  HEAR("shared by reference", const String::SharedPtr &);
  HEAR("shared const", String::ConstSharedPtr);
  HEAR("shared const by reference", const String::ConstSharedPtr &);
#undef HEAR
  hear("reference x", [](const String & m) { heard.insert("reference " + m.data); });
  hear("value x", [](String m) { heard.insert("value " + m.data); });
  hear("function x", free_function);
  hear("std::function x", std::function<void(std::shared_ptr<String>)>(
                            [](std::shared_ptr<String> m) { heard.insert("std::function " + m->data); }));
  Listener listener;
  hear("member x", std::bind(&Listener::by_reference, &listener, _1));
  hear("member with info x", std::bind(&Listener::with_info, &listener, _1, _2));
#define HEAR(what, argument)                                                \
  hear(what, [](argument m) { heard.insert(m->size() ? what : "empty"); }); \
  hear(                                                                     \
    what " with info", [](argument m, const MessageInfo &) { heard.insert(m->size() ? what " with info" : "empty"); })
  HEAR("serialized unique", std::unique_ptr<SerializedMessage>);
  HEAR("serialized shared", std::shared_ptr<SerializedMessage>);
  HEAR("serialized shared const", std::shared_ptr<const SerializedMessage>);
  HEAR("serialized by reference", const std::shared_ptr<const SerializedMessage> &);
#undef HEAR
  hear("serialized", [](const SerializedMessage & m) { heard.insert(m.size() ? "serialized" : "empty"); });

  auto publisher = node->create_publisher<String>("topic", 10);
  String message;
  message.data = "x";
  EXPECT_TRUE(spinning::wait_until([&]() { return publisher->get_subscription_count() == all.size(); }));
  publisher->publish(message);
  EXPECT_TRUE(spin_until(node, [&]() { return heard.size() >= expected.size(); }));
  EXPECT_EQ(expected, heard);
}

TEST_F(PubSub, AnEmptyStdFunctionIsRefused) {
  std::function<void(const Int32 &)> empty;
  EXPECT_THROW(node->create_subscription<Int32>("topic", 1, empty), std::invalid_argument);
}

TEST_F(PubSub, GenericAndTypedEndpointsExchangeSerializedMessages) {
  std::vector<int> typed, generic;
  auto typed_subscription =
    node->create_subscription<Int32>("topic", 10, [&](const Int32 & m) { typed.push_back(m.data); });
  auto generic_subscription =
    node->create_generic_subscription("topic", "std_msgs/msg/Int32", 10, [&](std::shared_ptr<SerializedMessage> m) {
      Int32 message;
      rclcpp::Serialization<Int32>().deserialize_message(m.get(), &message);
      generic.push_back(message.data);
    });
  auto generic_publisher = node->create_generic_publisher("topic", "std_msgs/msg/Int32", 10);
  auto typed_publisher = node->create_publisher<Int32>("topic", 10);
  SerializedMessage serialized;
  const Int32 message = number(1);
  rclcpp::Serialization<Int32>().serialize_message(&message, &serialized);
  generic_publisher->publish(serialized);
  EXPECT_TRUE(spin_until(node, [&]() { return typed.size() == 1 && generic.size() == 1; }));
  typed_publisher->publish(serialized);
  typed_publisher->publish(number(2));
  EXPECT_TRUE(spin_until(node, [&]() { return typed.size() == 3 && generic.size() == 3; }));
  EXPECT_EQ((std::vector<int>{1, 1, 2}), typed);
  EXPECT_EQ((std::vector<int>{1, 1, 2}), generic);
}

TEST_F(PubSub, UnknownTypesAreRefusedWithAMessage) {
  EXPECT_THROW(node->create_generic_publisher("t", "nonsense", 1), std::runtime_error);
  EXPECT_THROW(node->create_generic_publisher("t", "no_package/msg/X", 1), std::runtime_error);
  EXPECT_THROW(node->create_generic_publisher("t", "std_msgs/msg/Nothing", 1), std::runtime_error);
}

TEST(SerializedMessages, OwnTheirBytes) {
  SerializedMessage message(16);
  EXPECT_EQ(16u, message.capacity());
  message.get_rcl_serialized_message().buffer_length = 3;
  message.get_rcl_serialized_message().buffer[2] = 7;
  SerializedMessage copy(message), assigned;
  assigned = copy;
  EXPECT_EQ(3u, assigned.size());
  EXPECT_EQ(7, assigned.get_rcl_serialized_message().buffer[2]);
  SerializedMessage moved(std::move(copy));
  EXPECT_EQ(0u, copy.size());
  moved.reserve(64);
  EXPECT_EQ(64u, moved.capacity());
  auto released = moved.release_rcl_serialized_message();
  EXPECT_EQ(0u, moved.capacity());
  EXPECT_EQ(RMW_RET_OK, rmw_serialized_message_fini(&released));
  Int32 unused;
  EXPECT_ANY_THROW(rclcpp::Serialization<Int32>().deserialize_message(&moved, &unused));
}

TEST_F(PubSub, TakeGivesMessagesWithoutAnExecutor) {
  auto subscription = node->create_subscription<Int32>("topic", 10, [](const Int32 &) { FAIL(); });
  auto publisher = node->create_publisher<Int32>("topic", 10);
  Int32 message;
  MessageInfo info;
  EXPECT_FALSE(subscription->take(message, info));
  publisher->publish(number(5));
  bool taken = false;
  spinning::wait_until([&]() { return taken = taken || subscription->take(message, info); });
  ASSERT_TRUE(taken);
  EXPECT_EQ(5, message.data);
  EXPECT_TRUE(*publisher == info.get_rmw_message_info().publisher_gid);
}

TEST_F(PubSub, WaitForMessageReturnsItOrTimesOut) {
  auto publisher = node->create_publisher<Int32>("topic", rclcpp::QoS(1).transient_local());
  publisher->publish(number(9));
  Int32 message;
  auto subscription = node->create_subscription<Int32>("topic", rclcpp::QoS(1).transient_local(), [](const Int32 &) {});
  EXPECT_TRUE(rclcpp::wait_for_message(message, subscription, node->get_node_options().context(), 60s));
  EXPECT_EQ(9, message.data);
  EXPECT_FALSE(rclcpp::wait_for_message(message, node, "silence", 10ms));
}

TEST_F(PubSub, LoanedMessagesAreAllocated) {
  auto publisher = node->create_publisher<Int32>("topic", 10);
  EXPECT_FALSE(publisher->can_loan_messages());
  int got = 0;
  auto subscription = node->create_subscription<Int32>("topic", 10, [&](const Int32 & m) { got = m.data; });
  auto loan = publisher->borrow_loaned_message();
  loan.get().data = 3;
  publisher->publish(std::move(loan));
  EXPECT_TRUE(spin_until(node, [&]() { return got == 3; }));
}

TEST_F(PubSub, ASecondTypeOnATopicIsAnError) {
  auto publisher = node->create_publisher<Int32>("topic", 1);
  EXPECT_THROW(node->create_publisher<String>("topic", 1), rclcpp::exceptions::RCLError);
}

TEST(Qos, HasTheDefaultsOfStock) {
  const rclcpp::QoS plain(5);
  EXPECT_EQ(rclcpp::HistoryPolicy::KeepLast, plain.history());
  EXPECT_EQ(5u, plain.depth());
  EXPECT_EQ(rclcpp::ReliabilityPolicy::Reliable, plain.reliability());
  EXPECT_EQ(rclcpp::LivelinessPolicy::SystemDefault, plain.liveliness());
  EXPECT_EQ(rclcpp::QoSCompatibility::Warning, rclcpp::qos_check_compatible(plain, plain).compatibility);
  const rclcpp::SystemDefaultsQoS system_defaults;
  EXPECT_EQ(rclcpp::HistoryPolicy::KeepLast, system_defaults.history());
  EXPECT_EQ(0u, system_defaults.depth());
  EXPECT_EQ(rclcpp::ReliabilityPolicy::SystemDefault, system_defaults.reliability());
  EXPECT_EQ(rclcpp::ReliabilityPolicy::BestEffort, rclcpp::SensorDataQoS().reliability());
  EXPECT_EQ(5u, rclcpp::SensorDataQoS().depth());
  EXPECT_EQ(1u, rclcpp::ClockQoS().depth());
  EXPECT_EQ(1000u, rclcpp::ParametersQoS().depth());
  EXPECT_EQ(rclcpp::DurabilityPolicy::TransientLocal, rclcpp::RosoutQoS().durability());
  EXPECT_EQ(rclcpp::ReliabilityPolicy::BestAvailable, rclcpp::BestAvailableQoS().reliability());
}

TEST(Qos, ChainsSettersAndCompares) {
  rclcpp::QoS qos(1);
  qos.keep_last(3)
    .best_effort()
    .transient_local()
    .deadline(rclcpp::Duration(1s))
    .lifespan(rclcpp::Duration(2s))
    .liveliness(rclcpp::LivelinessPolicy::ManualByTopic)
    .liveliness_lease_duration(rclcpp::Duration(3s));
  EXPECT_EQ(3u, qos.depth());
  EXPECT_EQ(rclcpp::Duration(2s), qos.lifespan());
  rclcpp::QoS same = qos;
  EXPECT_EQ(same, qos);
  same.keep_all();
  EXPECT_NE(same, qos);
  EXPECT_EQ(rclcpp::QoSCompatibility::Error,
    rclcpp::qos_check_compatible(rclcpp::QoS(1).best_effort(), rclcpp::QoS(1).reliable()).compatibility);
}

TEST_F(PubSub, QosParametersOverrideWhatTheCodeSays) {
  rclcpp::NodeOptions options;
  options.append_parameter_override("qos_overrides./topic.publisher.depth", 33);
  options.append_parameter_override("qos_overrides./topic.publisher.reliability", "best_effort");
  options.append_parameter_override("qos_overrides./topic.subscription_two.history", "keep_all");
  auto overridden = std::make_shared<rclcpp::Node>("overridden", options);

  rclcpp::PublisherOptions publisher_options;
  publisher_options.qos_overriding_options = rclcpp::QosOverridingOptions::with_default_policies();
  auto publisher = overridden->create_publisher<Int32>("topic", 5, publisher_options);
  EXPECT_EQ(33u, publisher->get_actual_qos().depth());
  EXPECT_EQ(rclcpp::ReliabilityPolicy::BestEffort, publisher->get_actual_qos().reliability());
  EXPECT_EQ("keep_last", overridden->get_parameter("qos_overrides./topic.publisher.history").as_string());
  EXPECT_FALSE(overridden->set_parameter({"qos_overrides./topic.publisher.depth", 1}).successful);

  rclcpp::SubscriptionOptions subscription_options;
  subscription_options.qos_overriding_options =
    rclcpp::QosOverridingOptions({rclcpp::QosPolicyKind::History}, nullptr, "two");
  auto subscription = overridden->create_subscription<Int32>("topic", 5, [](const Int32 &) {}, subscription_options);
  EXPECT_EQ(rclcpp::HistoryPolicy::KeepAll, subscription->get_actual_qos().history());

  publisher_options.qos_overriding_options =
    rclcpp::QosOverridingOptions::with_default_policies([](const rclcpp::QoS & qos) {
      rclcpp::QosCallbackResult result;
      result.successful = qos.depth() < 10;
      result.reason = "too deep";
      return result;
    });
  EXPECT_THROW(overridden->create_publisher<Int32>("topic", 5, publisher_options),
    rclcpp::exceptions::InvalidQosOverridesException);
}

TEST_F(PubSub, EventsReportMatchesAndIncompatibleQos) {
  std::vector<std::string> events;
  rclcpp::PublisherOptions publisher_options;
  publisher_options.event_callbacks.matched_callback = [&](rclcpp::MatchedInfo & info) {
    events.push_back("matched " + std::to_string(info.current_count));
  };
  publisher_options.event_callbacks.incompatible_qos_callback = [&](rclcpp::QOSOfferedIncompatibleQoSInfo & info) {
    events.push_back(rclcpp::qos_policy_name_from_kind(info.last_policy_kind));
  };
  auto publisher = node->create_publisher<Int32>("topic", rclcpp::QoS(1).best_effort(), publisher_options);
  auto fits = node->create_subscription<Int32>("topic", rclcpp::QoS(1).best_effort(), [](const Int32 &) {});
  EXPECT_TRUE(spin_until(node, [&]() { return events.size() == 1; }));
  fits.reset();
  EXPECT_TRUE(spin_until(node, [&]() { return events.size() == 2; }));
  rclcpp::SubscriptionOptions subscription_options;
  bool subscription_told = false;
  subscription_options.event_callbacks.incompatible_qos_callback = [&](rclcpp::QOSRequestedIncompatibleQoSInfo &) {
    subscription_told = true;
  };
  auto unfit =
    node->create_subscription<Int32>("topic", rclcpp::QoS(1).reliable(), [](const Int32 &) {}, subscription_options);
  EXPECT_TRUE(spin_until(node, [&]() { return events.size() == 3 && subscription_told; }));
  EXPECT_EQ((std::vector<std::string>{"matched 1", "matched 0", "RELIABILITY_QOS_POLICY"}), events);
}

TEST_F(PubSub, TheDefaultHandlersWarnOfIncompatibleQosOnceSpun) {
  static std::vector<std::string> warnings;
  warnings.clear();
  auto publisher = node->create_publisher<Int32>("topic", rclcpp::QoS(1).best_effort());
  auto former = rcutils_logging_get_output_handler();
  rcutils_logging_set_output_handler([](const rcutils_log_location_t *, int, const char *, rcutils_time_point_value_t,
                                       const char * format, va_list * args) {
    char text[256];
    vsnprintf(text, sizeof(text), format, *args);
    warnings.push_back(text);
  });
  auto subscription = node->create_subscription<Int32>("topic", rclcpp::QoS(1).reliable(), [](const Int32 &) {});
  EXPECT_TRUE(spin_until(node, [&]() { return warnings.size() >= 2; }));
  rcutils_logging_set_output_handler(former);
  ASSERT_EQ(2u, warnings.size());
  const std::set<std::string> sorted(warnings.begin(), warnings.end());
  EXPECT_EQ(
    "New publisher discovered on topic '/topic', offering incompatible QoS. No messages will be "
    "sent to it. Last incompatible policy: RELIABILITY_QOS_POLICY",
    *sorted.begin());
  EXPECT_EQ(
    "New subscription discovered on topic '/topic', requesting incompatible QoS. No messages "
    "will be sent to it. Last incompatible policy: RELIABILITY_QOS_POLICY",
    *sorted.rbegin());
}

TEST_F(PubSub, MissedDeadlinesAndLostLivelinessAreReportedOnBothSides) {
  const auto qos = rclcpp::QoS(1)
                     .deadline(rclcpp::Duration(50ms))
                     .liveliness(rclcpp::LivelinessPolicy::ManualByTopic)
                     .liveliness_lease_duration(rclcpp::Duration(50ms));
  int offered = 0, requested = 0, lost = 0;
  rclcpp::PublisherOptions publisher_options;
  publisher_options.event_callbacks.deadline_callback = [&](rclcpp::QOSDeadlineOfferedInfo & info) {
    offered = info.total_count;
  };
  publisher_options.event_callbacks.liveliness_callback = [&](rclcpp::QOSLivelinessLostInfo & info) {
    lost = info.total_count;
  };
  rclcpp::SubscriptionOptions subscription_options;
  subscription_options.event_callbacks.deadline_callback = [&](rclcpp::QOSDeadlineRequestedInfo & info) {
    requested = info.total_count;
  };
  auto publisher = node->create_publisher<Int32>("topic", qos, publisher_options);
  auto subscription = node->create_subscription<Int32>("topic", qos, [](const Int32 &) {}, subscription_options);
  publisher->publish(number(1));
  EXPECT_TRUE(spin_until(node, [&]() { return offered > 0 && requested > 0 && lost > 0; }));
  EXPECT_TRUE(publisher->assert_liveliness());
}

TEST_F(PubSub, WaitForAllAckedKnowsWhetherReadersHaveEverything) {
  auto publisher = node->create_publisher<Int32>("topic", rclcpp::QoS(1));
  auto subscription = node->create_subscription<Int32>("topic", rclcpp::QoS(1), [](const Int32 &) {});
  publisher->publish(number(1));
  EXPECT_TRUE(publisher->wait_for_all_acked(60s));
  EXPECT_TRUE(publisher->wait_for_all_acked());
}

TEST_F(PubSub, TheGraphShowsNodesTopicsAndEndpoints) {
  auto publisher = node->create_publisher<Int32>("topic", rclcpp::QoS(7).best_effort());
  auto subscription = node->create_subscription<Int32>("topic", 3, [](const Int32 &) {});
  EXPECT_EQ(1u, node->count_publishers("topic"));
  EXPECT_EQ(1u, node->count_subscribers("/topic"));
  EXPECT_EQ(std::vector<std::string>{"std_msgs/msg/Int32"}, node->get_topic_names_and_types().at("/topic"));
  EXPECT_EQ(std::vector<std::string>{"/node"}, node->get_node_names());
  EXPECT_EQ(1u, node->get_service_names_and_types_by_node("node", "/").count("/node/get_parameters"));
  EXPECT_EQ(1u, node->count_services("/node/get_parameters"));
  EXPECT_EQ(0u, node->count_clients("/node/get_parameters"));
  auto graph = node->get_node_graph_interface();
  EXPECT_EQ(1u, graph->get_publisher_names_and_types_by_node("node", "/").count("/topic"));
  EXPECT_EQ(1u, graph->get_subscriber_names_and_types_by_node("node", "/").count("/topic"));

  const auto infos = node->get_publishers_info_by_topic("topic");
  ASSERT_EQ(1u, infos.size());
  EXPECT_EQ("node", infos[0].node_name());
  EXPECT_EQ("/", infos[0].node_namespace());
  EXPECT_EQ("std_msgs/msg/Int32", infos[0].topic_type());
  EXPECT_EQ(rclcpp::EndpointType::Publisher, infos[0].endpoint_type());
  EXPECT_EQ(rclcpp::ReliabilityPolicy::BestEffort, infos[0].qos_profile().reliability());
  EXPECT_EQ(0, memcmp(infos[0].endpoint_gid().data(), publisher->get_gid().data, RMW_GID_STORAGE_SIZE));
  ASSERT_EQ(1u, node->get_subscriptions_info_by_topic("/topic").size());
  EXPECT_THROW(graph->get_publisher_names_and_types_by_node("nobody", "/"), std::runtime_error);
}

TEST_F(PubSub, GraphEventsWakeAWaiter) {
  auto event = node->get_graph_event();
  EXPECT_EQ(1u, node->get_node_graph_interface()->count_graph_users());
  // Changes of the start may still be on their way.
  while (node->wait_for_graph_change(event, 100ms), event->check_and_clear()) {}
  std::thread changer([&]() {
    std::this_thread::sleep_for(20ms);
    auto publisher = node->create_publisher<Int32>("new_topic", 1);
    std::this_thread::sleep_for(20ms);
  });
  node->wait_for_graph_change(event, 60s);
  EXPECT_TRUE(event->check());
  changer.join();
  EXPECT_THROW(node->wait_for_graph_change(nullptr, 1ms), rclcpp::exceptions::InvalidEventError);
  EXPECT_THROW(
    node->wait_for_graph_change(rclcpp::Event::make_shared(), 1ms), rclcpp::exceptions::EventNotRegisteredError);
}

TEST_F(PubSub, GraphEventsReachEveryNodeOfTheContext) {
  auto other = std::make_shared<rclcpp::Node>("other");
  auto event = node->get_graph_event(), event_of_other = other->get_graph_event();
  std::vector<rclcpp::Publisher<Int32>::SharedPtr> publishers;
  for (int change = 0; change < 20; ++change) {
    while (node->wait_for_graph_change(event, 50ms), event->check_and_clear()) {}
    event_of_other->check_and_clear();
    publishers.push_back(node->create_publisher<Int32>("new_topic_" + std::to_string(change), 1));
    node->wait_for_graph_change(event, 60s);
    other->wait_for_graph_change(event_of_other, 5s);
    ASSERT_TRUE(event->check()) << change;
    ASSERT_TRUE(event_of_other->check()) << change;
  }
}

TEST_F(PubSub, ShutdownWakesWhoWaitsForTheGraph) {
  auto event = node->get_graph_event();
  std::thread stopper([]() {
    std::this_thread::sleep_for(50ms);
    rclcpp::shutdown();
  });
  while (rclcpp::ok()) {
    node->wait_for_graph_change(event, 60s);
    event->check_and_clear();
  }
  stopper.join();
}

TEST_F(PubSub, AGroupOfAnotherNodeIsRefused) {
  auto other = std::make_shared<rclcpp::Node>("other");
  rclcpp::SubscriptionOptions options;
  options.callback_group = other->create_callback_group(rclcpp::CallbackGroupType::Reentrant);
  EXPECT_THROW(node->create_subscription<Int32>(
                 "topic", 1, [](const Int32 &) {}, options),
    rclcpp::exceptions::MissingGroupNodeException);
}

TEST_F(PubSub, IgnoringLocalPublicationsHearsOnlyOthers) {
  rclcpp::SubscriptionOptions options;
  options.ignore_local_publications = true;
  int local = 0, all = 0;
  auto deaf = node->create_subscription<Int32>("topic", 10, [&](const Int32 &) { ++local; }, options);
  auto hears = node->create_subscription<Int32>("topic", 10, [&](const Int32 &) { ++all; });
  auto publisher = node->create_publisher<Int32>("topic", 10);
  publisher->publish(number(1));
  EXPECT_TRUE(spin_until(node, [&]() { return all == 1; }));
  EXPECT_EQ(0, local);
}

TEST_F(PubSub, OnNewMessageCallbacksCount) {
  auto subscription = node->create_subscription<Int32>("topic", 10, [](const Int32 &) {});
  auto publisher = node->create_publisher<Int32>("topic", 10);
  std::atomic_size_t count{0};
  EXPECT_THROW(subscription->set_on_new_message_callback(nullptr), std::invalid_argument);
  subscription->set_on_new_message_callback([&](size_t n) { count += n; });
  publisher->publish(number(1));
  publisher->publish(number(2));
  EXPECT_TRUE(spinning::wait_until([&]() { return count == 2; }));
  subscription->clear_on_new_message_callback();
  publisher->publish(number(3));
  std::atomic_size_t later{0};
  subscription->set_on_new_message_callback([&](size_t n) { later += n; });
  EXPECT_TRUE(spinning::wait_until([&]() { return later >= 1; }));
  EXPECT_EQ(2u, count);
}

TEST_F(PubSub, TypeDescriptionsAreServed) {
  using Srv = type_description_interfaces::srv::GetTypeDescription;
  auto publisher = node->create_publisher<test_msgs::msg::Arrays>("topic", 1);
  auto client = node->create_client<Srv>("/node/get_type_description");
  ASSERT_TRUE(client->wait_for_service(60s));
  auto request = std::make_shared<Srv::Request>();
  request->type_name = "test_msgs/msg/Arrays";
  char * hash = nullptr;
  const auto info = node->get_publishers_info_by_topic("topic").at(0);
  ASSERT_EQ(
    RCUTILS_RET_OK, rosidl_stringify_type_hash(&info.topic_type_hash(), rcutils_get_default_allocator(), &hash));
  request->type_hash = hash;
  rcutils_get_default_allocator().deallocate(hash, nullptr);
  auto future = client->async_send_request(request).share();
  ASSERT_EQ(rclcpp::FutureReturnCode::SUCCESS, rclcpp::spin_until_future_complete(node, future, 60s));
  EXPECT_TRUE(future.get()->successful) << future.get()->failure_reason;
  EXPECT_EQ("test_msgs/msg/Arrays", future.get()->type_description.type_description.type_name);
}
