// SPDX-License-Identifier: BSD-3-Clause
// One arm alone in its process: what it cannot start with is told in words and gives exit code 1, which
// a launch file does not start again; an error later gives 2.

#include <cstdio>
#include <exception>

#include <rclcpp/experimental/executors/events_executor/events_executor.hpp>
#include <rclcpp/rclcpp.hpp>

#include "make_arm_server.hpp"

int main(int argc, char ** argv)
{
  int code = 1;
  bool started = false;
  try {
    rclcpp::init(argc, argv);
    started = true;
    // Fifty topics in a wait set would cost every command: events do not.
    rclcpp::experimental::executors::EventsExecutor executor;
    const auto node = ambf_arm_nodes::make_arm_server(rclcpp::NodeOptions());
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
      std::fprintf(stderr, "arm_server: %s\n", error.what());
    }
  }
  rclcpp::shutdown();
  return code;
}
