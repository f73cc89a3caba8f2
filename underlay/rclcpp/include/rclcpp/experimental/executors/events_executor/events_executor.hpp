#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "rclcpp/executor.hpp"
#include "rclcpp/experimental/executors/events_executor/events_executor_event_types.hpp"
#include "rclcpp/experimental/executors/events_executor/events_queue.hpp"
#include "rclcpp/experimental/executors/events_executor/simple_events_queue.hpp"
#include "rclcpp/experimental/timers_manager.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {
namespace experimental {
namespace executors {

/// Runs callbacks in the order in which the middleware reports their causes, without a wait set.
class EventsExecutor : public rclcpp::Executor {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(EventsExecutor)

  /**
   * \param execute_timers_separate_thread run the callbacks of timers in a thread of their own
   */
  RCLCPP_PUBLIC explicit EventsExecutor(rclcpp::experimental::executors::EventsQueue::UniquePtr events_queue =
                                          std::make_unique<rclcpp::experimental::executors::SimpleEventsQueue>(),
    bool execute_timers_separate_thread = false, const rclcpp::ExecutorOptions & options = rclcpp::ExecutorOptions());

  RCLCPP_PUBLIC virtual ~EventsExecutor();

  RCLCPP_PUBLIC void spin() override;

  RCLCPP_PUBLIC void spin_some(std::chrono::nanoseconds max_duration = std::chrono::nanoseconds(0)) override;

  RCLCPP_PUBLIC void spin_all(std::chrono::nanoseconds max_duration) override;

  RCLCPP_PUBLIC void add_node(
    rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_ptr, bool notify = true) override;

  RCLCPP_PUBLIC void add_node(std::shared_ptr<rclcpp::Node> node_ptr, bool notify = true) override;

  RCLCPP_PUBLIC void remove_node(
    rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_ptr, bool notify = true) override;

  RCLCPP_PUBLIC void remove_node(std::shared_ptr<rclcpp::Node> node_ptr, bool notify = true) override;

  RCLCPP_PUBLIC void add_callback_group(rclcpp::CallbackGroup::SharedPtr group_ptr,
    rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_ptr, bool notify = true) override;

  RCLCPP_PUBLIC void remove_callback_group(rclcpp::CallbackGroup::SharedPtr group_ptr, bool notify = true) override;

protected:
  RCLCPP_PUBLIC void spin_once_impl(std::chrono::nanoseconds timeout) override;

  RCLCPP_PUBLIC void spin_some_impl(std::chrono::nanoseconds max_duration, bool exhaustive);

private:
  RCLCPP_DISABLE_COPY(EventsExecutor)

  template <typename EntityT> using Watched = std::unordered_map<const void *, std::weak_ptr<EntityT>>;

  /// What this executor has put its callbacks into, by address.
  struct Entities {
    Watched<rclcpp::SubscriptionBase> subscriptions;
    Watched<rclcpp::ServiceBase> services;
    Watched<rclcpp::ClientBase> clients;
    Watched<rclcpp::TimerBase> timers;
    Watched<rclcpp::Waitable> waitables;
    Watched<rclcpp::GuardCondition> notifiers;
  };

  void refresh_entities();
  void watch_changes_from(Entities & previous, Entities & current);
  void membership_changed(bool notify);
  void enqueue(const void * entity_key, ExecutorEventType type, size_t num_events, int waitable_data = -1);
  void notify();
  void wake();
  void execute_event(const ExecutorEvent & event);
  std::chrono::nanoseconds time_to_next_timer();

  template <typename EntityT> std::shared_ptr<EntityT> find(const Watched<EntityT> & watched, const void * entity_key);

  rclcpp::experimental::executors::EventsQueue::UniquePtr events_queue_;
  const bool timers_in_own_thread_;
  std::shared_ptr<rclcpp::experimental::TimersManager> timers_manager_;

  std::mutex entities_mutex_;
  Entities entities_;

  // One event of each kind in the queue is enough.
  std::atomic<bool> notification_queued_{false};
  std::atomic<bool> wake_up_queued_{false};
};

}  // namespace executors
}  // namespace experimental
}  // namespace rclcpp
