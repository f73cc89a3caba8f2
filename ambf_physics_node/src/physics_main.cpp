// SPDX-License-Identifier: BSD-3-Clause
// The simulator alone in its process: what it cannot start with is told in words and gives exit code 1, which a
// launch file does not start again; an error later gives 2.

#include <cstdio>
#include <exception>
#include <memory>

#include <rclcpp/experimental/executors/events_executor/events_executor.hpp>
#include <rclcpp/rclcpp.hpp>

#include "physics_node.hpp"
#include "transport.hpp"

int main(int argc, char ** argv)
{
  int code = 1;
  bool started = false;
  try {
    ambf_physics::choose_transport();
    rclcpp::init(argc, argv);
    started = true;
    // Hundreds of Command topics in a wait set would cost every call of the world clock: events do not.
    rclcpp::experimental::executors::EventsExecutor executor;
    const auto node = std::make_shared<ambf_physics::PhysicsNode>(rclcpp::NodeOptions());
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
      std::fprintf(stderr, "physics_node: %s\n", error.what());
    }
  }
  rclcpp::shutdown();
  return code;
}
