// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>

#include "rclcpp/experimental/executors/events_executor/events_executor_event_types.hpp"
#include "rclcpp/macros.hpp"

namespace rclcpp::experimental::executors {

/// The queue between the middleware's threads and an events executor; it must be thread-safe.
class EventsQueue {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(EventsQueue)

  virtual ~EventsQueue() = default;
  virtual void enqueue(const ExecutorEvent & event) = 0;
  /// False if the timeout passed without an event.
  virtual bool dequeue(ExecutorEvent & event, std::chrono::nanoseconds timeout = std::chrono::nanoseconds::max()) = 0;
  virtual bool empty() const = 0;
  virtual size_t size() const = 0;
};

}  // namespace rclcpp::experimental::executors
