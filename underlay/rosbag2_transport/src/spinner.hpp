// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "rclcpp/executor.hpp"

namespace rosbag2_transport::detail {

/// An executor on a thread of its own. A cancel that comes before the thread has begun to spin is
/// lost, so the end is asked for until it is there.
class Spinner {
public:
  explicit Spinner(rclcpp::Executor & executor)
  : executor_(executor), thread_([this] {
      executor_.spin();
      ended_ = true;
    }) {}
  ~Spinner() {
    while (!ended_) {
      executor_.cancel();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    thread_.join();
  }
  Spinner(const Spinner &) = delete;
  Spinner & operator=(const Spinner &) = delete;

private:
  rclcpp::Executor & executor_;
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

}  // namespace rosbag2_transport::detail
