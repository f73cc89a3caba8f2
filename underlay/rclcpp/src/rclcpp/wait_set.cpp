#include "rclcpp/wait_set.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rclcpp/exceptions.hpp"

namespace rclcpp {

namespace {

void check(rcl_ret_t ret, const char * what) {
  if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret, what); }
}

/// Entities of one kind: weak between waits, owned from the start of a wait to its result's end.
template <typename EntityT> class Slots {
public:
  explicit Slots(const char * kind, const char * in_use = nullptr) : kind_(kind), in_use_(in_use) {}

  /// `claim` marks the entity as used by a wait set and tells whether it was before.
  template <typename ClaimT>
  void add(
    const std::shared_ptr<EntityT> & entity, ClaimT && claim, std::shared_ptr<void> associated_entity = nullptr) {
    if (!entity) { throw std::invalid_argument(std::string(kind_) + " is nullptr"); }
    if (claim(true)) {
      throw std::runtime_error(in_use_ ? in_use_ : std::string(kind_) + " already associated with a wait set");
    }
    entries_.push_back({entity, nullptr, associated_entity, associated_entity != nullptr});
  }

  template <typename ClaimT> void remove(const std::shared_ptr<EntityT> & entity, ClaimT && claim) {
    if (!entity) { throw std::invalid_argument(std::string(kind_) + " is nullptr"); }
    auto found = std::find_if(
      entries_.begin(), entries_.end(), [&entity](const Entry & entry) { return entry.weak.lock() == entity; });
    if (found == entries_.end()) { throw std::runtime_error(std::string(kind_) + " not in wait set"); }
    claim(false);
    entries_.erase(found);
  }

  void prune() {
    entries_.erase(std::remove_if(entries_.begin(), entries_.end(),
                     [](const Entry & entry) {
                       return entry.weak.expired() || (entry.has_associated && entry.associated.expired());
                     }),
      entries_.end());
  }

  void acquire() {
    for (auto & entry : entries_) { entry.strong = entry.weak.lock(); }
    prune();
  }

  void release() {
    for (auto & entry : entries_) { entry.strong.reset(); }
  }

  template <typename FunctionT> void for_each(FunctionT && function) const {
    for (const auto & entry : entries_) {
      if (auto entity = entry.strong ? entry.strong : entry.weak.lock()) { function(entity); }
    }
  }

  const std::shared_ptr<EntityT> & operator[](size_t index) const { return entries_[index].strong; }

  size_t size() const { return entries_.size(); }

private:
  struct Entry {
    std::weak_ptr<EntityT> weak;
    std::shared_ptr<EntityT> strong;
    std::weak_ptr<void> associated;
    bool has_associated;
  };

  const char * kind_;
  const char * in_use_;
  std::vector<Entry> entries_;
};

}  // namespace

class WaitSet::Impl {
public:
  explicit Impl(Context::SharedPtr context)
  : context_(std::move(context)), rcl_wait_set_(rcl_get_zero_initialized_wait_set()) {
    if (!context_) { throw std::invalid_argument("context is nullptr"); }
    check(rcl_wait_set_init(
            &rcl_wait_set_, 0, 0, 0, 0, 0, 0, context_->get_rcl_context().get(), rcl_get_default_allocator()),
      "failed to create wait set");
  }

  ~Impl() {
    const auto unclaim = [](const auto & entity) { entity->exchange_in_use_by_wait_set_state(false); };
    subscriptions.for_each(
      [](const auto & subscription) { subscription->exchange_in_use_by_wait_set_state(subscription.get(), false); });
    guard_conditions.for_each(unclaim);
    timers.for_each(unclaim);
    clients.for_each(unclaim);
    services.for_each(unclaim);
    waitables.for_each(unclaim);
    if (rcl_wait_set_fini(&rcl_wait_set_) != RCL_RET_OK) { rcl_reset_error(); }
  }

  Impl(const Impl &) = delete;
  Impl & operator=(const Impl &) = delete;

  void acquire() {
    subscriptions.acquire();
    guard_conditions.acquire();
    timers.acquire();
    clients.acquire();
    services.acquire();
    waitables.acquire();
  }

  void release() {
    subscriptions.release();
    guard_conditions.release();
    timers.release();
    clients.release();
    services.release();
    waitables.release();
  }

  void prune() {
    subscriptions.prune();
    guard_conditions.prune();
    timers.prune();
    clients.prune();
    services.prune();
    waitables.prune();
  }

