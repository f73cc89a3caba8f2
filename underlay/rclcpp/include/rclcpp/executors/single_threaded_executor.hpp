// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/executor.hpp"

namespace rclcpp::executors {

/// Runs all callbacks in the thread that spins.
class SingleThreadedExecutor : public Executor {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(SingleThreadedExecutor)

  explicit SingleThreadedExecutor(const ExecutorOptions & options = ExecutorOptions()) : Executor(options) {}

  void spin() override;
};

}  // namespace rclcpp::executors
