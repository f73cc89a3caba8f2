// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/executor.hpp"

namespace rclcpp::executors {

/// Runs callbacks in several threads, as far as their groups allow.
class MultiThreadedExecutor : public Executor {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(MultiThreadedExecutor)

  /**
   * \param number_of_threads 0 means one per core, and at least two
   * \param yield_before_execute yield between taking work and running it
   * \param timeout longest wait of a thread before it looks at the executor's state again
   */
  explicit MultiThreadedExecutor(const ExecutorOptions & options = ExecutorOptions(), size_t number_of_threads = 0,
    bool yield_before_execute = false, std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));

  /// An exception of a callback ends the process: no thread could go on without the others.
  void spin() override;

  size_t get_number_of_threads() { return number_of_threads_; }

protected:
  void run(size_t this_thread_number);

private:
  std::mutex wait_mutex_;
  size_t number_of_threads_;
  bool yield_before_execute_;
  std::chrono::nanoseconds next_exec_timeout_;
};

}  // namespace rclcpp::executors
