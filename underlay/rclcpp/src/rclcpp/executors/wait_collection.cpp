#include "./wait_collection.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "rclcpp/exceptions.hpp"

namespace rclcpp::detail {

namespace {

/// The interrupt and shutdown conditions come first in the list of notifiers.
constexpr size_t kOwnNotifiers = 2;

void check(rcl_ret_t ret, const char * what) {
  if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret, what); }
}

}  // namespace

WaitCollection::WaitCollection(
  Context::SharedPtr context, GuardCondition::SharedPtr interrupt, GuardCondition::SharedPtr shutdown)
: context_(std::move(context)),
  rcl_wait_set_(rcl_get_zero_initialized_wait_set()),
  notifiers_{std::move(interrupt), std::move(shutdown)} {
  check(rcl_wait_set_init(&rcl_wait_set_, 0, notifiers_.size(), 0, 0, 0, 0, context_->get_rcl_context().get(),
          rcl_get_default_allocator()),
    "Failed to create wait set");
}

WaitCollection::~WaitCollection() {
  if (rcl_wait_set_fini(&rcl_wait_set_) != RCL_RET_OK) { rcl_reset_error(); }
}

void WaitCollection::rebuild(ExecutorMembers & members) {
  discard_ready();
  auto current = members.refresh();

  for_each_list([](auto & list) { list.entries.clear(); });
  groups_.clear();
  for (const auto & group : current.groups) {
    const auto index = static_cast<uint32_t>(groups_.size());
    groups_.push_back({group, group->type() == CallbackGroupType::MutuallyExclusive, false});
    group->collect_all_ptrs(
      [&](const SubscriptionBase::SharedPtr & subscription) {
        subscriptions_.entries.push_back({subscription, nullptr, subscription->get_subscription_handle().get(), index});
      },
      [&](const ServiceBase::SharedPtr & service) {
        services_.entries.push_back({service, nullptr, service->get_service_handle().get(), index});
      },
      [&](const ClientBase::SharedPtr & client) {
        clients_.entries.push_back({client, nullptr, client->get_client_handle().get(), index});
      },
      [&](const TimerBase::SharedPtr & timer) {
        timers_.entries.push_back({timer, nullptr, timer->get_timer_handle().get(), index});
      },
      [&](const Waitable::SharedPtr & waitable) {
        waitables_.entries.push_back({waitable, nullptr, waitable.get(), index});
      });
  }
  notifiers_.resize(kOwnNotifiers);
  notifiers_.insert(notifiers_.end(), current.notifiers.begin(), current.notifiers.end());
  resize_rcl_wait_set();
  if (acquired_) { acquire(); }
}

void WaitCollection::acquire() {
  acquired_ = true;
  for_each_list([](auto & list) {
    for (auto & entry : list.entries) { entry.strong = entry.weak.lock(); }
  });
}

void WaitCollection::release() {
  acquired_ = false;
  for_each_list([](auto & list) {
    for (auto & entry : list.entries) { entry.strong.reset(); }
  });
}

void WaitCollection::drop_abandoned() {
  // A subscription owns its waitables, so the order of the lists matters.
  for_each_list([](auto & list) {
    for (auto & entry : list.entries) {
      if (entry.strong.use_count() == 1) { entry.strong.reset(); }
    }
  });
}

void WaitCollection::resize_rcl_wait_set() {
  size_t subscriptions = subscriptions_.entries.size();
  size_t conditions = notifiers_.size();
  size_t timers = timers_.entries.size();
  size_t clients = clients_.entries.size();
  size_t services = services_.entries.size();
  size_t events = 0;
  for (const auto & entry : waitables_.entries) {
    if (auto waitable = entry.strong ? entry.strong : entry.weak.lock()) {
      subscriptions += waitable->get_number_of_ready_subscriptions();
      conditions += waitable->get_number_of_ready_guard_conditions();
      timers += waitable->get_number_of_ready_timers();
      clients += waitable->get_number_of_ready_clients();
      services += waitable->get_number_of_ready_services();
      events += waitable->get_number_of_ready_events();
    }
  }
  check(rcl_wait_set_resize(&rcl_wait_set_, subscriptions, conditions, timers, clients, services, events),
    "Couldn't resize the wait set");
}

void WaitCollection::fill_rcl_wait_set() {
  check(rcl_wait_set_clear(&rcl_wait_set_), "Couldn't clear wait set");
  for (const auto & notifier : notifiers_) {
    check(rcl_wait_set_add_guard_condition(&rcl_wait_set_, &notifier->get_rcl_guard_condition(), nullptr),
      "Couldn't add guard condition to wait set");
  }
  const auto fill = [this](auto & list, auto add) {
    list.slots.clear();
    for (uint32_t index = 0; index < list.entries.size(); ++index) {
      const auto & entry = list.entries[index];
      if (entry.strong && !groups_[entry.group].blocked) {
        check(add(&rcl_wait_set_, entry.handle, nullptr), "Couldn't fill wait set");
        list.slots.push_back(index);
      }
    }
  };
  fill(timers_, rcl_wait_set_add_timer);
  fill(subscriptions_, rcl_wait_set_add_subscription);
  fill(services_, rcl_wait_set_add_service);
  fill(clients_, rcl_wait_set_add_client);
}

void WaitCollection::fill_with_waitables() {
  waitables_.slots.clear();
  for (uint32_t index = 0; index < waitables_.entries.size(); ++index) {
    const auto & entry = waitables_.entries[index];
    if (entry.strong && !groups_[entry.group].blocked) {
      entry.strong->add_to_wait_set(rcl_wait_set_);
      waitables_.slots.push_back(index);
    }
  }
}

