// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <thread>

#include "rclcpp/timer.hpp"

namespace rclcpp::experimental {

namespace executors {
class EventsExecutor;
}  // namespace executors

/// Keeps timers in order of their next call and runs those that are due.
/**
 * Either a thread of its own (start()) watches the timers, or the owner polls get_head_timeout()
 * and execute_ready_timer().
 */
class TimersManager {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(TimersManager)

  explicit TimersManager(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  ~TimersManager();

  /// \throws std::invalid_argument for a null timer
  void add_timer(TimerBase::SharedPtr timer);
  void remove_timer(TimerBase::SharedPtr timer);
  void clear();
  /// \throws std::runtime_error if the thread already runs
  void start();
  void stop();

  // These three throw std::runtime_error while the own thread runs.
  size_t get_number_of_ready_timers();
  /// Run the timer that is due the longest; false if none is.
  bool execute_ready_timer();
  /// Time to the next call: zero if overdue, max() without timers, nothing if all are canceled.
  std::optional<std::chrono::nanoseconds> get_head_timeout();

private:
  friend class executors::EventsExecutor;

  struct Entry {
    TimerBase::WeakPtr timer;
    /// Reports jumps of a ROS clock, which move the timer without a reset.
    JumpHandler::SharedPtr jump_handler;
  };

  /// What was found by the last scan; used by the one thread that runs the timers.
  struct Head {
    TimerBase::WeakPtr timer;
    std::optional<std::chrono::steady_clock::time_point> due;
    bool any_timers{false};
  };

  std::vector<Entry>::iterator find(const TimerBase::SharedPtr & timer);
  std::vector<TimerBase::SharedPtr> lock_timers();
  void update_head();
  bool run_due_timer();
  void on_change();
  void require_no_thread(const char * function);
  void watch();

  std::shared_ptr<Context> context_;
  /// Tells an executor that polls to ask for the head timeout again.
  std::function<void()> on_change_callback_;

  // A timer must never be destroyed under the mutex: that takes its clock's mutex, which is held
  // when a jump is reported.
  std::mutex timers_mutex_;
  std::vector<Entry> timers_;
  std::condition_variable timers_cv_;
  std::atomic<bool> changed_{false};
  Head head_;

  std::atomic<bool> running_{false};
  std::thread timers_thread_;
};

}  // namespace rclcpp::experimental
