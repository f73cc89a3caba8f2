// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_node_support/run_alone.hpp"

#include <cstdio>
#include <exception>
#include <filesystem>

#include <rclcpp/experimental/executors/events_executor/events_executor.hpp>
#include <rclcpp/rclcpp.hpp>

namespace ambf_node_support
{
namespace
{

std::unique_ptr<rclcpp::Executor> make_executor(Callbacks callbacks)
{
  if (callbacks == Callbacks::OnEvents) {
    return std::make_unique<rclcpp::experimental::executors::EventsExecutor>();
  }
  return std::make_unique<rclcpp::executors::SingleThreadedExecutor>();
}

}  // namespace

int run_alone(int argc, char ** argv, const NodeMaker & make_node, Callbacks callbacks)
{
  int code = refused;
  bool started = false;
  try {
    rclcpp::init(argc, argv);
    started = true;
    const auto executor = make_executor(callbacks);
    const auto node = make_node(rclcpp::NodeOptions());
    code = failed;
    executor->add_node(node);
    executor->spin();
    executor->remove_node(node);
    code = 0;
  } catch (const std::exception & error) {
    // Ctrl-C while the node was being made shows as an error of whatever was made just then.
    const bool interrupted = started && !rclcpp::ok();
    if (interrupted) {
      code = 0;
    } else {
      const auto program = std::filesystem::path(argv[0]).filename().string();
      std::fprintf(stderr, "%s: %s\n", program.c_str(), error.what());
    }
  }
  rclcpp::shutdown();
  return code;
}

}  // namespace ambf_node_support
