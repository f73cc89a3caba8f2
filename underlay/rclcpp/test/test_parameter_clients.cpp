// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rclcpp/parameter_events_filter.hpp"
#include "rclcpp/rclcpp.hpp"

using namespace std::chrono_literals;
using rcl_interfaces::msg::ParameterEvent;
using rclcpp::Parameter;

namespace {

// A node with parameters, spun by its own thread, and a node that talks to it.
class RemoteParameters : public ::testing::Test {
protected:
  void SetUp() override {
    rclcpp::init(0, nullptr);
    server_ = std::make_shared<rclcpp::Node>("server", "/ns");
    rcl_interfaces::msg::ParameterDescriptor dynamic;
    dynamic.dynamic_typing = true;
    dynamic.description = "anything";
    server_->declare_parameter("number", 1);
    server_->declare_parameter("text", "a");
    server_->declare_parameter("free", rclcpp::ParameterValue(1.5), dynamic);
    client_node_ = std::make_shared<rclcpp::Node>("client", "/ns");
    executor_ = std::make_unique<rclcpp::executors::SingleThreadedExecutor>();
    executor_->add_node(server_);
    thread_ = std::thread([this]() { executor_->spin(); });
  }

  void TearDown() override {
    rclcpp::shutdown();
    thread_.join();
  }

  // Spins the client node until the condition holds.
  bool spin_until(const std::function<bool()> & condition) {
    rclcpp::executors::SingleThreadedExecutor executor;
    executor.add_node(client_node_);
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (!condition() && std::chrono::steady_clock::now() < end) { executor.spin_once(20ms); }
    return condition();
  }

  rclcpp::Node::SharedPtr server_;
  rclcpp::Node::SharedPtr client_node_;
  std::unique_ptr<rclcpp::executors::SingleThreadedExecutor> executor_;
  std::thread thread_;
};

}  // namespace

TEST_F(RemoteParameters, AreReachedBySynchronousCalls) {
  rclcpp::SyncParametersClient client(client_node_, "server");
  ASSERT_TRUE(client.wait_for_service(60s));
  EXPECT_TRUE(client.service_is_ready());
  EXPECT_TRUE(client.has_parameter("number"));
  EXPECT_FALSE(client.has_parameter("none"));
  EXPECT_EQ(client.get_parameter<int64_t>("number"), 1);
  EXPECT_EQ(client.get_parameter<std::string>("text", "other"), "a");
  EXPECT_EQ(client.get_parameter<std::string>("none", "other"), "other");
  EXPECT_THROW(client.get_parameter<int64_t>("none"), std::runtime_error);

  const auto values = client.get_parameters({"number", "text"});
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0], Parameter("number", 1));
  EXPECT_TRUE(client.get_parameters({"number", "none"}).empty());
  EXPECT_EQ(client.get_parameter_types({"number", "free"}),
    (std::vector<rclcpp::ParameterType>{rclcpp::PARAMETER_INTEGER, rclcpp::PARAMETER_DOUBLE}));
  const auto descriptors = client.describe_parameters({"free"});
  ASSERT_EQ(descriptors.size(), 1u);
  EXPECT_EQ(descriptors[0].description, "anything");
  EXPECT_EQ(client.list_parameters({"text"}, 1).names, std::vector<std::string>{"text"});
}

