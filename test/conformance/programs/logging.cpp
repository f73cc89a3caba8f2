// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
//
// Logging: every macro form, levels, names, rosout. The lines themselves go to stderr, which the
// runner compares too (with the time stamps replaced).

#include <memory>
#include <string>
#include <vector>

#include "ambf_conformance/observe.hpp"
#include "rcl_interfaces/msg/log.hpp"
#include "rclcpp/rclcpp.hpp"

using namespace std::chrono_literals;
using observe::outcome;
using observe::Say;

namespace
{

bool always() { return true; }
bool never() { return false; }

void forms(const rclcpp::Logger & logger)
{
  RCLCPP_DEBUG(logger, "not shown");
  RCLCPP_INFO(logger, "plain %d %s", 1, "two");
  RCLCPP_WARN(logger, "a %% sign and %s", "braces {}");
  RCLCPP_ERROR(logger, "%s", "error");
  RCLCPP_FATAL(logger, "fatal");
  const std::string text = "a std::string";
  RCLCPP_INFO(logger, text.c_str());
  RCLCPP_INFO_STREAM(logger, "stream " << 1 << ' ' << true);
  for (int i = 0; i < 3; ++i) {
    RCLCPP_INFO_ONCE(logger, "once %d", i);
    RCLCPP_INFO_SKIPFIRST(logger, "skip first %d", i);
    RCLCPP_INFO_EXPRESSION(logger, i == 1, "expression %d", i);
    RCLCPP_INFO_STREAM_ONCE(logger, "stream once " << i);
    RCLCPP_WARN_STREAM_SKIPFIRST(logger, "stream skip first " << i);
    RCLCPP_ERROR_STREAM_EXPRESSION(logger, i == 2, "stream expression " << i);
  }
  RCLCPP_INFO_FUNCTION(logger, &always, "function %d", 1);
  RCLCPP_INFO_STREAM_FUNCTION(logger, &never, "never");
  rclcpp::Clock clock(RCL_STEADY_TIME);
  for (int i = 0; i < 3; ++i) {
    RCLCPP_INFO_THROTTLE(logger, clock, 60000, "throttle %d", i);
    RCLCPP_INFO_SKIPFIRST_THROTTLE(logger, clock, 60000, "skip first throttle %d", i);
    RCLCPP_INFO_STREAM_THROTTLE(logger, clock, 60000, "stream throttle " << i);
    RCLCPP_WARN_STREAM_SKIPFIRST_THROTTLE(logger, clock, 60000, "stream sf throttle " << i);
  }
  RCLCPP_DEBUG_THROTTLE(logger, clock, 1, "not shown");
}

const char * level(rclcpp::Logger::Level l)
{
  switch (l) {
    case rclcpp::Logger::Level::Unset:
      return "Unset";
    case rclcpp::Logger::Level::Debug:
      return "Debug";
    case rclcpp::Logger::Level::Info:
      return "Info";
    case rclcpp::Logger::Level::Warn:
      return "Warn";
    case rclcpp::Logger::Level::Error:
      return "Error";
    case rclcpp::Logger::Level::Fatal:
      return "Fatal";
  }
  return "?";
}

void levels_and_names(const rclcpp::Node::SharedPtr & node)
{
  observe::area("levels and names");
  auto logger = node->get_logger();
  Say{"name", logger.get_name()};
  auto child = logger.get_child("part");
  Say{"child", child.get_name(), child.get_child("inner").get_name()};
  Say{"of a name", rclcpp::get_logger("any.name").get_name()};
  Say{
    "node logger",
    rclcpp::get_node_logger(node->get_node_base_interface()->get_rcl_node_handle()).get_name()};
  Say{"levels", level(logger.get_effective_level()), level(child.get_effective_level())};
  logger.set_level(rclcpp::Logger::Level::Warn);
  Say{"after Warn", level(logger.get_effective_level()), level(child.get_effective_level())};
  RCLCPP_INFO(child, "hidden by the parent's level");
  RCLCPP_WARN(child, "shown through the parent's level");
  child.set_level(rclcpp::Logger::Level::Debug);
  RCLCPP_DEBUG(child, "debug of the child");
  logger.set_level(rclcpp::Logger::Level::Unset);
  Say{"after Unset", level(logger.get_effective_level())};
  RCLCPP_INFO(rclcpp::get_logger("free"), "a logger without a node");
  Say{"logging directory known", !rclcpp::get_logging_directory().empty()};
}

void rosout(const rclcpp::Node::SharedPtr & node)
{
  observe::area("rosout");
  rclcpp::executors::SingleThreadedExecutor executor;
  auto listener =
    std::make_shared<rclcpp::Node>("listener", rclcpp::NodeOptions().enable_rosout(false));
  executor.add_node(listener);
  std::vector<std::string> heard;
  auto subscription = listener->create_subscription<rcl_interfaces::msg::Log>(
    "/rosout", rclcpp::RosoutQoS(), [&](const rcl_interfaces::msg::Log & m) {
      if (m.msg.rfind("rosout:", 0) == 0) {
        heard.push_back(
          std::to_string(m.level) + " " + m.name + " \"" + m.msg + "\" " +
          (m.function.empty() ? "" : m.function) + (m.line > 0 ? " with line" : "") +
          (m.file.find("logging.cpp") != std::string::npos ? " in this file" : ""));
      }
    });
  observe::spin_until(executor, [&] { return subscription->get_publisher_count() >= 1; });
  RCLCPP_INFO(node->get_logger(), "rosout: info");
  RCLCPP_WARN(node->get_logger().get_child("kid"), "rosout: child");
  RCLCPP_INFO(rclcpp::get_logger("no_node"), "rosout: no node");
  RCLCPP_ERROR(listener->get_logger(), "rosout: node without rosout");
  RCLCPP_FATAL(node->get_logger(), "rosout: last");
  observe::spin_until(
    executor, [&] { return !heard.empty() && heard.back().find("last") != std::string::npos; });
  for (const auto & line : heard) { Say{"heard", line}; }
  Say{"publishers", listener->count_publishers("/rosout")};
}

}  // namespace

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  auto node = std::make_shared<rclcpp::Node>("speaker", "space");
  forms(node->get_logger());
  levels_and_names(node);
  rosout(node);
  auto service_node =
    std::make_shared<rclcpp::Node>("adjustable", rclcpp::NodeOptions().enable_logger_service(true));
  std::vector<std::string> services;
  for (const auto & [name, types] :
       service_node->get_service_names_and_types_by_node("adjustable", "/")) {
    if (name.find("logger") != std::string::npos) { services.push_back(name); }
  }
  Say{"logger services", observe::join(services)};
  rclcpp::shutdown();
  return 0;
}
