// SPDX-License-Identifier: BSD-3-Clause
// Contexts, arguments, signals, names, node options, logging.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rcl_interfaces/msg/log.hpp"
#include "rcl_interfaces/srv/set_logger_levels.hpp"
#include "rclcpp/rclcpp.hpp"
#include "spin_node.hpp"
#include "std_msgs/msg/int32.hpp"

using namespace std::chrono_literals;  // NOLINT(build/namespaces)
using std_msgs::msg::Int32;

namespace {

rclcpp::Context::SharedPtr make_context(std::vector<const char *> arguments = {}) {
  auto context = std::make_shared<rclcpp::Context>();
  context->init(static_cast<int>(arguments.size()), arguments.data());
  return context;
}

class Defaults : public ::testing::Test {
protected:
  void SetUp() override { rclcpp::init(0, nullptr); }
  void TearDown() override { rclcpp::shutdown(); }
};

}  // namespace

TEST(Init, ASecondInitThrowsAndASecondShutdownReturnsFalse) {
  EXPECT_FALSE(rclcpp::ok());
  rclcpp::init(0, nullptr);
  EXPECT_TRUE(rclcpp::ok());
  EXPECT_THROW(rclcpp::init(0, nullptr), rclcpp::ContextAlreadyInitialized);
  EXPECT_TRUE(rclcpp::shutdown());
  EXPECT_FALSE(rclcpp::ok());
  EXPECT_FALSE(rclcpp::shutdown());
}

TEST(Init, ANodeBeforeInitIsAnInvalidArgument) {
  const auto options = rclcpp::NodeOptions().context(std::make_shared<rclcpp::Context>());
  EXPECT_THROW(rclcpp::Node("early", options), rclcpp::exceptions::RCLInvalidArgument);
}

TEST(Init, UnknownRosArgumentsAreNamed) {
  std::vector<const char *> arguments{"program", "--ros-args", "--no-such-thing"};
  try {
    rclcpp::init(static_cast<int>(arguments.size()), arguments.data());
    FAIL();
  } catch (const rclcpp::exceptions::UnknownROSArgsError & exc) {
    EXPECT_EQ(std::vector<std::string>{"--no-such-thing"}, exc.unknown_ros_args);
  }
  EXPECT_FALSE(rclcpp::ok());
}

TEST(Init, ABadRemapRuleIsRefused) {
  std::vector<const char *> arguments{"program", "--ros-args", "-r", "no rule"};
  EXPECT_THROW(
    rclcpp::init(static_cast<int>(arguments.size()), arguments.data()), rclcpp::exceptions::RCLInvalidROSArgsError);
}

TEST(Init, RosArgumentsAreRemovedFromTheRest) {
  std::vector<const char *> arguments{"program", "a", "--ros-args", "-r", "x:=y", "--", "b"};
  EXPECT_EQ((std::vector<std::string>{"program", "a", "b"}),
    rclcpp::remove_ros_arguments(static_cast<int>(arguments.size()), arguments.data()));
}

TEST(Signals, NoneCountsAsAnInstallation) {
  rclcpp::init(0, nullptr, rclcpp::InitOptions(), rclcpp::SignalHandlerOptions::None);
  EXPECT_TRUE(rclcpp::signal_handlers_installed());
  EXPECT_FALSE(rclcpp::install_signal_handlers());
  rclcpp::shutdown();
  EXPECT_FALSE(rclcpp::signal_handlers_installed());
  EXPECT_FALSE(rclcpp::uninstall_signal_handlers());
}

TEST(Signals, SigIntShutsDownTheContextsThatWantIt) {
  for (const int signal_value : {SIGINT, SIGTERM}) {
    rclcpp::init(0, nullptr);
    rclcpp::InitOptions stubborn_options;
    stubborn_options.shutdown_on_signal = false;
    stubborn_options.auto_initialize_logging(false);
    auto stubborn = std::make_shared<rclcpp::Context>();
    stubborn->init(0, nullptr, stubborn_options);

    // The default context keeps its callbacks, so they must not refer to this frame.
    auto done = std::make_shared<std::atomic_bool>(false);
    rclcpp::on_shutdown([done]() { *done = true; });
    kill(getpid(), signal_value);
    EXPECT_TRUE(spinning::wait_until([done]() { return done->load(); }));
    EXPECT_TRUE(stubborn->is_valid());
    rclcpp::shutdown();
    EXPECT_EQ("signal handler", rclcpp::contexts::get_global_default_context()->shutdown_reason());
    stubborn->shutdown("end");
  }
}

