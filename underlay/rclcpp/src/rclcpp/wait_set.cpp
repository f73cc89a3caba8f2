// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/wait_set.hpp"

#include "rcl_check.hpp"
#include "rcpputils/scope_exit.hpp"
#include "waitable_counts.hpp"

namespace rclcpp {

using detail::check;

namespace detail {

template <typename EntityT> bool WaitSetEntities<EntityT>::exchange_in_use(EntityT & entity, bool in_use) {
  if constexpr (std::is_same_v<EntityT, SubscriptionBase>) {
    return entity.exchange_in_use_by_wait_set_state(&entity, in_use);
  } else {
    return entity.exchange_in_use_by_wait_set_state(in_use);
  }
}

template <typename EntityT>
void WaitSetEntities<EntityT>::add(const std::shared_ptr<EntityT> & entity, const std::shared_ptr<void> & associated) {
  if (!entity) { throw std::invalid_argument(std::string(kind_) + " is nullptr"); }
  if (exchange_in_use(*entity, true)) {
    throw std::runtime_error(std::is_same_v<EntityT, GuardCondition>
                               ? "guard condition already in use by another wait set"
                               : std::string(kind_) + " already associated with a wait set");
  }
  entries_.push_back({entity, associated, associated != nullptr});
}

template <typename EntityT> void WaitSetEntities<EntityT>::remove(const std::shared_ptr<EntityT> & entity) {
  if (!entity) { throw std::invalid_argument(std::string(kind_) + " is nullptr"); }
  auto found = std::find_if(
    entries_.begin(), entries_.end(), [&entity](const Entry & entry) { return entry.weak.lock() == entity; });
  if (found == entries_.end()) { throw std::runtime_error(std::string(kind_) + " not in wait set"); }
  exchange_in_use(*entity, false);
  entries_.erase(found);
}

template <typename EntityT> void WaitSetEntities<EntityT>::prune() {
  const auto gone = [](const Entry & entry) {
    return entry.weak.expired() || (entry.has_associated && entry.associated.expired());
  };
  entries_.erase(std::remove_if(entries_.begin(), entries_.end(), gone), entries_.end());
}

template <typename EntityT> void WaitSetEntities<EntityT>::acquire() {
  prune();
  held_.clear();
  for (const auto & entry : entries_) {
    if (auto entity = entry.weak.lock()) { held_.emplace_back(std::move(entity), entry.associated.lock()); }
  }
}

template class WaitSetEntities<SubscriptionBase>;
template class WaitSetEntities<GuardCondition>;
template class WaitSetEntities<TimerBase>;
template class WaitSetEntities<ClientBase>;
template class WaitSetEntities<ServiceBase>;
template class WaitSetEntities<Waitable>;

}  // namespace detail

namespace {

template <typename FunctionT>
void for_each_part(SubscriptionBase & subscription, const SubscriptionWaitSetMask & mask, FunctionT && function) {
  if (mask.include_events) {
    for (const auto & [type, handler] : subscription.get_event_handlers()) { function(handler); }
  }
  if (mask.include_intra_process_waitable) {
    if (auto waitable = subscription.get_intra_process_waitable()) { function(waitable); }
  }
}

}  // namespace

WaitSet::WaitSet(const SubscriptionsIterable & subscriptions, const GuardConditionsIterable & guard_conditions,
  const TimersIterable & timers, const ClientsIterable & clients, const ServicesIterable & services,
  const WaitablesIterable & waitables, Context::SharedPtr context)
: context_(std::move(context)) {
  if (!context_) { throw std::invalid_argument("context is nullptr"); }
  check(
    rcl_wait_set_init(&rcl_wait_set_, 0, 0, 0, 0, 0, 0, context_->get_rcl_context().get(), rcl_get_default_allocator()),
    "failed to create wait set");
  try {
    for (const auto & entry : subscriptions) { add_subscription(entry.subscription, entry.mask); }
    for (const auto & guard_condition : guard_conditions) { add_guard_condition(guard_condition); }
    for (const auto & timer : timers) { add_timer(timer); }
    for (const auto & client : clients) { add_client(client); }
    for (const auto & service : services) { add_service(service); }
    for (const auto & entry : waitables) { add_waitable(entry.waitable, entry.associated_entity); }
  } catch (...) {
    detail::log_failure(rcl_wait_set_fini(&rcl_wait_set_), "failed to finalize wait set");
    throw;
  }
}

WaitSet::~WaitSet() { detail::log_failure(rcl_wait_set_fini(&rcl_wait_set_), "failed to finalize wait set"); }

template <typename FunctionT> void WaitSet::for_each_kind(FunctionT && function) {
  std::apply([&function](auto &... entities) { (function(entities), ...); },
    std::tie(subscriptions_, guard_conditions_, timers_, clients_, services_, waitables_));
}

void WaitSet::add_subscription(std::shared_ptr<SubscriptionBase> subscription, SubscriptionWaitSetMask mask) {
  if (!subscription) { throw std::invalid_argument("subscription is nullptr"); }
  if (mask.include_subscription) { subscriptions_.add(subscription); }
  for_each_part(*subscription, mask, [&](const auto & part) { waitables_.add(part, subscription); });
}

void WaitSet::remove_subscription(std::shared_ptr<SubscriptionBase> subscription, SubscriptionWaitSetMask mask) {
  if (!subscription) { throw std::invalid_argument("subscription is nullptr"); }
  if (mask.include_subscription) { subscriptions_.remove(subscription); }
  for_each_part(*subscription, mask, [&](const auto & part) { waitables_.remove(part); });
}

void WaitSet::prune_deleted_entities() {
  for_each_kind([](auto & entities) { entities.prune(); });
}

/// Entities come first and in the order of their adding: users look at indices.
void WaitSet::fill_rcl_wait_set() {
  detail::WaitableCounts counts{
    subscriptions_.size(), guard_conditions_.size(), timers_.size(), clients_.size(), services_.size(), 0};
  waitables_.for_each([&counts](const Waitable::SharedPtr & waitable) { counts.add(*waitable); });
  check(counts.resize(rcl_wait_set_), "failed to resize wait set");
  check(rcl_wait_set_clear(&rcl_wait_set_), "failed to clear wait set");
  const auto fill = [this](const auto & entities, auto add, auto handle_of) {
    entities.for_each([&](const auto & entity) {
      check(add(&rcl_wait_set_, handle_of(*entity), nullptr), "failed to add an entity to wait set");
    });
  };
  fill(subscriptions_, rcl_wait_set_add_subscription, [](auto & it) { return it.get_subscription_handle().get(); });
  fill(guard_conditions_, rcl_wait_set_add_guard_condition, [](auto & it) { return &it.get_rcl_guard_condition(); });
  fill(timers_, rcl_wait_set_add_timer, [](auto & it) { return it.get_timer_handle().get(); });
  fill(clients_, rcl_wait_set_add_client, [](auto & it) { return it.get_client_handle().get(); });
  fill(services_, rcl_wait_set_add_service, [](auto & it) { return it.get_service_handle().get(); });
  waitables_.for_each([this](const Waitable::SharedPtr & waitable) { waitable->add_to_wait_set(rcl_wait_set_); });
}

WaitResultKind WaitSet::wait_acquired(std::chrono::nanoseconds time_to_wait) {
  fill_rcl_wait_set();
  const rcl_ret_t ret = rcl_wait(&rcl_wait_set_, std::max<int64_t>(time_to_wait.count(), -1));
  if (ret == RCL_RET_WAIT_SET_EMPTY || ret == RCL_RET_TIMEOUT) { rcl_reset_error(); }
  if (ret == RCL_RET_WAIT_SET_EMPTY) { return WaitResultKind::Empty; }
  // A waitable may be ready without one of its entities in rcl being so.
  ready_waitables_.clear();
  waitables_.for_each([this](const Waitable::SharedPtr & waitable) {
    if (waitable->is_ready(rcl_wait_set_)) { ready_waitables_.push_back(waitable); }
  });
  if (ret == RCL_RET_TIMEOUT) { return ready_waitables_.empty() ? WaitResultKind::Timeout : WaitResultKind::Ready; }
  check(ret, "rcl_wait() failed");
  return WaitResultKind::Ready;
}

WaitResultKind WaitSet::wait_nanoseconds(std::chrono::nanoseconds time_to_wait) {
  for_each_kind([](auto & entities) { entities.acquire(); });
  auto release = rcpputils::make_scope_exit([this]() { for_each_kind([](auto & entities) { entities.release(); }); });
  const auto kind = wait_acquired(time_to_wait);
  if (kind == WaitResultKind::Ready) { release.cancel(); }
  return kind;
}

void WaitSet::wait_result_release() {
  if (--results_alive_ > 0) { return; }
  ready_waitables_.clear();
  for_each_kind([](auto & entities) { entities.release(); });
}

std::shared_ptr<Waitable> WaitSet::next_ready_waitable() {
  if (ready_waitables_.empty()) { return nullptr; }
  auto waitable = std::move(ready_waitables_.front());
  ready_waitables_.erase(ready_waitables_.begin());
  return waitable;
}

}  // namespace rclcpp