  /// Entities come first and in the order of their adding: users look at indices.
  void fill() {
    size_t extra_subscriptions = 0, extra_conditions = 0, extra_timers = 0, extra_clients = 0;
    size_t extra_services = 0, events = 0;
    waitables.for_each([&](const auto & waitable) {
      extra_subscriptions += waitable->get_number_of_ready_subscriptions();
      extra_conditions += waitable->get_number_of_ready_guard_conditions();
      extra_timers += waitable->get_number_of_ready_timers();
      extra_clients += waitable->get_number_of_ready_clients();
      extra_services += waitable->get_number_of_ready_services();
      events += waitable->get_number_of_ready_events();
    });
    check(rcl_wait_set_resize(&rcl_wait_set_, subscriptions.size() + extra_subscriptions,
            guard_conditions.size() + extra_conditions, timers.size() + extra_timers, clients.size() + extra_clients,
            services.size() + extra_services, events),
      "failed to resize wait set");
    check(rcl_wait_set_clear(&rcl_wait_set_), "failed to clear wait set");

    subscriptions.for_each([this](const auto & entity) {
      check(rcl_wait_set_add_subscription(&rcl_wait_set_, entity->get_subscription_handle().get(), nullptr),
        "failed to add subscription to wait set");
    });
    guard_conditions.for_each([this](const auto & entity) {
      check(rcl_wait_set_add_guard_condition(&rcl_wait_set_, &entity->get_rcl_guard_condition(), nullptr),
        "failed to add guard condition to wait set");
    });
    timers.for_each([this](const auto & entity) {
      check(rcl_wait_set_add_timer(&rcl_wait_set_, entity->get_timer_handle().get(), nullptr),
        "failed to add timer to wait set");
    });
    clients.for_each([this](const auto & entity) {
      check(rcl_wait_set_add_client(&rcl_wait_set_, entity->get_client_handle().get(), nullptr),
        "failed to add client to wait set");
    });
    services.for_each([this](const auto & entity) {
      check(rcl_wait_set_add_service(&rcl_wait_set_, entity->get_service_handle().get(), nullptr),
        "failed to add service to wait set");
    });
    waitables.for_each([this](const auto & entity) { entity->add_to_wait_set(rcl_wait_set_); });
  }

  WaitResultKind wait(std::chrono::nanoseconds time_to_wait) {
    acquire();
    fill();
    const rcl_ret_t ret = rcl_wait(&rcl_wait_set_, std::max<int64_t>(time_to_wait.count(), -1));
    if (ret == RCL_RET_WAIT_SET_EMPTY) {
      rcl_reset_error();
      return WaitResultKind::Empty;
    }
    // A waitable may be ready without one of its entities in rcl being so.
    ready_waitables.clear();
    waitables.for_each([this](const auto & waitable) {
      if (waitable->is_ready(rcl_wait_set_)) { ready_waitables.push_back(waitable); }
    });
    next_waitable = 0;
    if (ret == RCL_RET_TIMEOUT) {
      rcl_reset_error();
      return ready_waitables.empty() ? WaitResultKind::Timeout : WaitResultKind::Ready;
    }
    check(ret, "rcl_wait() failed");
    return WaitResultKind::Ready;
  }

  /// The next entity that is not null in the rcl wait set, which is then cleared there.
  template <typename EntityT, typename HandleT>
  std::shared_ptr<EntityT> next_ready(const Slots<EntityT> & slots, const HandleT ** handles) {
    for (size_t index = 0; index < slots.size(); ++index) {
      if (handles[index]) {
        handles[index] = nullptr;
        return slots[index];
      }
    }
    return nullptr;
  }

  Context::SharedPtr context_;
  rcl_wait_set_t rcl_wait_set_;
  int results_alive_{0};

  Slots<SubscriptionBase> subscriptions{"subscription"};
  Slots<GuardCondition> guard_conditions{"guard_condition", "guard condition already in use by another wait set"};
  Slots<TimerBase> timers{"timer"};
  Slots<ClientBase> clients{"client"};
  Slots<ServiceBase> services{"service"};
  Slots<Waitable> waitables{"waitable"};
  std::vector<Waitable::SharedPtr> ready_waitables;
  size_t next_waitable{0};
};

namespace {

template <typename EntityT> auto claim_of(const std::shared_ptr<EntityT> & entity) {
  return [&entity](bool in_use) { return entity->exchange_in_use_by_wait_set_state(in_use); };
}

template <typename FunctionT>
void for_each_waitable_part(
  const SubscriptionBase::SharedPtr & subscription, const SubscriptionWaitSetMask & mask, FunctionT && function) {
  if (mask.include_events) {
    for (const auto & key_event_pair : subscription->get_event_handlers()) {
      function(std::static_pointer_cast<Waitable>(key_event_pair.second));
    }
  }
  if (mask.include_intra_process_waitable) {
    if (auto waitable = subscription->get_intra_process_waitable()) { function(waitable); }
  }
}

}  // namespace

WaitSet::WaitSet(const SubscriptionsIterable & subscriptions, const GuardConditionsIterable & guard_conditions,
  const TimersIterable & timers, const ClientsIterable & clients, const ServicesIterable & services,
  const WaitablesIterable & waitables, Context::SharedPtr context)
