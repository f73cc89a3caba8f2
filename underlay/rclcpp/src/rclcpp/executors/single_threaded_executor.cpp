#include "rclcpp/executors/single_threaded_executor.hpp"

namespace rclcpp {
namespace executors {

SingleThreadedExecutor::SingleThreadedExecutor(const ExecutorOptions & options) : Executor(options) {}

SingleThreadedExecutor::~SingleThreadedExecutor() = default;

void SingleThreadedExecutor::spin() {
  SpinSession session(*this, "spin()");
  while (ok(context_) && spinning.load()) {
    AnyExecutable any_executable;
    if (get_next_executable(any_executable)) { execute_any_executable(any_executable); }
  }
}

}  // namespace executors
}  // namespace rclcpp
