// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
//
// Parameters over the graph: the six services, clients, /parameter_events, event handlers and
// filters, and parameter files.

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "ambf_conformance/observe.hpp"
#include "rclcpp/parameter_events_filter.hpp"
#include "rclcpp/rclcpp.hpp"

using namespace std::chrono_literals;
using observe::outcome;
using observe::Say;
using rclcpp::Parameter;

namespace
{

std::string shown(const rcl_interfaces::msg::SetParametersResult & r)
{
  return (r.successful ? "accepted" : "refused") +
         (r.reason.empty() ? std::string{} : " \"" + r.reason + "\"");
}

std::string scratch_file()
{
  return (std::filesystem::temp_directory_path() /
          ("conformance_" + std::to_string(getpid()) + ".yaml"))
    .string();
}

/// A node with some parameters, spun by its own thread.
struct Remote
{
  rclcpp::Node::SharedPtr node;
  rclcpp::executors::SingleThreadedExecutor executor;
  std::thread thread;

  Remote() : node(std::make_shared<rclcpp::Node>("remote"))
  {
    node->declare_parameter("gain", 1.5);
    node->declare_parameter("count", 3);
    node->declare_parameter("arm.name", "left");
    rcl_interfaces::msg::ParameterDescriptor described;
    described.description = "how it is called";
    described.additional_constraints = "short";
    described.read_only = true;
    node->declare_parameter("label", "x", described);
    rcl_interfaces::msg::ParameterDescriptor dynamic;
    dynamic.dynamic_typing = true;
    node->declare_parameter("loose", 1, dynamic);
    executor.add_node(node);
    thread = std::thread([this] { executor.spin(); });
    observe::eventually([this] { return executor.is_spinning(); });
  }
  ~Remote()
  {
    executor.cancel();
    thread.join();
  }
};

void synchronous()
{
  observe::area("synchronous client");
  Remote remote;
  auto node = std::make_shared<rclcpp::Node>("asker");
  rclcpp::SyncParametersClient client(node, "remote");
  Say{"services", client.wait_for_service(observe::patience), client.service_is_ready()};
  const auto got = client.get_parameters({"gain", "count"});
  Say{"get", got.size(), got[0].as_double(), got[1].as_int()};
  Say{"get with an unknown name", client.get_parameters({"gain", "nobody"}).size()};
  Say{
    "get_parameter", client.get_parameter<double>("gain"), client.get_parameter<int>("nobody", 42)};
  Say{"get_parameter of an unknown name", outcome([&] {
        (void)client.get_parameter<int>("nobody");
      })};
  Say{"get_parameter of another type", outcome([&] { (void)client.get_parameter<int>("gain"); })};
  Say{"has", client.has_parameter("gain"), client.has_parameter("nobody")};
  std::vector<std::string> types;
  for (const auto t : client.get_parameter_types({"gain", "count", "label"})) {
    types.push_back(rclcpp::to_string(t));
  }
  Say{"types", observe::join(types)};
  const auto set = client.set_parameters(
    {Parameter("gain", 2.5), Parameter("count", "text"), Parameter("label", "y"),
     Parameter("nobody", 1)});
  std::vector<std::string> results;
  for (const auto & r : set) { results.push_back(shown(r)); }
  Say{"set", observe::join(results, " | ")};
  Say{
    "set atomically",
    shown(client.set_parameters_atomically({Parameter("gain", 3.5), Parameter("count", "text")})),
    remote.node->get_parameter("gain").as_double()};
  Say{
    "set atomically an unknown one",
    shown(client.set_parameters_atomically({Parameter("nobody", 1)}))};
  const auto list = client.list_parameters({}, 0);
  Say{"list", observe::join(list.names, ","), "prefixes", observe::join(list.prefixes, ",")};
  const auto described = client.describe_parameters({"label"});
  Say{
    "describe",
    described.size(),
    described.at(0).description,
    described.at(0).additional_constraints,
    described.at(0).read_only,
    static_cast<int>(described.at(0).type)};
  Say{"describe an unknown one", client.describe_parameters({"nobody"}).size()};
  Say{
    "delete", shown(client.delete_parameters({"loose"}).at(0)),
    remote.node->has_parameter("loose")};
  rclcpp::SyncParametersClient nobody(node, "nobody");
  Say{"no such node", nobody.wait_for_service(20ms), nobody.service_is_ready()};
}

void asynchronous()
{
  observe::area("asynchronous client");
  Remote remote;
  auto node = std::make_shared<rclcpp::Node>("asker");
  rclcpp::AsyncParametersClient client(node, "remote");
  Say{"services", client.wait_for_service(observe::patience)};
  auto future = client.get_parameters({"gain"});
  Say{
    "get", rclcpp::spin_until_future_complete(node, future, observe::patience),
    future.get().at(0).as_double()};
  bool called = false;
  auto set = client.set_parameters(
    {Parameter("gain", 9.0)},
    [&](std::shared_future<std::vector<rcl_interfaces::msg::SetParametersResult>> f) {
      called = f.get().at(0).successful;
    });
  rclcpp::spin_until_future_complete(node, set, observe::patience);
  Say{"set with a callback", called, remote.node->get_parameter("gain").as_double()};

  const std::string path = scratch_file();
  {
    std::ofstream file(path);
    file << "/remote:\n  ros__parameters:\n    gain: 7.25\n    count: 12\n";
  }
  Say{"loaded by a client that knows a relative name", outcome([&] {
        client.load_parameters(path);
      })};
  rclcpp::AsyncParametersClient absolute(node, "/remote");
  absolute.wait_for_service(observe::patience);
  auto loaded = absolute.load_parameters(path);
  rclcpp::spin_until_future_complete(node, loaded, observe::patience);
  Say{
    "loaded from a file", loaded.get().size(), remote.node->get_parameter("gain").as_double(),
    remote.node->get_parameter("count").as_int()};
  std::remove(path.c_str());
  Say{"file that is not there", observe::outcome_type([&] { client.load_parameters(path); })};
}

std::string shown(const rcl_interfaces::msg::ParameterEvent & event)
{
  const auto names = [](const auto & list) {
    std::vector<std::string> result;
    for (const auto & p : list) { result.push_back(p.name); }
    return observe::join(result, ",");
  };
  return event.node + " new " + names(event.new_parameters) + " changed " +
         names(event.changed_parameters) + " deleted " + names(event.deleted_parameters);
}

void events()
{
  observe::area("parameter events");
  auto node = std::make_shared<rclcpp::Node>("watched");
  auto watcher = std::make_shared<rclcpp::Node>("watcher");
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  executor.add_node(watcher);
  std::vector<std::string> seen;
  auto subscription = rclcpp::AsyncParametersClient::on_parameter_event(
    watcher, [&](const rcl_interfaces::msg::ParameterEvent & event) {
      if (event.node == "/watched") { seen.push_back(shown(event)); }
    });
  observe::spin_until(executor, [&] { return subscription->get_publisher_count() >= 2; });
  const std::size_t wanted = 1;
  const auto step = [&](
                      const std::string & what, const std::function<void()> & action,
                      std::chrono::nanoseconds limit = observe::patience) {
    seen.clear();
    action();
    observe::spin_until(executor, [&] { return seen.size() >= wanted; }, limit);
    Say{what, observe::join(seen, " | ")};
  };
  rcl_interfaces::msg::ParameterDescriptor dynamic;
  dynamic.dynamic_typing = true;
  step("declare", [&] { node->declare_parameter("a", 1, dynamic); });
  step("set", [&] { node->set_parameter(Parameter("a", 2)); });
  step("set to the same value", [&] { node->set_parameter(Parameter("a", 2)); });
  node->declare_parameter("b", 1, dynamic);
  observe::spin_until(executor, [&] { return seen.size() >= 2; }, 2s);
  step("set two atomically", [&] {
    node->set_parameters_atomically({Parameter("a", 3), Parameter("b", 3)});
  });
  step("delete", [&] { node->set_parameter(Parameter("a")); });
  step("undeclare", [&] { node->undeclare_parameter("b"); }, 200ms);
}

void handlers()
{
  observe::area("event handlers");
  auto node = std::make_shared<rclcpp::Node>("handled");
  node->declare_parameter("a", 1);
  node->declare_parameter("b", 1);
  auto other = std::make_shared<rclcpp::Node>("other", "ns");
  other->declare_parameter("a", 1);
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  executor.add_node(other);
  rclcpp::ParameterEventHandler handler(node);
  std::vector<std::string> calls;
  auto own = handler.add_parameter_callback(
    "a", [&](const Parameter & p) { calls.push_back("own a=" + p.value_to_string()); });
  auto own_again = handler.add_parameter_callback(
    "a", [&](const Parameter & p) { calls.push_back("own again a=" + p.value_to_string()); });
  auto far = handler.add_parameter_callback(
    "a", [&](const Parameter & p) { calls.push_back("other a=" + p.value_to_string()); },
    "/ns/other");
  auto all = handler.add_parameter_event_callback(
    [&](const rcl_interfaces::msg::ParameterEvent & e) { calls.push_back("event of " + e.node); });
  auto probe = node->create_publisher<rcl_interfaces::msg::ParameterEvent>(
    "/parameter_events", rclcpp::ParameterEventsQoS());
  observe::spin_until(executor, [&] { return probe->get_subscription_count() >= 3; });
  observe::spin_for(executor, 100ms);
  calls.clear();
  const auto step =
    [&](const std::string & what, std::size_t wanted, const std::function<void()> & action) {
      action();
      observe::spin_until(executor, [&] { return calls.size() >= wanted; }, 2s);
      observe::spin_for(executor, 20ms);
      Say{what, observe::join(calls, " | ")};
      calls.clear();
    };
  step("own parameter", 3, [&] { node->set_parameter(Parameter("a", 2)); });
  step("another one", 1, [&] { node->set_parameter(Parameter("b", 2)); });
  step("of another node", 2, [&] { other->set_parameter(Parameter("a", 5)); });
  handler.remove_parameter_callback(own);
  step("after removing", 2, [&] { node->set_parameter(Parameter("a", 3)); });
  Say{"removing twice", outcome([&] { handler.remove_parameter_callback(own); })};
  handler.remove_parameter_event_callback(all);
  Say{"removing the event callback twice", outcome([&] {
        handler.remove_parameter_event_callback(all);
      })};
  rcl_interfaces::msg::ParameterEvent event;
  event.node = "/n";
  event.changed_parameters.push_back(Parameter("x", 4).to_parameter_msg());
  event.new_parameters.push_back(Parameter("y", 5).to_parameter_msg());
  Parameter found;
  Say{
    "taken from an event",
    rclcpp::ParameterEventHandler::get_parameter_from_event(event, found, "x", "/n"),
    found.as_int(),
    rclcpp::ParameterEventHandler::get_parameter_from_event(event, found, "x", "/m")};
  Say{"taken from an event, absent", outcome([&] {
        (void)rclcpp::ParameterEventHandler::get_parameter_from_event(event, "z", "/n");
      })};
  Say{"all of an event", rclcpp::ParameterEventHandler::get_parameters_from_event(event).size()};
  using Filter = rclcpp::ParameterEventsFilter;
  Filter filter(
    std::make_shared<rcl_interfaces::msg::ParameterEvent>(event), {"x", "y"},
    {Filter::EventType::NEW, Filter::EventType::CHANGED});
  std::vector<std::string> names;
  for (const auto & [type, parameter] : filter.get_events()) { names.push_back(parameter->name); }
  Say{"filtered", observe::join(names)};
}

void files()
{
  observe::area("parameter files");
  const std::string path = scratch_file();
  const auto with_file = [&](const std::string & text, const std::string & ns = "") {
    {
      std::ofstream file(path);
      file << text;
    }
    return std::make_shared<rclcpp::Node>(
      "filed", ns,
      rclcpp::NodeOptions()
        .arguments({"--ros-args", "--params-file", path, "-p", "last:=9"})
        .automatically_declare_parameters_from_overrides(true));
  };
  const auto show = [](const std::string & what, const rclcpp::Node::SharedPtr & node) {
    std::vector<std::string> list;
    for (const auto & name : node->list_parameters({}, 0).names) {
      if (
        name != "use_sim_time" && name.rfind("qos_", 0) != 0 &&
        name != "start_type_description_service") {
        list.push_back(name + "=" + node->get_parameter(name).value_to_string());
      }
    }
    Say{what, observe::join(list)};
  };
  show(
    "by name",
    with_file(
      "filed:\n  ros__parameters:\n    a: 1\n    deep:\n      b: [true, false]\n    last: 1\n"
      "someone_else:\n  ros__parameters:\n    c: 1\n"));
  show(
    "wildcards", with_file(
                   "/**:\n  ros__parameters:\n    a: 1\n    b: every\n"
                   "/ns/filed:\n  ros__parameters:\n    b: mine\n"
                   "/ns/*:\n  ros__parameters:\n    d: 2.5\n",
                   "ns"));
  show("nested names", with_file("ns:\n  filed:\n    ros__parameters:\n      a: nested\n", "ns"));
  show(
    "kinds",
    with_file(
      "filed:\n  ros__parameters:\n    i: 5\n    d: 5.0\n    e: 1e3\n    s: '5'\n    y: yes\n"
      "    t: true\n    li: [1, 2]\n    ld: [1.0, 2.0]\n    ls: [a, b]\n"));
  Say{"mixed list", observe::outcome_type([&] {
        with_file("filed:\n  ros__parameters:\n    l: [1, two]\n");
      })};
  Say{"no ros__parameters", observe::outcome_type([&] { with_file("filed:\n  a: 1\n"); })};
  Say{"not yaml", observe::outcome_type([&] { with_file("{{{:"); })};
  const auto map = rclcpp::parameter_map_from_yaml_file([&] {
    std::ofstream file(path);
    file << "/a/b:\n  ros__parameters:\n    x: 1\n    y: two\n";
    return path;
  }());
  Say{"parameter map", map.size(), map.begin()->first, map.begin()->second.size()};
  std::remove(path.c_str());
}

}  // namespace

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  synchronous();
  asynchronous();
  events();
  handlers();
  files();
  rclcpp::shutdown();
  return 0;
}
