// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>

#include "rclcpp/experimental/executors/events_executor/events_queue.hpp"

namespace rclcpp::experimental::executors {

/// An unbounded first-in first-out queue under one mutex.
class SimpleEventsQueue : public EventsQueue {
public:
  void enqueue(const ExecutorEvent & event) override {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      event_queue_.push_back(event);
    }
    // Outside the lock, so that the thread that wakes does not run into it.
    events_queue_cv_.notify_one();
  }

  bool dequeue(ExecutorEvent & event, std::chrono::nanoseconds timeout = std::chrono::nanoseconds::max()) override {
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

  bool empty() const override { return size() == 0; }
  size_t size() const override {
    std::lock_guard<std::mutex> lock(mutex_);
    return event_queue_.size();
  }

private:
  std::deque<ExecutorEvent> event_queue_;
  mutable std::mutex mutex_;
  std::condition_variable events_queue_cv_;
};

}  // namespace rclcpp::experimental::executors