TEST(Signals, AShutdownCallbackMayItselfShutDown) {
  rclcpp::init(0, nullptr);
  auto done = std::make_shared<std::atomic_bool>(false);
  rclcpp::on_shutdown([done]() {
    rclcpp::shutdown();
    *done = true;
  });
  kill(getpid(), SIGINT);
  EXPECT_TRUE(spinning::wait_until([done]() { return done->load(); }));
  rclcpp::shutdown();
  EXPECT_FALSE(rclcpp::signal_handlers_installed());
}

TEST(Signals, TheFormerHandlerIsCalledAndComesBack) {
  static volatile sig_atomic_t calls = 0;
  struct sigaction mine {
  }, old, now;
  mine.sa_handler = [](int) { calls = calls + 1; };
  sigaction(SIGINT, &mine, &old);
  rclcpp::init(0, nullptr);
  kill(getpid(), SIGINT);
  EXPECT_TRUE(spinning::wait_until([]() { return !rclcpp::ok(); }));
  EXPECT_EQ(1, calls);
  rclcpp::shutdown();
  sigaction(SIGINT, &old, &now);
  EXPECT_EQ(mine.sa_handler, now.sa_handler);
}

TEST(Shutdown, CallbacksSeeTheContextBeforeAndAfter) {
  auto context = make_context();
  std::vector<bool> seen;
  context->add_pre_shutdown_callback([&]() { seen.push_back(context->is_valid()); });
  context->add_on_shutdown_callback([&]() { seen.push_back(context->is_valid()); });
  auto removed = context->add_on_shutdown_callback([&]() { seen.push_back(true); });
  EXPECT_TRUE(context->remove_on_shutdown_callback(removed));
  EXPECT_FALSE(context->remove_on_shutdown_callback(removed));
  context->shutdown("because");
  EXPECT_EQ((std::vector<bool>{true, false}), seen);
  EXPECT_EQ("because", context->shutdown_reason());
}

TEST(Shutdown, APreShutdownCallbackMayWaitForAThreadThatAsksForTheState) {
  auto context = make_context();
  std::atomic_bool answered{false};
  context->add_pre_shutdown_callback([&]() { std::thread([&]() { answered = context->is_valid(); }).join(); });
  context->shutdown("test");
  EXPECT_TRUE(answered);
}

TEST(Shutdown, WakesASleeper) {
  auto context = make_context();
  auto sleeper = std::async(std::launch::async, [&]() { return rclcpp::sleep_for(60s, context); });
  EXPECT_TRUE(rclcpp::sleep_for(1ms, context));
  context->shutdown("test");
  EXPECT_EQ(std::future_status::ready, sleeper.wait_for(5s));
  EXPECT_FALSE(sleeper.get());
}

TEST_F(Defaults, PublishingAfterShutdownIsIgnored) {
  auto node = std::make_shared<rclcpp::Node>("node");
  auto publisher = node->create_publisher<Int32>("topic", 1);
  rclcpp::shutdown();
  EXPECT_NO_THROW(publisher->publish(Int32()));
  EXPECT_EQ(0u, publisher->get_subscription_count());
}

TEST_F(Defaults, BadNamesSayWhereTheyAreBad) {
  using namespace rclcpp::exceptions;  // NOLINT(build/namespaces)
  EXPECT_THROW(rclcpp::Node("bad name"), InvalidNodeNameError);
  EXPECT_THROW(rclcpp::Node("node", "/bad namespace"), InvalidNamespaceError);
  auto node = std::make_shared<rclcpp::Node>("node");
  EXPECT_THROW(node->create_subscription<Int32>("a?", 1, [](const Int32 &) {}), InvalidTopicNameError);
  try {
    node->create_publisher<Int32>("bad topic", 1);
    FAIL();
  } catch (const InvalidTopicNameError & exc) {
    EXPECT_EQ(3u, exc.invalid_index);
    EXPECT_NE(std::string::npos, std::string(exc.what()).find("'bad topic'\n      ^"));
  }
}

