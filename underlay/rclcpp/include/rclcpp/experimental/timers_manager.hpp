#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "rclcpp/context.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/timer.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {
namespace experimental {

namespace executors {
class EventsExecutor;
}  // namespace executors

/// Keeps timers in order of their next call and runs, or announces, those that are due.
/**
 * Either a thread of its own (start()) watches the timers, or the owner polls get_head_timeout()
 * and execute_ready_timer().
 */
class TimersManager {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(TimersManager)

  /**
   * \param on_ready_callback called by the own thread instead of running a timer's callback, with
   *   the timer and what its call() returned
   */
  RCLCPP_PUBLIC TimersManager(std::shared_ptr<rclcpp::Context> context,
    std::function<void(const rclcpp::TimerBase *, const std::shared_ptr<void> &)> on_ready_callback = nullptr);

  RCLCPP_PUBLIC ~TimersManager();

  /// \throws std::invalid_argument for a null timer
  RCLCPP_PUBLIC void add_timer(rclcpp::TimerBase::SharedPtr timer);

  RCLCPP_PUBLIC void remove_timer(rclcpp::TimerBase::SharedPtr timer);

  RCLCPP_PUBLIC void clear();

  /// \throws std::runtime_error if the thread already runs
  RCLCPP_PUBLIC void start();

  RCLCPP_PUBLIC void stop();

  /// \throws std::runtime_error while the own thread runs
  RCLCPP_PUBLIC size_t get_number_of_ready_timers();

  /// Run the timer that is due the longest; false if none is.
  /** \throws std::runtime_error while the own thread runs */
  RCLCPP_PUBLIC bool execute_ready_timer();

  /// Run a timer that was announced; nothing happens if it has gone.
  RCLCPP_PUBLIC void execute_ready_timer(const rclcpp::TimerBase * timer_id, const std::shared_ptr<void> & data);

  /// Time to the next call: zero if overdue, max() without timers, nothing if all are canceled.
  /** \throws std::runtime_error while the own thread runs */
  RCLCPP_PUBLIC std::optional<std::chrono::nanoseconds> get_head_timeout();

private:
  RCLCPP_DISABLE_COPY(TimersManager)

  friend class executors::EventsExecutor;

  struct Entry {
    rclcpp::TimerBase::WeakPtr timer;
    /// Reports jumps of a ROS clock, which move the timer without a reset.
    rclcpp::JumpHandler::SharedPtr jump_handler;
  };

  /// What was found by the last scan; used by the one thread that runs the timers.
  struct Head {
    rclcpp::TimerBase::WeakPtr timer;
    std::chrono::steady_clock::time_point due;
    enum { NoTimers, AllCanceled, Scheduled } state{NoTimers};
  };

  std::vector<rclcpp::TimerBase::SharedPtr> lock_timers();
  void update_head();
  rclcpp::TimerBase::SharedPtr take_due_timer();
  void on_change();
  void require_no_thread(const char * function);
  void watch();

  std::shared_ptr<rclcpp::Context> context_;
  std::function<void(const rclcpp::TimerBase *, const std::shared_ptr<void> &)> on_ready_callback_;
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

}  // namespace experimental
}  // namespace rclcpp
