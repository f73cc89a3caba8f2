// SPDX-License-Identifier: BSD-3-Clause
// One of the nodes of round_trips.hpp as a process: round_trips echo|ping [--ros-args ...]
#include <cstdio>
#include <memory>
#include <string>

#include <rclcpp/experimental/executors/events_executor/events_executor.hpp>

#include "round_trips.hpp"

int main(int argc, char ** argv)
{
  const std::string what = argc > 1 ? argv[1] : "";
  if (what != "echo" && what != "ping") {
    std::fprintf(stderr, "usage: round_trips echo|ping [--ros-args ...]\n");
    return 2;
  }
  rclcpp::init(argc, argv);
  {
    // As the arm's own process has it.
    rclcpp::experimental::executors::EventsExecutor executor;
    const rclcpp::NodeOptions options;
    const rclcpp::Node::SharedPtr node =
      what == "echo" ? rclcpp::Node::SharedPtr(std::make_shared<ambf_bench::PoseEcho>(options))
                     : rclcpp::Node::SharedPtr(std::make_shared<ambf_bench::RoundTrips>(options));
    executor.add_node(node);
    executor.spin();
  }
  rclcpp::shutdown();
  return 0;
}
