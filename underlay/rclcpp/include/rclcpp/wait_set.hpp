#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "rcl/wait.h"
#include "rclcpp/client.hpp"
#include "rclcpp/context.hpp"
#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/guard_condition.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/service.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/subscription_wait_set_mask.hpp"
#include "rclcpp/timer.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rclcpp/wait_result.hpp"
#include "rclcpp/waitable.hpp"

namespace rclcpp {

/// Waits on entities without an executor, in an order that the user decides on. Not thread-safe.
class WaitSet final {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(WaitSet)

  struct SubscriptionEntry {
    std::shared_ptr<rclcpp::SubscriptionBase> subscription;
    rclcpp::SubscriptionWaitSetMask mask;

    SubscriptionEntry(std::shared_ptr<rclcpp::SubscriptionBase> subscription_in = nullptr,
      const rclcpp::SubscriptionWaitSetMask & mask_in = {})
    : subscription(std::move(subscription_in)), mask(mask_in) {}
  };

  struct WaitableEntry {
    std::shared_ptr<rclcpp::Waitable> waitable;
    std::shared_ptr<void> associated_entity;

    WaitableEntry(std::shared_ptr<rclcpp::Waitable> waitable_in = nullptr,
      std::shared_ptr<void> associated_entity_in = nullptr) noexcept
    : waitable(std::move(waitable_in)), associated_entity(std::move(associated_entity_in)) {}
  };

  using SubscriptionsIterable = std::vector<SubscriptionEntry>;
  using GuardConditionsIterable = std::vector<std::shared_ptr<rclcpp::GuardCondition>>;
  using TimersIterable = std::vector<std::shared_ptr<rclcpp::TimerBase>>;
  using ClientsIterable = std::vector<std::shared_ptr<rclcpp::ClientBase>>;
  using ServicesIterable = std::vector<std::shared_ptr<rclcpp::ServiceBase>>;
  using WaitablesIterable = std::vector<WaitableEntry>;

  RCLCPP_PUBLIC explicit WaitSet(const SubscriptionsIterable & subscriptions = {},
    const GuardConditionsIterable & guard_conditions = {}, const TimersIterable & timers = {},
    const ClientsIterable & clients = {}, const ServicesIterable & services = {},
    const WaitablesIterable & waitables = {},
    rclcpp::Context::SharedPtr context = rclcpp::contexts::get_global_default_context());

  RCLCPP_PUBLIC ~WaitSet();

  /// The rcl wait set of the last wait: entities that are not ready are null.
  RCLCPP_PUBLIC const rcl_wait_set_t & get_rcl_wait_set() const;

  // The add functions throw std::invalid_argument for null, std::runtime_error for an entity that
  // is already in a wait set; the remove functions throw std::runtime_error for one that is not.
  RCLCPP_PUBLIC void add_subscription(
    std::shared_ptr<rclcpp::SubscriptionBase> subscription, rclcpp::SubscriptionWaitSetMask mask = {});

  RCLCPP_PUBLIC void remove_subscription(
    std::shared_ptr<rclcpp::SubscriptionBase> subscription, rclcpp::SubscriptionWaitSetMask mask = {});

  RCLCPP_PUBLIC void add_guard_condition(std::shared_ptr<rclcpp::GuardCondition> guard_condition);

  RCLCPP_PUBLIC void remove_guard_condition(std::shared_ptr<rclcpp::GuardCondition> guard_condition);

  RCLCPP_PUBLIC void add_timer(std::shared_ptr<rclcpp::TimerBase> timer);

  RCLCPP_PUBLIC void remove_timer(std::shared_ptr<rclcpp::TimerBase> timer);

  RCLCPP_PUBLIC void add_client(std::shared_ptr<rclcpp::ClientBase> client);

  RCLCPP_PUBLIC void remove_client(std::shared_ptr<rclcpp::ClientBase> client);

  RCLCPP_PUBLIC void add_service(std::shared_ptr<rclcpp::ServiceBase> service);

  RCLCPP_PUBLIC void remove_service(std::shared_ptr<rclcpp::ServiceBase> service);

  /// The associated entity is kept alive while the set waits on the waitable.
  RCLCPP_PUBLIC void add_waitable(
    std::shared_ptr<rclcpp::Waitable> waitable, std::shared_ptr<void> associated_entity = nullptr);

  RCLCPP_PUBLIC void remove_waitable(std::shared_ptr<rclcpp::Waitable> waitable);

  /// Forget entities that exist no longer; wait() does so, too.
  RCLCPP_PUBLIC void prune_deleted_entities();

  /// Wait until something is ready; a negative time waits forever, zero polls.
  /** \throws std::runtime_error while a Ready result of this set is still alive */
  template <class Rep = int64_t, class Period = std::milli>
  RCUTILS_WARN_UNUSED WaitResult<WaitSet> wait(
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

  RCLCPP_PUBLIC WaitResultKind wait_nanoseconds(std::chrono::nanoseconds time_to_wait);

  // For WaitResult.
  RCLCPP_PUBLIC void wait_result_acquire();
  RCLCPP_PUBLIC void wait_result_release();
  RCLCPP_PUBLIC size_t size_of_timers() const;
  RCLCPP_PUBLIC std::shared_ptr<rclcpp::TimerBase> timers(size_t index) const;
  RCLCPP_PUBLIC void clear_ready_timer(size_t index);
  RCLCPP_PUBLIC std::shared_ptr<rclcpp::SubscriptionBase> next_ready_subscription();
  RCLCPP_PUBLIC std::shared_ptr<rclcpp::ServiceBase> next_ready_service();
  RCLCPP_PUBLIC std::shared_ptr<rclcpp::ClientBase> next_ready_client();
  RCLCPP_PUBLIC std::shared_ptr<rclcpp::Waitable> next_ready_waitable();

  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rclcpp
