#pragma once

#include <chrono>

#include "rclcpp/experimental/executors/events_executor/events_executor_event_types.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {
namespace experimental {
namespace executors {

/// The queue between the middleware's threads and an events executor; it must be thread-safe.
class EventsQueue {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(EventsQueue)

  RCLCPP_PUBLIC EventsQueue() = default;

  RCLCPP_PUBLIC virtual ~EventsQueue() = default;

  RCLCPP_PUBLIC virtual void enqueue(const rclcpp::experimental::executors::ExecutorEvent & event) = 0;

  /// False if the timeout passed without an event.
  RCLCPP_PUBLIC virtual bool dequeue(rclcpp::experimental::executors::ExecutorEvent & event,
    std::chrono::nanoseconds timeout = std::chrono::nanoseconds::max()) = 0;

  RCLCPP_PUBLIC virtual bool empty() const = 0;

  RCLCPP_PUBLIC virtual size_t size() const = 0;
};

}  // namespace executors
}  // namespace experimental
}  // namespace rclcpp
