// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/callback_group.hpp"
#include "rclcpp/subscription_wait_set_mask.hpp"
#include "rclcpp/wait_result.hpp"

namespace rclcpp {

namespace detail {

/// Entities of one kind: weak between waits, owned from the start of a wait to its result's end.
template <typename EntityT> class WaitSetEntities {
public:
  explicit WaitSetEntities(const char * kind) : kind_(kind) {}
  ~WaitSetEntities() {
    for (const auto & entry : entries_) {
      if (auto entity = entry.weak.lock()) { exchange_in_use(*entity, false); }
    }
  }

  void add(const std::shared_ptr<EntityT> & entity, const std::shared_ptr<void> & associated_entity = nullptr);
  void remove(const std::shared_ptr<EntityT> & entity);
  void prune();
  void acquire();
  void release() { held_.clear(); }

  template <typename FunctionT> void for_each(FunctionT && function) const {
    for (const auto & held : held_) { function(held.first); }
  }

  /// The first from the index on that is not null in the rcl wait set, and its index.
  template <typename HandleT> std::shared_ptr<EntityT> next(const HandleT ** handles, size_t & index) const {
    while (index < held_.size() && !handles[index]) { ++index; }
    return index < held_.size() ? held_[index].first : nullptr;
  }

  /// The next that is not null in the rcl wait set, which is then cleared there.
  template <typename HandleT> std::shared_ptr<EntityT> take_next(const HandleT ** handles) const {
    size_t index = 0;
    auto entity = next(handles, index);
    if (entity) { handles[index] = nullptr; }
    return entity;
  }

  size_t size() const { return held_.size(); }

private:
  static bool exchange_in_use(EntityT & entity, bool in_use);

  struct Entry {
    std::weak_ptr<EntityT> weak;
    std::weak_ptr<void> associated;
    bool has_associated;
  };

  const char * kind_;
  std::vector<Entry> entries_;
  /// What the last wait holds, with associated entities, in the order of the rcl wait set.
  std::vector<std::pair<std::shared_ptr<EntityT>, std::shared_ptr<void>>> held_;
};

}  // namespace detail

/// Waits on entities without an executor, in an order that the user decides on. Not thread-safe.
class WaitSet final {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(WaitSet)

  struct SubscriptionEntry {
    std::shared_ptr<SubscriptionBase> subscription;
    SubscriptionWaitSetMask mask;

    SubscriptionEntry(
      std::shared_ptr<SubscriptionBase> subscription_in = nullptr, const SubscriptionWaitSetMask & mask_in = {})
    : subscription(std::move(subscription_in)), mask(mask_in) {}
  };

  struct WaitableEntry {
    std::shared_ptr<Waitable> waitable;
    std::shared_ptr<void> associated_entity;

    WaitableEntry(
      std::shared_ptr<Waitable> waitable_in = nullptr, std::shared_ptr<void> associated_entity_in = nullptr) noexcept
    : waitable(std::move(waitable_in)), associated_entity(std::move(associated_entity_in)) {}
  };

  using SubscriptionsIterable = std::vector<SubscriptionEntry>;
  using GuardConditionsIterable = std::vector<std::shared_ptr<GuardCondition>>;
  using TimersIterable = std::vector<std::shared_ptr<TimerBase>>;
  using ClientsIterable = std::vector<std::shared_ptr<ClientBase>>;
  using ServicesIterable = std::vector<std::shared_ptr<ServiceBase>>;
  using WaitablesIterable = std::vector<WaitableEntry>;

  explicit WaitSet(const SubscriptionsIterable & subscriptions = {},
    const GuardConditionsIterable & guard_conditions = {}, const TimersIterable & timers = {},
    const ClientsIterable & clients = {}, const ServicesIterable & services = {},
    const WaitablesIterable & waitables = {}, Context::SharedPtr context = contexts::get_global_default_context());
  ~WaitSet();

