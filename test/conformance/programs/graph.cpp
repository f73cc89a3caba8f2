// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
//
// Nodes and the graph: names, namespaces, sub-nodes, remapping, node options, invalid names, graph
// queries and graph events.

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "ambf_conformance/observe.hpp"
#include "rclcpp/rclcpp.hpp"
#include "std_msgs/msg/string.hpp"
#include "std_srvs/srv/empty.hpp"

using namespace std::chrono_literals;
using observe::outcome;
using observe::Say;
using std_msgs::msg::String;

namespace
{

void names()
{
  observe::area("names");
  const auto make = [](const std::string & name, const std::string & ns) {
    return outcome([&] {
      rclcpp::Node node(name, ns);
      Say{"made", node.get_name(), node.get_namespace(), node.get_fully_qualified_name()};
    });
  };
  Say{"plain", make("plain", "")};
  Say{"relative namespace", make("plain", "a/b")};
  Say{"absolute namespace", make("plain", "/a")};
  Say{"root", make("plain", "/")};
  Say{"empty name", make("", "")};
  Say{"slash in name", make("a/b", "")};
  Say{"dash in name", make("a-b", "")};
  Say{"leading digit", make("1a", "")};
  Say{"space in namespace", make("plain", "a b")};
  Say{"trailing slash", make("plain", "/a/")};
  Say{"double slash", make("plain", "/a//b")};
  Say{"long name", observe::outcome_type([] { rclcpp::Node node(std::string(256, 'n')); })};

  auto node = std::make_shared<rclcpp::Node>("parent", "ns");
  auto sub = node->create_sub_node("inner");
  auto deep = sub->create_sub_node("more");
  Say{
    "sub nodes",
    sub->get_sub_namespace(),
    sub->get_effective_namespace(),
    deep->get_sub_namespace(),
    deep->get_effective_namespace(),
    deep->get_name()};
  Say{
    "topic of a sub node", deep->create_publisher<String>("t", 1)->get_topic_name(),
    deep->create_publisher<String>("/t", 1)->get_topic_name(),
    deep->create_publisher<String>("~/t", 1)->get_topic_name()};
  Say{"absolute sub node", outcome([&] { node->create_sub_node("/inner"); })};
  Say{"empty sub node", outcome([&] { node->create_sub_node(""); })};
  Say{"bad sub node", outcome([&] { node->create_sub_node("not good"); })};
  Say{"two of one name", outcome([] {
        rclcpp::Node a("twin");
        rclcpp::Node b("twin");
      })};
}

void remapping()
{
  observe::area("remapping");
  const auto with = [](const std::vector<std::string> & rules) {
    std::vector<std::string> arguments{"--ros-args"};
    for (const auto & rule : rules) {
      arguments.push_back("-r");
      arguments.push_back(rule);
    }
    return std::make_shared<rclcpp::Node>(
      "mapped", "ns", rclcpp::NodeOptions().arguments(arguments));
  };
  auto node = with({"__node:=renamed", "__ns:=/elsewhere", "chatter:=/talk", "~/own:=owned"});
  Say{"node", node->get_fully_qualified_name()};
  Say{
    "topics", node->create_publisher<String>("chatter", 1)->get_topic_name(),
    node->create_publisher<String>("~/own", 1)->get_topic_name(),
    node->create_publisher<String>("other", 1)->get_topic_name()};
  auto selected = with({"mapped:a:=b", "other:a:=c"});
  Say{"by node name", selected->create_publisher<String>("a", 1)->get_topic_name()};
  auto services = with({"serve:=/served"});
  Say{
    "services", services->create_client<std_srvs::srv::Empty>("serve")->get_service_name(),
    services
      ->create_service<std_srvs::srv::Empty>(
        "serve", [](
                   const std_srvs::srv::Empty::Request::SharedPtr,
                   std_srvs::srv::Empty::Response::SharedPtr) {})
      ->get_service_name()};
  auto base = services->get_node_topics_interface();
  Say{
    "resolved", base->resolve_topic_name("serve"), base->resolve_topic_name("x"),
    services->get_node_services_interface()->resolve_service_name("serve"),
    base->resolve_topic_name("serve", true)};
  Say{"bad rule", outcome([&] { with({"a:=b c"}); })};
  Say{"global arguments off", outcome([] {
        rclcpp::Node own("own", rclcpp::NodeOptions().use_global_arguments(false));
        Say{"is", own.get_name()};
      })};
  Say{
    "expanded", rclcpp::expand_topic_or_service_name("~/x", "node", "/ns"),
    rclcpp::expand_topic_or_service_name("{ns}/x", "node", "/ns", true),
    outcome([] { rclcpp::expand_topic_or_service_name("a b", "node", "/ns"); })};
}

void options()
{
  observe::area("node options");
  rclcpp::NodeOptions o;
  Say{
    "defaults",
    o.use_global_arguments(),
    o.enable_rosout(),
    o.use_intra_process_comms(),
    o.enable_topic_statistics(),
    o.start_parameter_services(),
    o.start_parameter_event_publisher(),
    o.use_clock_thread(),
    o.allow_undeclared_parameters(),
    o.automatically_declare_parameters_from_overrides(),
    o.enable_logger_service()};
  Say{"event publisher QoS", o.parameter_event_qos().depth(), o.rosout_qos().depth()};
  o.append_parameter_override("a", 1).append_parameter_override("b", "x");
  Say{"overrides", o.parameter_overrides().size()};
  const rclcpp::NodeOptions copy(o);
  Say{"copy", copy.parameter_overrides().size()};
  const auto services_of = [](const rclcpp::NodeOptions & options) {
    rclcpp::Node node("bare", options);
    std::vector<std::string> list;
    for (const auto & [name, types] : node.get_service_names_and_types_by_node("bare", "/")) {
      list.push_back(name);
    }
    return observe::join(list);
  };
  Say{"services", services_of(rclcpp::NodeOptions())};
  Say{
    "without parameter services",
    services_of(rclcpp::NodeOptions().start_parameter_services(false))};
  Say{
    "intra-process", rclcpp::Node("intra", rclcpp::NodeOptions().use_intra_process_comms(true))
                       .get_node_base_interface()
                       ->get_use_intra_process_default()};
  rclcpp::Node plain("plain");
  std::vector<std::string> topics;
  observe::eventually([&] { return plain.get_topic_names_and_types().size() >= 2; });
  for (const auto & [name, types] : plain.get_topic_names_and_types()) {
    topics.push_back(name + "[" + observe::join(types) + "]");
  }
  Say{"topics of a plain node", observe::join(topics)};
  std::vector<std::string> parameters = plain.list_parameters({}, 0).names;
  Say{"parameters of a plain node", observe::join(parameters)};
}

void queries()
{
  observe::area("queries");
  auto node = std::make_shared<rclcpp::Node>("asker", "q");
  auto other = std::make_shared<rclcpp::Node>("asked", "q");
  auto publisher = other->create_publisher<String>("words", rclcpp::QoS(7).best_effort());
  auto subscription = node->create_subscription<String>("words", 3, [](const String &) {});
  auto service = other->create_service<std_srvs::srv::Empty>(
    "serve",
    [](const std_srvs::srv::Empty::Request::SharedPtr, std_srvs::srv::Empty::Response::SharedPtr) {
    });
  auto client = node->create_client<std_srvs::srv::Empty>("serve");
  observe::eventually(
    [&] { return node->count_publishers("words") == 1 && node->count_services("serve") == 1; });
  Say{
    "counts",
    node->count_publishers("words"),
    node->count_subscribers("words"),
    node->count_publishers("/words"),
    node->count_clients("serve"),
    node->count_services("serve"),
    node->count_publishers("/q/words")};
  Say{"bad name", outcome([&] { node->count_publishers("not good"); })};
  auto all = node->get_node_names();
  std::sort(all.begin(), all.end());
  Say{"nodes", observe::join(all)};
  const auto infos = node->get_publishers_info_by_topic("words");
  Say{"publishers", infos.size()};
  for (const auto & i : infos) {
    Say{
      "info",
      i.node_name(),
      i.node_namespace(),
      i.topic_type(),
      i.endpoint_type() == rclcpp::EndpointType::Publisher,
      i.qos_profile().reliability() == rclcpp::ReliabilityPolicy::BestEffort,
      static_cast<int>(i.topic_type_hash().version)};
  }
  Say{
    "subscriptions", node->get_subscriptions_info_by_topic("words").size(), "nobody",
    node->get_subscriptions_info_by_topic("silence").size()};
  const auto services = node->get_service_names_and_types();
  Say{
    "service types", services.count("/q/serve"),
    services.count("/q/serve") ? observe::join(services.at("/q/serve")) : ""};
  Say{"unknown node", observe::outcome_type([&] {
        node->get_service_names_and_types_by_node("nobody", "/q");
      })};
  const auto graph = node->get_node_graph_interface();
  Say{"names and namespaces", graph->get_node_names_and_namespaces().size()};
  Say{
    "publishers by node",
    graph->get_publisher_names_and_types_by_node("asked", "/q").count("/q/words"),
    graph->get_subscriber_names_and_types_by_node("asker", "/q").count("/q/words"),
    graph->get_client_names_and_types_by_node("asker", "/q").count("/q/serve")};
}

void graph_events()
{
  observe::area("graph events");
  auto node = std::make_shared<rclcpp::Node>("watcher");
  auto event = node->get_graph_event();
  event->check_and_clear();
  std::thread maker([] {
    std::this_thread::sleep_for(50ms);
    rclcpp::Node other("newcomer");
    std::this_thread::sleep_for(50ms);
  });
  node->wait_for_graph_change(event, observe::patience);
  const bool set = event->check_and_clear();
  Say{"seen", set};
  maker.join();
  Say{"not an event of the node", outcome([&] {
        node->wait_for_graph_change(std::make_shared<rclcpp::Event>(), 1ms);
      })};
  Say{"null event", outcome([&] { node->wait_for_graph_change(nullptr, 1ms); })};
  rclcpp::Event plain;
  Say{"event", plain.check(), plain.set(), plain.check_and_clear(), plain.check()};
}

}  // namespace

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  names();
  remapping();
  options();
  queries();
  graph_events();
  rclcpp::shutdown();
  return 0;
}
