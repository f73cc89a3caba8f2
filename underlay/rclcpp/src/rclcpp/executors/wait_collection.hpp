#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "./executor_members.hpp"
#include "rcl/wait.h"
#include "rclcpp/any_executable.hpp"

namespace rclcpp::detail {

/// The entities that an executor waits on, its rcl wait set, and what was found ready in it.
/**
 * The list is made anew only when membership changes. In between, only weak references are kept;
 * during a spin session (acquire() to release()) strong ones are held, so that a wait takes no
 * reference counts, and an entity that nobody else owns any more is dropped before each wait.
 * Not thread-safe: the executor lets one thread in at a time.
 */
class WaitCollection {
public:
  WaitCollection(Context::SharedPtr context, GuardCondition::SharedPtr interrupt, GuardCondition::SharedPtr shutdown);
  ~WaitCollection();
  WaitCollection(const WaitCollection &) = delete;
  WaitCollection & operator=(const WaitCollection &) = delete;

  void rebuild(ExecutorMembers & members);

  void acquire();
  void release();

  /// Wait for work, at most `timeout` (negative: forever), and remember what is ready.
  void wait(std::chrono::nanoseconds timeout);

  enum class Next {
    Nothing,
    /// The executable is filled in and its group taken.
    Work,
    /// The executor itself woke the wait.
    Interruption,
    /// A node or a group has changed: the list is to be made anew.
    Notification
  };

  /// The next ready work of which the group allows it now.
  Next take_next(AnyExecutable & executable);

  bool has_ready() const;

  /// Forget what was ready; an edge that a waitable has seen is kept for the next wait.
  void discard_ready();

private:
  template <typename EntityT, typename HandleT> struct Watched {
    std::weak_ptr<EntityT> weak;
    std::shared_ptr<EntityT> strong;
    const HandleT * handle;
    uint32_t group;
  };

  template <typename EntityT, typename HandleT> struct WatchedList {
    std::vector<Watched<EntityT, HandleT>> entries;
    /// Slot in the rcl wait set to index in entries: entities of busy groups have no slot.
    std::vector<uint32_t> slots;
  };

  struct Group {
    CallbackGroup::WeakPtr group;
    bool exclusive;
    bool blocked;
  };

  enum class Kind : uint8_t { Timer, Subscription, Service, Client, Waitable, Interruption, Notification };

  struct Ready {
    Kind kind;
    uint32_t index;
  };

  void drop_abandoned();
  void resize_rcl_wait_set();
  void fill_rcl_wait_set();
  void fill_with_waitables();
  void collect_ready();
  bool take(const Ready & ready, AnyExecutable & executable);
  CallbackGroup::SharedPtr take_group(uint32_t index);
  bool take_pending_waitable(AnyExecutable & executable);

  template <typename FunctionT> void for_each_list(FunctionT && function) {
    function(timers_);
    function(subscriptions_);
    function(services_);
    function(clients_);
    function(waitables_);
  }

  Context::SharedPtr context_;
  rcl_wait_set_t rcl_wait_set_;

  std::vector<Group> groups_;
  WatchedList<TimerBase, rcl_timer_t> timers_;
  WatchedList<SubscriptionBase, rcl_subscription_t> subscriptions_;
  WatchedList<ServiceBase, rcl_service_t> services_;
  WatchedList<ClientBase, rcl_client_t> clients_;
  WatchedList<Waitable, Waitable> waitables_;
  /// The interrupt and shutdown conditions, then those of the members.
  std::vector<GuardCondition::SharedPtr> notifiers_;

  bool acquired_{false};
  std::vector<Ready> ready_;
  size_t next_ready_{0};
  /// Found ready while their group was busy: rcl will not report them again.
  std::vector<std::pair<Waitable::WeakPtr, CallbackGroup::WeakPtr>> pending_waitables_;
};

}  // namespace rclcpp::detail
