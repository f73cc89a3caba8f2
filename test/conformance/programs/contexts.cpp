// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
//
// Contexts, init and shutdown, signal handlers, command line arguments. With an argument this
// program plays one of the parts that end a process: see the cases in cases.py.

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "ambf_conformance/observe.hpp"
#include "rclcpp/rclcpp.hpp"

using namespace std::chrono_literals;
using observe::outcome;
using observe::Say;

namespace
{

void before_init()
{
  observe::area("before init");
  Say{"ok", rclcpp::ok()};
  Say{"shutdown", rclcpp::shutdown()};
  Say{"node", outcome([] { rclcpp::Node node("early"); })};
  Say{"executor", outcome([] { rclcpp::executors::SingleThreadedExecutor executor; })};
  Say{"guard condition", outcome([] { rclcpp::GuardCondition guard; })};
  Say{"clock", outcome([] { rclcpp::Clock clock; })};
  Say{"signal handlers", rclcpp::signal_handlers_installed()};
}

void life_of_a_context()
{
  observe::area("life of a context");
  auto context = std::make_shared<rclcpp::Context>();
  Say{"valid", context->is_valid()};
  Say{"shutdown before init", outcome([&] { Say{"returned", context->shutdown("early")}; })};
  context->init(0, nullptr);
  Say{"valid after init", context->is_valid(), "domain", context->get_domain_id() < 233};
  Say{"init twice", outcome([&] { context->init(0, nullptr); })};
  std::vector<std::string> calls;
  const auto ok = [&] { return std::string(rclcpp::ok(context) ? " ok" : " not ok"); };
  context->add_pre_shutdown_callback([&] { calls.push_back("pre 1" + ok()); });
  auto removed = context->add_pre_shutdown_callback([&] { calls.push_back("pre 2" + ok()); });
  context->add_on_shutdown_callback([&] { calls.push_back("on 1" + ok()); });
  context->on_shutdown([&] { calls.push_back("on 2" + ok()); });
  auto handle = context->add_on_shutdown_callback([&] { calls.push_back("on 3" + ok()); });
  Say{"remove pre", context->remove_pre_shutdown_callback(removed)};
  Say{
    "remove on", context->remove_on_shutdown_callback(handle), "again",
    context->remove_on_shutdown_callback(handle)};
  Say{
    "callbacks kept", context->get_pre_shutdown_callbacks().size(),
    context->get_on_shutdown_callbacks().size()};
  auto node = std::make_shared<rclcpp::Node>("in_context", rclcpp::NodeOptions().context(context));
  Say{"shutdown", context->shutdown("no more"), context->shutdown_reason()};
  Say{"calls", observe::join(calls, " | ")};
  Say{"shutdown again", context->shutdown("twice"), context->shutdown_reason()};
  Say{"valid", context->is_valid()};
  Say{"node in a dead context", outcome([&] {
        rclcpp::Node dead("dead", rclcpp::NodeOptions().context(context));
      })};
  Say{"publisher on a dead node", outcome([&] {
        node->get_node_graph_interface()->get_topic_names_and_types();
      })};
  node.reset();
  Say{"init again", outcome([&] { context->init(0, nullptr); }), context->is_valid()};
  context->shutdown("end");
}

void arguments(int argc, char ** argv)
{
  observe::area("arguments");
  Say{"default context", outcome([&] { rclcpp::init(argc, argv); })};
  Say{"init twice", outcome([&] { rclcpp::init(argc, argv); })};
  Say{"ok", rclcpp::ok(), "handlers", rclcpp::signal_handlers_installed()};
  Say{"install again", rclcpp::install_signal_handlers()};
  const char * words[] = {"program", "--plain", "--ros-args", "-r",  "a:=b",
                          "-p",      "x:=1",    "--",         "last"};
  const auto rest = rclcpp::remove_ros_arguments(9, words);
  Say{"left over", observe::join(rest)};
  const auto try_init = [](std::vector<const char *> list) {
    auto context = std::make_shared<rclcpp::Context>();
    const auto text = outcome([&] { context->init(static_cast<int>(list.size()), list.data()); });
    if (context->is_valid()) { context->shutdown("end"); }
    return text;
  };
  Say{"bad remap", try_init({"program", "--ros-args", "-r", "nonsense"})};
  Say{"bad parameter", try_init({"program", "--ros-args", "-p", "nonsense"})};
  Say{"unknown flag", try_init({"program", "--ros-args", "--no-such-flag"})};
  Say{"missing file", try_init({"program", "--ros-args", "--params-file", "/nowhere/p.yaml"})};
  Say{"bad log level", try_init({"program", "--ros-args", "--log-level", "loudest"})};
  Say{"node with unknown arguments", outcome([] {
        rclcpp::Node node(
          "args", rclcpp::NodeOptions().arguments({"--ros-args", "--no-such-flag"}));
      })};
  Say{"node with non-ROS arguments", outcome([] {
        rclcpp::Node node("args", rclcpp::NodeOptions().arguments({"hello"}));
      })};
  rclcpp::InitOptions options;
  Say{"init options", options.shutdown_on_signal, options.auto_initialize_logging()};
  options.set_domain_id(17);
  Say{"domain", options.get_domain_id()};
  auto context = std::make_shared<rclcpp::Context>();
  context->init(0, nullptr, options);
  Say{"domain of the context", context->get_domain_id()};
  context->shutdown("end");
}

void sleeping_and_shutdown()
{
  observe::area("sleep and shutdown");
  Say{"sleep_for", rclcpp::sleep_for(5ms)};
  std::atomic<int> calls{0};
  rclcpp::on_shutdown([&] { ++calls; });
  std::thread stopper([] {
    std::this_thread::sleep_for(40ms);
    rclcpp::shutdown(nullptr, "by hand");
  });
  Say{"interrupted sleep", rclcpp::sleep_for(30s)};
  stopper.join();
  Say{"callbacks", calls.load()};
  Say{"reason", rclcpp::contexts::get_global_default_context()->shutdown_reason()};
  Say{"ok", rclcpp::ok(), "second shutdown", rclcpp::shutdown()};
  Say{"handlers afterwards", rclcpp::signal_handlers_installed()};
  Say{"init again", outcome([] { rclcpp::init(0, nullptr); }), rclcpp::ok()};
  rclcpp::shutdown();
  Say{"uninstall", rclcpp::uninstall_signal_handlers()};
}

int end_by_signal(int argc, char ** argv, int number)
{
  rclcpp::init(argc, argv);
  auto node = std::make_shared<rclcpp::Node>("signalled");
  rclcpp::on_shutdown([] { Say{"on_shutdown called"}; });
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  auto timer = node->create_wall_timer(30ms, [number] { kill(getpid(), number); });
  executor.spin();
  Say{"spin returned, ok", rclcpp::ok()};
  Say{"reason", rclcpp::contexts::get_global_default_context()->shutdown_reason()};
  return 0;
}

int end_without_handlers(int argc, char ** argv)
{
  rclcpp::init(argc, argv, rclcpp::InitOptions(), rclcpp::SignalHandlerOptions::None);
  Say{
    "installed", rclcpp::signal_handlers_installed(), "install", rclcpp::install_signal_handlers()};
  kill(getpid(), SIGTERM);
  std::this_thread::sleep_for(200ms);
  Say{"still here"};
  return 0;
}

}  // namespace

int main(int argc, char ** argv)
{
  const std::string part = argc > 1 ? argv[1] : "";
  if (part == "sigint") { return end_by_signal(argc, argv, SIGINT); }
  if (part == "sigterm") { return end_by_signal(argc, argv, SIGTERM); }
  if (part == "none") { return end_without_handlers(argc, argv); }
  if (part == "throw") {
    rclcpp::init(argc, argv);
    auto node = std::make_shared<rclcpp::Node>("uncaught");
    auto timer =
      node->create_wall_timer(5ms, [] { throw std::runtime_error("nobody catches me"); });
    rclcpp::spin(node);
    return 0;
  }
  before_init();
  life_of_a_context();
  arguments(argc, argv);
  sleeping_and_shutdown();
  return 0;
}
