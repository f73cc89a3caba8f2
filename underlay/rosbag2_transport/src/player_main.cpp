// SPDX-License-Identifier: BSD-3-Clause
// The program that `ros2 bag play` runs.
#include <cstdio>
#include <optional>

#include "keyboard.hpp"
#include "playback.hpp"
#include "signal_wait.hpp"
#include "spinner.hpp"

int main(int argc, char ** argv) {
  using namespace rosbag2_transport::detail;
  const SignalWait signals;
  bool succeeded = false;
  try {
    rclcpp::init(argc, argv, rclcpp::InitOptions(), rclcpp::SignalHandlerOptions::None);
    const auto node = std::make_shared<rclcpp::Node>("rosbag2_player");
    Playback playback(*node, [] { SignalWait::raise(); });
    std::optional<Keyboard> keyboard;
    if (playback.has_keyboard()) {
      keyboard.emplace([&](Key key) {
        switch (key) {
          case Key::kSpace: playback.toggle_paused(); break;
          case Key::kRight: playback.play_next(); break;
          case Key::kUp: playback.set_rate(playback.rate() * 1.1); break;
          case Key::kDown: playback.set_rate(playback.rate() * 0.9); break;
        }
      });
      if (keyboard->active()) {
        RCLCPP_INFO(node->get_logger(), "Press SPACE for Pause/Resume");
        RCLCPP_INFO(node->get_logger(), "Press CURSOR_RIGHT for Play Next Message");
        RCLCPP_INFO(node->get_logger(), "Press CURSOR_UP for Increase Rate 10%%");
        RCLCPP_INFO(node->get_logger(), "Press CURSOR_DOWN for Decrease Rate 10%%");
      }
    }
    rclcpp::executors::SingleThreadedExecutor executor;
    executor.add_node(node);
    {
      const Spinner spinner(executor);
      signals.wait();
      keyboard.reset();
      playback.stop();
    }
    succeeded = true;
  } catch (const std::exception & error) { std::fprintf(stderr, "[ERROR] [ros2bag]: %s\n", error.what()); }
  rclcpp::shutdown();
  return succeeded ? 0 : 1;
}