TEST(Remapping, ArgumentsOfProcessAndNodeRename) {
  auto context = make_context({"program", "--ros-args", "-r", "from:=to", "-r", "__ns:=/space"});
  auto options = rclcpp::NodeOptions().context(context);
  {
    rclcpp::Node node("node", options);
    EXPECT_STREQ("/space/node", node.get_fully_qualified_name());
    EXPECT_STREQ("/space/to", node.create_publisher<Int32>("from", 1)->get_topic_name());
    EXPECT_EQ("/space/to", node.get_node_topics_interface()->resolve_topic_name("from"));
    EXPECT_EQ("/space/from", node.get_node_topics_interface()->resolve_topic_name("from", true));

    options.arguments({"--ros-args", "-r", "__node:=other", "-r", "from:=elsewhere"});
    rclcpp::Node renamed("node", options);
    EXPECT_STREQ("other", renamed.get_name());
    EXPECT_STREQ("/space/elsewhere", renamed.create_publisher<Int32>("from", 1)->get_topic_name());

    options.use_global_arguments(false).arguments({});
    EXPECT_STREQ("/node", rclcpp::Node("node", options).get_fully_qualified_name());
    options.arguments({"--ros-args", "--nonsense"});
    EXPECT_THROW(rclcpp::Node("node", options), rclcpp::exceptions::UnknownROSArgsError);
  }
  context->shutdown("end");
}

TEST_F(Defaults, SubNodesExtendRelativeNames) {
  auto node = std::make_shared<rclcpp::Node>("node", "/ns");
  auto sub = node->create_sub_node("a")->create_sub_node("b/");
  EXPECT_EQ("a/b", sub->get_sub_namespace());
  EXPECT_EQ("/ns/a/b", sub->get_effective_namespace());
  EXPECT_STREQ("/ns", sub->get_namespace());
  EXPECT_STREQ("/ns/a/b/topic", sub->create_publisher<Int32>("topic", 1)->get_topic_name());
  EXPECT_STREQ("/topic", sub->create_publisher<Int32>("/topic", 1)->get_topic_name());
  EXPECT_STREQ("/ns/node/topic", sub->create_publisher<Int32>("~/topic", 1)->get_topic_name());
  EXPECT_THROW(node->create_sub_node("/a"), rclcpp::exceptions::NameValidationError);
  EXPECT_THROW(node->create_sub_node(""), rclcpp::exceptions::NameValidationError);
  EXPECT_THROW(node->create_sub_node("?"), rclcpp::exceptions::InvalidNamespaceError);
}

TEST_F(Defaults, ANodeHasTheParametersOfStock) {
  rclcpp::Node node("node");
  const auto names = node.list_parameters({}, 0).names;
  const std::vector<std::string> expected{"qos_overrides./parameter_events.publisher.depth",
    "qos_overrides./parameter_events.publisher.durability", "qos_overrides./parameter_events.publisher.history",
    "qos_overrides./parameter_events.publisher.reliability", "start_type_description_service", "use_sim_time"};
  EXPECT_EQ(expected, names);
}

TEST_F(Defaults, NodeInterfacesAreMadeOfAnyNode) {
  auto node = std::make_shared<rclcpp::Node>("node");
  using rclcpp::node_interfaces::NodeBaseInterface;
  using rclcpp::node_interfaces::NodeTopicsInterface;
  rclcpp::node_interfaces::NodeInterfaces<NodeBaseInterface, NodeTopicsInterface> some(node);
  EXPECT_EQ(node->get_node_base_interface(), some.get_node_base_interface());
  EXPECT_EQ(node->get_node_topics_interface(), some.get<NodeTopicsInterface>());
  rclcpp::node_interfaces::NodeInterfaces<ALL_RCLCPP_NODE_INTERFACES> all(*node);
  EXPECT_EQ(node->get_node_graph_interface(), all.get_node_graph_interface());
  EXPECT_NE(nullptr, rclcpp::create_publisher<Int32>(*node, "topic", 1));
  EXPECT_NE(nullptr, rclcpp::create_publisher<Int32>(node, "topic", 1));
}

