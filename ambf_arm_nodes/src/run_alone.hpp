// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdio>
#include <exception>

#include <rclcpp/experimental/executors/events_executor/events_executor.hpp>
#include <rclcpp/rclcpp.hpp>

namespace ambf_arm_nodes
{

/// One node alone in its process: what it cannot start with is told in words and gives exit code 1,
/// which a launch file does not start again; an error later gives 2.
template <class Make>
int run_alone(int argc, char ** argv, const char * program, Make make)
{
  int code = 1;
  bool started = false;
  try {
    rclcpp::init(argc, argv);
    started = true;
    // Dozens of topics in a wait set would cost every command: events do not.
    rclcpp::experimental::executors::EventsExecutor executor;
    const rclcpp::Node::SharedPtr node = make(rclcpp::NodeOptions());
    code = 2;
    executor.add_node(node);
    executor.spin();
    executor.remove_node(node);
    code = 0;
  } catch (const std::exception & error) {
    // Ctrl-C while the node was being made shows as an error of whatever was made just then.
    const bool interrupted = started && !rclcpp::ok();
    if (interrupted) {
      code = 0;
    } else {
      std::fprintf(stderr, "%s: %s\n", program, error.what());
    }
  }
  rclcpp::shutdown();
  return code;
}

}  // namespace ambf_arm_nodes
