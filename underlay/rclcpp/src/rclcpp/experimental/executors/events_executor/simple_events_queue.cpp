#include "rclcpp/experimental/executors/events_executor/simple_events_queue.hpp"

#include <utility>

namespace rclcpp {
namespace experimental {
namespace executors {

void SimpleEventsQueue::enqueue(const ExecutorEvent & event) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    event_queue_.push_back(event);
  }
  // Outside the lock, so that the thread that wakes does not run into it.
  events_queue_cv_.notify_one();
}

bool SimpleEventsQueue::dequeue(ExecutorEvent & event, std::chrono::nanoseconds timeout) {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto has_event = [this]() { return !event_queue_.empty(); };
  if (timeout == std::chrono::nanoseconds::max()) {
    events_queue_cv_.wait(lock, has_event);
  } else if (!has_event() && timeout > std::chrono::nanoseconds(0)) {
    events_queue_cv_.wait_for(lock, timeout, has_event);
  }
  if (event_queue_.empty()) { return false; }
  event = std::move(event_queue_.front());
  event_queue_.pop_front();
  return true;
}

bool SimpleEventsQueue::empty() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return event_queue_.empty();
}

size_t SimpleEventsQueue::size() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return event_queue_.size();
}

}  // namespace executors
}  // namespace experimental
}  // namespace rclcpp
