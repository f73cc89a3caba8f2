#include "rclcpp/executors/multi_threaded_executor.hpp"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "rclcpp/logging.hpp"

namespace rclcpp {
namespace executors {

MultiThreadedExecutor::MultiThreadedExecutor(const ExecutorOptions & options, size_t number_of_threads,
  bool yield_before_execute, std::chrono::nanoseconds timeout)
: Executor(options),
  number_of_threads_(
    number_of_threads > 0 ? number_of_threads : std::max<size_t>(std::thread::hardware_concurrency(), 2)),
  yield_before_execute_(yield_before_execute),
  next_exec_timeout_(timeout) {
  if (number_of_threads_ == 1) {
    RCLCPP_WARN(rclcpp::get_logger("rclcpp"),
      "MultiThreadedExecutor is used with a single thread.\n"
      "Use the SingleThreadedExecutor instead.");
  }
}

MultiThreadedExecutor::~MultiThreadedExecutor() = default;

void MultiThreadedExecutor::spin() {
  SpinSession session(*this, "spin()");
  failure_ = nullptr;
  std::vector<std::thread> threads;
  threads.reserve(number_of_threads_ - 1);
  for (size_t number = 0; number + 1 < number_of_threads_; ++number) {
    threads.emplace_back([this, number]() { run(number); });
  }
  run(number_of_threads_ - 1);
  for (auto & thread : threads) { thread.join(); }
  if (failure_) { std::rethrow_exception(std::exchange(failure_, nullptr)); }
}

size_t MultiThreadedExecutor::get_number_of_threads() { return number_of_threads_; }

void MultiThreadedExecutor::run(size_t this_thread_number) {
  (void)this_thread_number;
  try {
    while (ok(context_) && spinning.load()) {
      AnyExecutable any_executable;
      {
        std::lock_guard<std::mutex> wait_lock(wait_mutex_);
        if (!ok(context_) || !spinning.load()) { break; }
        if (!get_next_executable(any_executable, next_exec_timeout_)) { continue; }
      }
      if (yield_before_execute_) { std::this_thread::yield(); }
      const bool exclusive =
        any_executable.callback_group && any_executable.callback_group->type() == CallbackGroupType::MutuallyExclusive;
      execute_any_executable(any_executable);
      if (exclusive) {
        // The thread that waits has left out this group, which is free again.
        interrupt_guard_condition_->trigger();
      }
    }
  } catch (...) {
    std::lock_guard<std::mutex> failure_lock(failure_mutex_);
    if (!failure_) { failure_ = std::current_exception(); }
    spinning.store(false);
  }
  // Whoever waits is to see why this thread has ended.
  interrupt_guard_condition_->trigger();
}

}  // namespace executors
}  // namespace rclcpp