: impl_(std::make_unique<Impl>(std::move(context))) {
  for (const auto & entry : subscriptions) { add_subscription(entry.subscription, entry.mask); }
  for (const auto & guard_condition : guard_conditions) { add_guard_condition(guard_condition); }
  for (const auto & timer : timers) { add_timer(timer); }
  for (const auto & client : clients) { add_client(client); }
  for (const auto & service : services) { add_service(service); }
  for (const auto & entry : waitables) { add_waitable(entry.waitable, entry.associated_entity); }
}

WaitSet::~WaitSet() = default;

const rcl_wait_set_t & WaitSet::get_rcl_wait_set() const { return impl_->rcl_wait_set_; }

void WaitSet::add_subscription(std::shared_ptr<SubscriptionBase> subscription, SubscriptionWaitSetMask mask) {
  if (!subscription) { throw std::invalid_argument("subscription is nullptr"); }
  if (mask.include_subscription) {
    impl_->subscriptions.add(subscription, [&subscription](bool in_use) {
      return subscription->exchange_in_use_by_wait_set_state(subscription.get(), in_use);
    });
  }
  for_each_waitable_part(subscription, mask,
    [&](const Waitable::SharedPtr & part) { impl_->waitables.add(part, claim_of(part), subscription); });
}

void WaitSet::remove_subscription(std::shared_ptr<SubscriptionBase> subscription, SubscriptionWaitSetMask mask) {
  if (!subscription) { throw std::invalid_argument("subscription is nullptr"); }
  if (mask.include_subscription) {
    impl_->subscriptions.remove(subscription, [&subscription](bool in_use) {
      return subscription->exchange_in_use_by_wait_set_state(subscription.get(), in_use);
    });
  }
  for_each_waitable_part(
    subscription, mask, [&](const Waitable::SharedPtr & part) { impl_->waitables.remove(part, claim_of(part)); });
}

void WaitSet::add_guard_condition(std::shared_ptr<GuardCondition> guard_condition) {
  impl_->guard_conditions.add(guard_condition, claim_of(guard_condition));
}

void WaitSet::remove_guard_condition(std::shared_ptr<GuardCondition> guard_condition) {
  impl_->guard_conditions.remove(guard_condition, claim_of(guard_condition));
}

void WaitSet::add_timer(std::shared_ptr<TimerBase> timer) { impl_->timers.add(timer, claim_of(timer)); }

void WaitSet::remove_timer(std::shared_ptr<TimerBase> timer) { impl_->timers.remove(timer, claim_of(timer)); }

void WaitSet::add_client(std::shared_ptr<ClientBase> client) { impl_->clients.add(client, claim_of(client)); }

void WaitSet::remove_client(std::shared_ptr<ClientBase> client) { impl_->clients.remove(client, claim_of(client)); }

void WaitSet::add_service(std::shared_ptr<ServiceBase> service) { impl_->services.add(service, claim_of(service)); }

void WaitSet::remove_service(std::shared_ptr<ServiceBase> service) {
  impl_->services.remove(service, claim_of(service));
}

void WaitSet::add_waitable(std::shared_ptr<Waitable> waitable, std::shared_ptr<void> associated_entity) {
  impl_->waitables.add(waitable, claim_of(waitable), std::move(associated_entity));
}

void WaitSet::remove_waitable(std::shared_ptr<Waitable> waitable) {
  impl_->waitables.remove(waitable, claim_of(waitable));
}

void WaitSet::prune_deleted_entities() { impl_->prune(); }

WaitResultKind WaitSet::wait_nanoseconds(std::chrono::nanoseconds time_to_wait) {
  try {
    const auto kind = impl_->wait(time_to_wait);
    if (kind != WaitResultKind::Ready) { impl_->release(); }
    return kind;
  } catch (...) {
    impl_->release();
    throw;
  }
}

void WaitSet::wait_result_acquire() { ++impl_->results_alive_; }

void WaitSet::wait_result_release() {
  if (--impl_->results_alive_ > 0) { return; }
  impl_->ready_waitables.clear();
  impl_->next_waitable = 0;
  impl_->release();
}

size_t WaitSet::size_of_timers() const { return impl_->timers.size(); }

std::shared_ptr<TimerBase> WaitSet::timers(size_t index) const { return impl_->timers[index]; }

void WaitSet::clear_ready_timer(size_t index) { impl_->rcl_wait_set_.timers[index] = nullptr; }

std::shared_ptr<SubscriptionBase> WaitSet::next_ready_subscription() {
  return impl_->next_ready(impl_->subscriptions, impl_->rcl_wait_set_.subscriptions);
}

std::shared_ptr<ServiceBase> WaitSet::next_ready_service() {
  return impl_->next_ready(impl_->services, impl_->rcl_wait_set_.services);
}

std::shared_ptr<ClientBase> WaitSet::next_ready_client() {
  return impl_->next_ready(impl_->clients, impl_->rcl_wait_set_.clients);
}

std::shared_ptr<Waitable> WaitSet::next_ready_waitable() {
  auto & ready = impl_->ready_waitables;
  return impl_->next_waitable < ready.size() ? ready[impl_->next_waitable++] : nullptr;
}

}  // namespace rclcpp
