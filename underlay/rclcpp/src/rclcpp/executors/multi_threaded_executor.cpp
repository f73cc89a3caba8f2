// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/executors/multi_threaded_executor.hpp"

#include <thread>

#include "rclcpp/logging.hpp"

namespace rclcpp::executors {

MultiThreadedExecutor::MultiThreadedExecutor(const ExecutorOptions & options, size_t number_of_threads,
  bool yield_before_execute, std::chrono::nanoseconds timeout)
: Executor(options),
  number_of_threads_(
    number_of_threads > 0 ? number_of_threads : std::max<size_t>(std::thread::hardware_concurrency(), 2)),
  yield_before_execute_(yield_before_execute),
  next_exec_timeout_(timeout) {
  if (number_of_threads_ == 1) {
    RCLCPP_WARN(get_logger("rclcpp"),
      "MultiThreadedExecutor is used with a single thread.\nUse the SingleThreadedExecutor instead.");
  }
}

void MultiThreadedExecutor::spin() {
  SpinSession session(*this, "spin()");
  std::vector<std::thread> threads;
  for (size_t number = 0; number + 1 < number_of_threads_; ++number) {
    threads.emplace_back([this, number]() { run(number); });
  }
  run(number_of_threads_ - 1);
  for (auto & thread : threads) { thread.join(); }
}

void MultiThreadedExecutor::run(size_t) {
  while (keep_spinning()) {
    AnyExecutable any_executable;
    {
      std::lock_guard<std::mutex> wait_lock(wait_mutex_);
      if (!keep_spinning()) { break; }
      if (!get_next_executable(any_executable, next_exec_timeout_)) { continue; }
    }
    if (yield_before_execute_) { std::this_thread::yield(); }
    const auto & group = any_executable.callback_group;
    const bool exclusive = group && group->type() == CallbackGroupType::MutuallyExclusive;
    execute_any_executable(any_executable);
    // The thread that waits has left out this group, which is free again.
    if (exclusive) { interrupt_guard_condition_->trigger(); }
  }
  // Whoever waits is to see why this thread has ended.
  interrupt_guard_condition_->trigger();
}

}  // namespace rclcpp::executors
