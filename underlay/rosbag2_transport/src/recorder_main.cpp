// SPDX-License-Identifier: BSD-3-Clause
// The program that `ros2 bag record` runs.
#include <cstdio>
#include <optional>

#include "keyboard.hpp"
#include "rclcpp/experimental/executors/events_executor/events_executor.hpp"
#include "recording.hpp"
#include "signal_wait.hpp"
#include "spinner.hpp"

int main(int argc, char ** argv) {
  using namespace rosbag2_transport::detail;
  const SignalWait signals;
  bool succeeded = false;
  try {
    rclcpp::init(argc, argv, rclcpp::InitOptions(), rclcpp::SignalHandlerOptions::None);
    // Not the class Recorder: a program ends when its disk is full, a component does not.
    const auto node = std::make_shared<rclcpp::Node>("rosbag2_recorder");
    Recording recording(*node, [] { SignalWait::raise(); });
    std::optional<Keyboard> keyboard;
    if (recording.has_keyboard()) {
      keyboard.emplace([&](Key key) {
        if (key == Key::kSpace) { recording.toggle_paused(); }
      });
      if (keyboard->active()) { RCLCPP_INFO(node->get_logger(), "Press SPACE for pausing/resuming"); }
    }
    // Wakes per message, not per set of all subscriptions.
    rclcpp::experimental::executors::EventsExecutor executor;
    executor.add_node(node);
    {
      const Spinner spinner(executor);
      signals.wait();
      keyboard.reset();
    }
    succeeded = recording.stop();
  } catch (const std::exception & error) { std::fprintf(stderr, "[ERROR] [ros2bag]: %s\n", error.what()); }
  rclcpp::shutdown();
  return succeeded ? 0 : 1;
}