TEST(Contexts, LiveBesideOneAnother) {
  auto one = make_context();
  auto other = std::make_shared<rclcpp::Context>();
  other->init(0, nullptr, rclcpp::InitOptions().auto_initialize_logging(false));
  EXPECT_EQ(2u, rclcpp::get_contexts().size());
  auto node = std::make_shared<rclcpp::Node>("node", rclcpp::NodeOptions().context(other));
  one->shutdown("test");
  EXPECT_TRUE(other->is_valid());
  EXPECT_NO_THROW(node->create_publisher<Int32>("topic", 1));
  other->shutdown("test");
}

TEST_F(Defaults, LogMessagesReachRosout) {
  auto node = std::make_shared<rclcpp::Node>("talks");
  std::vector<std::string> heard;
  auto subscription = node->create_subscription<rcl_interfaces::msg::Log>("/rosout", rclcpp::RosoutQoS(),
    [&](const rcl_interfaces::msg::Log & log) { heard.push_back(log.name + ":" + log.msg); });
  auto child = node->get_logger().get_child("child");
  RCLCPP_INFO(node->get_logger(), "number %d", 7);
  RCLCPP_WARN_STREAM(child, "of " << 2);
  EXPECT_TRUE(spin_until(node, [&]() { return heard.size() >= 2; }));
  EXPECT_EQ((std::vector<std::string>{"talks:number 7", "talks.child:of 2"}), heard);
}

TEST_F(Defaults, LogMacrosFilter) {
  static std::vector<std::string> logged;
  auto former = rcutils_logging_get_output_handler();
  rcutils_logging_set_output_handler([](const rcutils_log_location_t *, int, const char *, rcutils_time_point_value_t,
                                       const char * format, va_list * args) {
    char text[64];
    vsnprintf(text, sizeof(text), format, *args);
    logged.push_back(text);
  });
  auto logger = rclcpp::get_logger("filter");
  rclcpp::Clock clock(RCL_STEADY_TIME);
  for (int i = 0; i < 3; ++i) {
    RCLCPP_INFO_ONCE(logger, "once %d", i);
    RCLCPP_INFO_SKIPFIRST(logger, "skipfirst %d", i);
    RCLCPP_INFO_EXPRESSION(logger, i == 1, "expression %d", i);
    RCLCPP_INFO_STREAM_EXPRESSION(logger, i == 2, "stream " << i);
    RCLCPP_INFO_THROTTLE(logger, clock, 60000, "throttle %d", i);
    RCLCPP_INFO_STREAM_SKIPFIRST_THROTTLE(logger, clock, 60000, "both " << i);
    RCLCPP_DEBUG(logger, "never %d", i);
  }
  logger.set_level(rclcpp::Logger::Level::Error);
  EXPECT_EQ(rclcpp::Logger::Level::Error, logger.get_effective_level());
  RCLCPP_WARN(logger, "too low");
  EXPECT_EQ(rclcpp::Logger::Level::Error, rclcpp::get_logger("filter.child").get_effective_level());
  rcutils_logging_set_output_handler(former);
  const std::vector<std::string> expected{
    "once 0", "throttle 0", "skipfirst 1", "expression 1", "skipfirst 2", "stream 2"};
  // The first throttled message counts as the skipped one.
  EXPECT_EQ(expected, logged);
}

TEST_F(Defaults, LoggerServicesAnswer) {
  auto node = std::make_shared<rclcpp::Node>("levels", rclcpp::NodeOptions().enable_logger_service(true));
  using Set = rcl_interfaces::srv::SetLoggerLevels;
  auto client = node->create_client<Set>("levels/set_logger_levels");
  ASSERT_TRUE(client->wait_for_service(5s));
  auto request = std::make_shared<Set::Request>();
  request->levels.resize(1);
  request->levels[0].name = "levels";
  request->levels[0].level = 40;
  auto future = client->async_send_request(request).share();
  ASSERT_EQ(rclcpp::FutureReturnCode::SUCCESS, rclcpp::spin_until_future_complete(node, future, 5s));
  EXPECT_TRUE(future.get()->results[0].successful);
  EXPECT_EQ(rclcpp::Logger::Level::Error, node->get_logger().get_effective_level());
}
