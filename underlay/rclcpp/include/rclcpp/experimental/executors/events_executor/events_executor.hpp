// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/executor.hpp"
#include "rclcpp/experimental/executors/events_executor/simple_events_queue.hpp"
#include "rclcpp/experimental/timers_manager.hpp"

namespace rclcpp::experimental::executors {

/// Runs callbacks in the order in which the middleware reports their causes, without a wait set.
class EventsExecutor : public Executor {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(EventsExecutor)

  /**
   * \param execute_timers_separate_thread run the callbacks of timers in a thread of their own
   */
  explicit EventsExecutor(EventsQueue::UniquePtr events_queue = std::make_unique<SimpleEventsQueue>(),
    bool execute_timers_separate_thread = false, const ExecutorOptions & options = ExecutorOptions());
  ~EventsExecutor() override;

  void spin() override;
  void spin_all(std::chrono::nanoseconds max_duration) override;

protected:
  void spin_once_impl(std::chrono::nanoseconds timeout) override;
  void spin_some_impl(std::chrono::nanoseconds max_duration, bool exhaustive) override;
  void trigger_entity_recollect(bool notify) override;

private:
  using Entity = std::variant<SubscriptionBase::WeakPtr, ServiceBase::WeakPtr, ClientBase::WeakPtr, TimerBase::WeakPtr,
    Waitable::WeakPtr, GuardCondition::WeakPtr>;
  /// What this executor has put its callbacks into, by address.
  using Entities = std::unordered_map<const void *, Entity>;
  struct Watcher;

  void refresh_entities();
  void replace_entities(Entities current);
  void enqueue(const void * entity_key, ExecutorEventType type, size_t num_events, int waitable_data = -1);
  void notify();
  void wake();
  void execute_event(const ExecutorEvent & event);
  template <typename EntityT> std::shared_ptr<EntityT> find(const void * entity_key);

  EventsQueue::UniquePtr events_queue_;
  const bool timers_in_own_thread_;
  std::shared_ptr<TimersManager> timers_manager_ = std::make_shared<TimersManager>(context_);

  std::mutex entities_mutex_;
  Entities entities_;

  // One event of each kind in the queue is enough.
  std::atomic<bool> notification_queued_{false};
  std::atomic<bool> wake_up_queued_{false};
};

}  // namespace rclcpp::experimental::executors