  /// The rcl wait set of the last wait: entities that are not ready are null.
  const rcl_wait_set_t & get_rcl_wait_set() const { return rcl_wait_set_; }

  // The add functions throw std::invalid_argument for null, std::runtime_error for an entity that
  // is already in a wait set; the remove functions throw std::runtime_error for one that is not.
  void add_subscription(std::shared_ptr<SubscriptionBase> subscription, SubscriptionWaitSetMask mask = {});
  void remove_subscription(std::shared_ptr<SubscriptionBase> subscription, SubscriptionWaitSetMask mask = {});
  void add_guard_condition(std::shared_ptr<GuardCondition> condition) { guard_conditions_.add(condition); }
  void remove_guard_condition(std::shared_ptr<GuardCondition> condition) { guard_conditions_.remove(condition); }
  void add_timer(std::shared_ptr<TimerBase> timer) { timers_.add(timer); }
  void remove_timer(std::shared_ptr<TimerBase> timer) { timers_.remove(timer); }
  void add_client(std::shared_ptr<ClientBase> client) { clients_.add(client); }
  void remove_client(std::shared_ptr<ClientBase> client) { clients_.remove(client); }
  void add_service(std::shared_ptr<ServiceBase> service) { services_.add(service); }
  void remove_service(std::shared_ptr<ServiceBase> service) { services_.remove(service); }
  /// The associated entity is kept alive while the set waits on the waitable.
  void add_waitable(std::shared_ptr<Waitable> waitable, std::shared_ptr<void> associated_entity = nullptr) {
    waitables_.add(waitable, associated_entity);
  }
  void remove_waitable(std::shared_ptr<Waitable> waitable) { waitables_.remove(waitable); }

  /// Forget entities that exist no longer; wait() does so, too.
  void prune_deleted_entities();

  /// Wait until something is ready; a negative time waits forever, zero polls.
  /** A result that is still alive then shows what this wait found. */
  template <class Rep = int64_t, class Period = std::milli> RCUTILS_WARN_UNUSED WaitResult<WaitSet> wait(
    std::chrono::duration<Rep, Period> time_to_wait = std::chrono::duration<Rep, Period>(-1)) {
    switch (wait_nanoseconds(std::chrono::duration_cast<std::chrono::nanoseconds>(time_to_wait))) {
      case WaitResultKind::Ready: return WaitResult<WaitSet>::from_ready_wait_result_kind(*this);
      case WaitResultKind::Empty: return WaitResult<WaitSet>::from_empty_wait_result_kind();
      default: return WaitResult<WaitSet>::from_timeout_wait_result_kind();
    }
  }

private:
  RCLCPP_DISABLE_COPY(WaitSet)

  friend class WaitResult<WaitSet>;

  WaitResultKind wait_nanoseconds(std::chrono::nanoseconds time_to_wait);
  WaitResultKind wait_acquired(std::chrono::nanoseconds time_to_wait);
  void fill_rcl_wait_set();
  template <typename FunctionT> void for_each_kind(FunctionT && function);

  // For WaitResult.
  void wait_result_acquire() { ++results_alive_; }
  void wait_result_release();
  std::shared_ptr<Waitable> next_ready_waitable();

  Context::SharedPtr context_;
  rcl_wait_set_t rcl_wait_set_ = rcl_get_zero_initialized_wait_set();
  int results_alive_{0};

  detail::WaitSetEntities<SubscriptionBase> subscriptions_{"subscription"};
  detail::WaitSetEntities<GuardCondition> guard_conditions_{"guard_condition"};
  detail::WaitSetEntities<TimerBase> timers_{"timer"};
  detail::WaitSetEntities<ClientBase> clients_{"client"};
  detail::WaitSetEntities<ServiceBase> services_{"service"};
  detail::WaitSetEntities<Waitable> waitables_{"waitable"};
  std::vector<Waitable::SharedPtr> ready_waitables_;
};

}  // namespace rclcpp