void WaitCollection::wait(std::chrono::nanoseconds timeout) {
  discard_ready();
  drop_abandoned();
  bool any_free_pending = false;
  for (auto & group : groups_) {
    group.blocked = false;
    if (group.exclusive) {
      auto strong = group.group.lock();
      group.blocked = strong && !strong->can_be_taken_from().load();
    }
  }
  for (const auto & [waitable, weak_group] : pending_waitables_) {
    auto group = weak_group.lock();
    any_free_pending |= group && group->can_be_taken_from().load();
  }
  fill_rcl_wait_set();
  try {
    fill_with_waitables();
  } catch (const std::runtime_error &) {
    // A waitable may have grown since the list was made.
    resize_rcl_wait_set();
    fill_rcl_wait_set();
    fill_with_waitables();
  }
  const rcl_ret_t ret = rcl_wait(&rcl_wait_set_, any_free_pending ? 0 : std::max<int64_t>(timeout.count(), -1));
  if (ret == RCL_RET_TIMEOUT) {
    rcl_reset_error();
  } else if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "rcl_wait() failed");
  }
  collect_ready();
}

void WaitCollection::collect_ready() {
  const auto collect = [this](const auto & list, const auto * handles, Kind kind) {
    for (size_t slot = 0; slot < list.slots.size(); ++slot) {
      if (handles[slot]) { ready_.push_back({kind, list.slots[slot]}); }
    }
  };
  collect(timers_, rcl_wait_set_.timers, Kind::Timer);
  collect(subscriptions_, rcl_wait_set_.subscriptions, Kind::Subscription);
  collect(services_, rcl_wait_set_.services, Kind::Service);
  collect(clients_, rcl_wait_set_.clients, Kind::Client);
  for (const auto index : waitables_.slots) {
    if (waitables_.entries[index].strong->is_ready(rcl_wait_set_)) { ready_.push_back({Kind::Waitable, index}); }
  }
  const auto * const * conditions = rcl_wait_set_.guard_conditions;
  const auto triggered = [](const auto * condition) { return condition != nullptr; };
  if (std::any_of(conditions + kOwnNotifiers, conditions + notifiers_.size(), triggered)) {
    ready_.push_back({Kind::Notification, 0});
  } else if (std::any_of(conditions, conditions + kOwnNotifiers, triggered)) {
    ready_.push_back({Kind::Interruption, 0});
  }
}

bool WaitCollection::has_ready() const { return next_ready_ < ready_.size() || !pending_waitables_.empty(); }

void WaitCollection::discard_ready() {
  for (; next_ready_ < ready_.size(); ++next_ready_) {
    const auto & ready = ready_[next_ready_];
    if (ready.kind == Kind::Waitable) {
      const auto & entry = waitables_.entries[ready.index];
      pending_waitables_.emplace_back(entry.weak, groups_[entry.group].group);
    }
  }
  ready_.clear();
  next_ready_ = 0;
}

CallbackGroup::SharedPtr WaitCollection::take_group(uint32_t index) {
  auto group = groups_[index].group.lock();
  if (group && groups_[index].exclusive && !group->can_be_taken_from().exchange(false)) { return nullptr; }
  return group;
}

WaitCollection::Next WaitCollection::take_next(AnyExecutable & executable) {
  if (!pending_waitables_.empty() && take_pending_waitable(executable)) { return Next::Work; }
  while (next_ready_ < ready_.size()) {
    const auto ready = ready_[next_ready_++];
    if (ready.kind == Kind::Notification) { return Next::Notification; }
    if (ready.kind == Kind::Interruption) { return Next::Interruption; }
    if (take(ready, executable)) { return Next::Work; }
  }
  return Next::Nothing;
}

bool WaitCollection::take_pending_waitable(AnyExecutable & executable) {
  for (auto it = pending_waitables_.begin(); it != pending_waitables_.end();) {
    auto waitable = it->first.lock();
    auto group = it->second.lock();
    if (!waitable || !group) {
      it = pending_waitables_.erase(it);
      continue;
    }
    const bool exclusive = group->type() == CallbackGroupType::MutuallyExclusive;
    if (exclusive && !group->can_be_taken_from().exchange(false)) {
      ++it;
      continue;
    }
    pending_waitables_.erase(it);
    executable.callback_group = std::move(group);
    executable.data = waitable->take_data();
    executable.waitable = std::move(waitable);
    return true;
  }
  return false;
}

bool WaitCollection::take(const Ready & ready, AnyExecutable & executable) {
  const auto take_from = [&](auto & list, auto & target) {
    auto & entry = list.entries[ready.index];
    // Outside a session the strong reference is gone, and maybe the entity, too.
    auto entity = entry.strong ? entry.strong : entry.weak.lock();
    if (!entity) { return false; }
    auto group = take_group(entry.group);
    if (!group) { return false; }
    executable.callback_group = std::move(group);
    target = std::move(entity);
    return true;
  };
  switch (ready.kind) {
    case Kind::Timer:
      if (!take_from(timers_, executable.timer)) { return false; }
      executable.data = executable.timer->call();
      if (!executable.data) {
        // Canceled between the wait and now.
        executable.callback_group->can_be_taken_from().store(true);
        executable.callback_group.reset();
        executable.timer.reset();
        return false;
      }
      return true;
    case Kind::Subscription: return take_from(subscriptions_, executable.subscription);
    case Kind::Service: return take_from(services_, executable.service);
    case Kind::Client: return take_from(clients_, executable.client);
    case Kind::Waitable:
      if (!take_from(waitables_, executable.waitable)) {
        const auto & entry = waitables_.entries[ready.index];
        pending_waitables_.emplace_back(entry.weak, groups_[entry.group].group);
        return false;
      }
      executable.data = executable.waitable->take_data();
      return true;
    case Kind::Interruption:
    case Kind::Notification: break;
  }
  return false;
}

}  // namespace rclcpp::detail
