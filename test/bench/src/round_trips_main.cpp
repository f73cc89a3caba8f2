// SPDX-License-Identifier: BSD-3-Clause
// One of the nodes of round_trips.hpp and hand_trips.hpp as a process: round_trips WHAT [--ros-args ...]
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string>

#include <rclcpp/experimental/executors/events_executor/events_executor.hpp>

#include "hand_trips.hpp"
#include "round_trips.hpp"

namespace
{

template <class NodeT>
rclcpp::Node::SharedPtr make()
{
  return std::make_shared<NodeT>(rclcpp::NodeOptions());
}

const std::map<std::string, std::function<rclcpp::Node::SharedPtr()>> nodes{
  {"echo", make<ambf_bench::PoseEcho>},
  {"ping", make<ambf_bench::RoundTrips>},
  {"hand_echo", make<ambf_bench::SampleEcho>},
  {"hand_ping", make<ambf_bench::HandTrips>},
};

}  // namespace

int main(int argc, char ** argv)
{
  const auto make_node = nodes.find(argc > 1 ? argv[1] : "");
  if (make_node == nodes.end()) {
    std::fprintf(stderr, "usage: round_trips echo|ping|hand_echo|hand_ping [--ros-args ...]\n");
    return 2;
  }
  rclcpp::init(argc, argv);
  {
    // As the arm's own process has it.
    rclcpp::experimental::executors::EventsExecutor executor;
    const rclcpp::Node::SharedPtr node = make_node->second();
    executor.add_node(node);
    executor.spin();
  }
  rclcpp::shutdown();
  return 0;
}
