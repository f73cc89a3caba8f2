#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "rclcpp/experimental/executors/events_executor/events_queue.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {
namespace experimental {
namespace executors {

/// An unbounded first-in first-out queue under one mutex.
class SimpleEventsQueue : public EventsQueue {
public:
  RCLCPP_PUBLIC ~SimpleEventsQueue() override = default;

  RCLCPP_PUBLIC void enqueue(const rclcpp::experimental::executors::ExecutorEvent & event) override;

  RCLCPP_PUBLIC bool dequeue(rclcpp::experimental::executors::ExecutorEvent & event,
    std::chrono::nanoseconds timeout = std::chrono::nanoseconds::max()) override;

  RCLCPP_PUBLIC bool empty() const override;

  RCLCPP_PUBLIC size_t size() const override;

private:
  std::deque<rclcpp::experimental::executors::ExecutorEvent> event_queue_;
  mutable std::mutex mutex_;
  std::condition_variable events_queue_cv_;
};

}  // namespace executors
}  // namespace experimental
}  // namespace rclcpp