TEST_F(RemoteParameters, AreSetAndRefusedWithAReason) {
  rclcpp::SyncParametersClient client(client_node_, "server");
  ASSERT_TRUE(client.wait_for_service(60s));
  const auto results = client.set_parameters({Parameter("number", 2), Parameter("text", 3), Parameter("none", 1)});
  ASSERT_EQ(results.size(), 3u);
  EXPECT_TRUE(results[0].successful);
  EXPECT_FALSE(results[1].successful);
  EXPECT_NE(results[1].reason.find("Wrong parameter type"), std::string::npos);
  EXPECT_FALSE(results[2].successful);
  EXPECT_EQ(results[2].reason, "parameter 'none' cannot be set because it was not declared");

  EXPECT_FALSE(client.set_parameters_atomically({Parameter("number", 3), Parameter("text", 3)}).successful);
  const auto unknown = client.set_parameters_atomically({Parameter("none", 3)});
  EXPECT_FALSE(unknown.successful);
  EXPECT_EQ(unknown.reason, "One or more parameters were not declared before setting");
  EXPECT_EQ(client.get_parameter<int64_t>("number"), 2);
  EXPECT_TRUE(client.set_parameters_atomically({Parameter("number", 3), Parameter("text", "b")}).successful);

  const auto deleted = client.delete_parameters({"free", "number"});
  ASSERT_EQ(deleted.size(), 2u);
  EXPECT_TRUE(deleted[0].successful);
  EXPECT_FALSE(deleted[1].successful);
  EXPECT_FALSE(server_->has_parameter("free"));
}

TEST_F(RemoteParameters, AnEmptyNameIsRefusedAndTheServerLivesOn) {
  rclcpp::SyncParametersClient client(client_node_, "server");
  ASSERT_TRUE(client.wait_for_service(60s));
  const auto results = client.set_parameters({Parameter("", 2)});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_FALSE(results[0].successful);
  EXPECT_EQ(client.get_parameter<int64_t>("number"), 1);
}

TEST_F(RemoteParameters, OfANodeThatIsNotThereAreNotWaitedForWithoutEnd) {
  rclcpp::SyncParametersClient client(client_node_, "nobody");
  EXPECT_FALSE(client.service_is_ready());
  EXPECT_FALSE(client.wait_for_service(50ms));
  EXPECT_TRUE(client.get_parameters({"number"}, 50ms).empty());
  EXPECT_THROW(client.list_parameters({}, 0, 50ms), std::runtime_error);
}

TEST_F(RemoteParameters, AreReachedByFuturesAndCallbacks) {
  auto client = std::make_shared<rclcpp::AsyncParametersClient>(client_node_, "/ns/server");
  ASSERT_TRUE(client->wait_for_service(60s));
  bool called = false;
  auto future = client->get_parameters(
    {"number"}, [&](std::shared_future<std::vector<Parameter>> answer) { called = answer.get().at(0).as_int() == 1; });
  ASSERT_EQ(rclcpp::spin_until_future_complete(client_node_, future, 60s), rclcpp::FutureReturnCode::SUCCESS);
  EXPECT_TRUE(called);
  EXPECT_EQ(future.get().at(0).as_int(), 1);
}

TEST_F(RemoteParameters, AreLoadedFromAFile) {
  const std::string path = std::string(::testing::TempDir()) + "rclcpp_test_load.yaml";
  std::ofstream(path) << "/**:\n  ros__parameters: {number: 8}\n/ns/server:\n  ros__parameters: {text: loaded}\n";
  // Entries of files are found by the fully qualified name only.
  rclcpp::SyncParametersClient client(client_node_, "/ns/server");
  ASSERT_TRUE(client.wait_for_service(60s));
  const auto results = client.load_parameters(path);
  EXPECT_EQ(results.size(), 2u);
  EXPECT_EQ(client.get_parameter<int64_t>("number"), 8);
  EXPECT_EQ(client.get_parameter<std::string>("text"), "loaded");

  std::ofstream(path) << "/other:\n  ros__parameters: {number: 8}\n";
  EXPECT_THROW(client.load_parameters(path), rclcpp::exceptions::InvalidParametersException);
  std::remove(path.c_str());
}

