// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "rclcpp/rclcpp.hpp"

namespace spinning {

// Far above what anything here takes, so that only a failure runs into it.
constexpr std::chrono::seconds kLimit{60};

/// Wait, without spinning, until the condition holds.
template <typename ConditionT> bool wait_until(ConditionT condition) {
  const auto end = std::chrono::steady_clock::now() + kLimit;
  while (!condition() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return condition();
}

/// Spin until the condition holds.
template <typename ConditionT> bool spin_until(rclcpp::Executor & executor, ConditionT condition) {
  const auto end = std::chrono::steady_clock::now() + kLimit;
  while (!condition() && std::chrono::steady_clock::now() < end) { executor.spin_once(std::chrono::milliseconds(20)); }
  return condition();
}

/// A spinning executor; cancelled and joined at the end of the scope.
class SpinningThread {
public:
  explicit SpinningThread(rclcpp::Executor & executor)
  : executor_(executor), thread_([&executor]() { executor.spin(); }) {
    EXPECT_TRUE(wait_until([&]() { return executor.is_spinning(); }));
  }
  ~SpinningThread() {
    executor_.cancel();
    thread_.join();
  }
  SpinningThread(const SpinningThread &) = delete;
  SpinningThread & operator=(const SpinningThread &) = delete;

private:
  rclcpp::Executor & executor_;
  std::thread thread_;
};

}  // namespace spinning
