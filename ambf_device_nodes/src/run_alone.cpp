// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_device_nodes/run_alone.hpp"

#include <cstdio>
#include <exception>

#include <rclcpp/rclcpp.hpp>

namespace ambf_device_nodes
{

int run_alone(int argc, char ** argv, const NodeMaker & make)
{
  int code = refused;
  bool started = false;
  try {
    rclcpp::init(argc, argv);
    started = true;
    const auto node = make(rclcpp::NodeOptions());
    code = failed;
    rclcpp::executors::SingleThreadedExecutor executor;
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
      std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    }
  }
  rclcpp::shutdown();
  return code;
}

}  // namespace ambf_device_nodes