TEST_F(RemoteParameters, EventsTellOfNewChangedAndDeletedOnes) {
  std::vector<ParameterEvent> events;
  auto client = std::make_shared<rclcpp::AsyncParametersClient>(client_node_, "server");
  const auto subscription = client->on_parameter_event([&](const ParameterEvent::SharedPtr event) {
    if (event->node == "/ns/server") { events.push_back(*event); }
  });
  ASSERT_TRUE(spin_until([&]() { return subscription->get_publisher_count() >= 2; }));
  server_->declare_parameter("fresh", 1);
  server_->set_parameter(Parameter("number", 4));
  server_->set_parameter(Parameter("free"));
  ASSERT_TRUE(spin_until([&]() { return events.size() >= 3; }));
  ASSERT_EQ(events[0].new_parameters.size(), 1u);
  EXPECT_EQ(events[0].new_parameters[0].name, "fresh");
  ASSERT_EQ(events[1].changed_parameters.size(), 1u);
  EXPECT_EQ(events[1].changed_parameters[0].value.integer_value, 4);
  ASSERT_EQ(events[2].deleted_parameters.size(), 1u);
  EXPECT_EQ(events[2].deleted_parameters[0].name, "free");
}

TEST_F(RemoteParameters, EventHandlersCallBackForTheirParameterOnly) {
  auto handler = std::make_shared<rclcpp::ParameterEventHandler>(client_node_);
  std::vector<std::string> calls;
  // A relative node name is resolved in the namespace of the client node.
  auto number = handler->add_parameter_callback(
    "number", [&](const Parameter & parameter) { calls.push_back("number " + std::to_string(parameter.as_int())); },
    "server");
  auto later =
    handler->add_parameter_callback("number", [&](const Parameter &) { calls.push_back("later"); }, "/ns/server");
  auto own = handler->add_parameter_callback("number", [&](const Parameter &) { calls.push_back("own"); });
  size_t events = 0;
  auto any = handler->add_parameter_event_callback([&](const ParameterEvent & event) {
    Parameter found;
    if (rclcpp::ParameterEventHandler::get_parameter_from_event(event, found, "number", "/ns/server")) {
      ++events;
      EXPECT_EQ(rclcpp::ParameterEventHandler::get_parameters_from_event(event).size(), 1u);
      EXPECT_EQ(
        rclcpp::ParameterEventHandler::get_parameter_from_event(event, "none", "/ns/server"), Parameter("none"));
      EXPECT_THROW(
        (void)rclcpp::ParameterEventHandler::get_parameter_from_event(event, "number", "/other"), std::runtime_error);
    }
  });
  ASSERT_TRUE(spin_until([&]() { return client_node_->count_subscribers("/parameter_events") >= 1; }));
  ASSERT_TRUE(spin_until([&]() {
    // Until the match is complete, an event may not reach the handler.
    if (events == 0) { server_->set_parameter(Parameter("number", 5)); }
    return events > 0;
  }));
  ASSERT_GE(calls.size(), 2u);
  EXPECT_EQ(calls[0], "later");
  EXPECT_EQ(calls[1], "number 5");

  handler->remove_parameter_callback(later);
  EXPECT_THROW(handler->remove_parameter_callback(later), std::runtime_error);
  handler->remove_parameter_event_callback(any);
  EXPECT_THROW(handler->remove_parameter_event_callback(any), std::runtime_error);
}

TEST(ParameterEventsFilter, PicksByNameAndKind) {
  auto event = std::make_shared<ParameterEvent>();
  event->new_parameters.push_back(Parameter("a", 1).to_parameter_msg());
  event->changed_parameters.push_back(Parameter("b", 1).to_parameter_msg());
  event->deleted_parameters.push_back(Parameter("a").to_parameter_msg());
  using Filter = rclcpp::ParameterEventsFilter;
  const Filter filter(event, {"a"}, {Filter::EventType::NEW, Filter::EventType::CHANGED});
  ASSERT_EQ(filter.get_events().size(), 1u);
  EXPECT_EQ(filter.get_events()[0].first, Filter::EventType::NEW);
  EXPECT_EQ(filter.get_events()[0].second->name, "a");
}
