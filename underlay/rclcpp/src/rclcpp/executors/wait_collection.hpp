// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../quiet_service.hpp"
#include "../rcl_check.hpp"
#include "../waitable_counts.hpp"
#include "./executor_members.hpp"
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
  WaitCollection(Context::SharedPtr context, GuardCondition::SharedPtr interrupt, GuardCondition::SharedPtr shutdown)
  : context_(std::move(context)), notifiers_{std::move(interrupt), std::move(shutdown)} {
    check(rcl_wait_set_init(&rcl_wait_set_, 0, notifiers_.size(), 0, 0, 0, 0, context_->get_rcl_context().get(),
            rcl_get_default_allocator()),
      "Failed to create wait set");
  }

  ~WaitCollection() { log_failure(rcl_wait_set_fini(&rcl_wait_set_), "Failed to destroy wait set"); }

  void rebuild(ExecutorMembers & members) {
    discard_ready();
    auto current = members.refresh();
    std::apply([](auto &... lists) { (lists.entries.clear(), ...); },
      std::tie(timers_, subscriptions_, services_, clients_, waitables_));
    groups_.clear();
    quiet_.clear();
    for (const auto & group : current.groups) {
      const auto index = static_cast<uint32_t>(groups_.size());
      groups_.push_back({group, false});
      group->collect_all_ptrs(
        [&](const auto & it) { subscriptions_.add(it, it->get_subscription_handle().get(), index); },
        [&](const auto & it) {
          const bool quiet = QuietService::quiet(*it);
          (quiet ? quiet_ : services_.entries).push_back({it, {}, it->get_service_handle().get(), index});
          if (!quiet) { return; }
          it->set_on_new_request_callback([service = it.get(), wake_up = notifiers_.front()](size_t count) {
            QuietService::asked(*service) += count;
            wake_up->trigger();
          });
        },
        [&](const auto & it) { clients_.add(it, it->get_client_handle().get(), index); },
        [&](const auto & it) { timers_.add(it, it->get_timer_handle().get(), index); },
        [&](const auto & it) { waitables_.add(it, it.get(), index); });
    }
    notifiers_.resize(kOwnNotifiers);
    notifiers_.insert(notifiers_.end(), current.notifiers.begin(), current.notifiers.end());
    resize_rcl_wait_set();
    if (acquired_) { acquire(); }
  }

  void acquire() {
    acquired_ = true;
    for_each_entry([](auto & entry) { entry.strong = entry.weak.lock(); });
  }

  void release() {
    acquired_ = false;
    for_each_entry([](auto & entry) { entry.strong.reset(); });
  }

  /// Wait for work, at most `timeout` (negative: forever), and remember what is ready.
  void wait(std::chrono::nanoseconds timeout) {
    discard_ready();
    wake_asked();
    ready_.clear();  // this wait itself will tell of them
    for_each_entry([](auto & entry) {
      if (entry.strong.use_count() == 1) { entry.strong.reset(); }
    });
    for (auto & group : groups_) {
      auto strong = group.group.lock();
      group.blocked = strong && !strong->can_be_taken_from().load();
    }
    const bool any_free_pending = std::any_of(pending_waitables_.begin(), pending_waitables_.end(), [](auto & pending) {
      auto group = pending.second.lock();
      return group && group->can_be_taken_from().load();
    });
    try {
      fill_rcl_wait_set();
    } catch (const std::runtime_error &) {
      // A waitable may have grown since the list was made.
      resize_rcl_wait_set();
      fill_rcl_wait_set();
    }
    const rcl_ret_t ret = rcl_wait(&rcl_wait_set_, any_free_pending ? 0 : std::max<int64_t>(timeout.count(), -1));
    if (ret == RCL_RET_TIMEOUT) {
      rcl_reset_error();
    } else {
      check(ret, "rcl_wait() failed");
    }
    collect_ready();
    wake_asked();
  }

  enum class Next {
    Nothing,
    /// The executable is filled in and its group taken.
    Work,
    /// A node or a group has changed: the list is to be made anew.
    Notification
  };

  /// The next ready work of which the group allows it now.
  Next take_next(AnyExecutable & executable) {
    if (!pending_waitables_.empty() && take_pending_waitable(executable)) { return Next::Work; }
    while (next_ready_ < ready_.size()) {
      const auto ready = ready_[next_ready_++];
      if (ready.kind == Kind::Notification) { return Next::Notification; }
      if (take(ready, executable)) { return Next::Work; }
    }
    return Next::Nothing;
  }

  bool has_ready() const { return next_ready_ < ready_.size() || !pending_waitables_.empty(); }

private:
  /// The interrupt and shutdown conditions come first in the list of notifiers.
  static constexpr size_t kOwnNotifiers = 2;

  /// Quiet services that were asked join the others, and are ready.
  void wake_asked() {
    for (auto & entry : quiet_) {
      auto service = entry.weak.lock();
      if (!service || QuietService::asked(*service) == 0) { continue; }
      service->clear_on_new_request_callback();
      QuietService::quiet(*service) = false;
      ready_.push_back({Kind::Service, static_cast<uint32_t>(services_.entries.size())});
      services_.entries.push_back({entry.weak, service, entry.handle, entry.group});
      entry.weak.reset();
    }
  }

  /// Claim a group for one callback; a reentrant one is never refused.
  static bool take_group(const CallbackGroup::SharedPtr & group) {
    return group && (group->type() == CallbackGroupType::Reentrant || group->can_be_taken_from().exchange(false));
  }

  static rcl_ret_t add_waitable(rcl_wait_set_t * wait_set, Waitable * waitable, size_t *) {
    waitable->add_to_wait_set(*wait_set);
    return RCL_RET_OK;
  }

  template <typename EntityT, typename HandleT> struct WatchedList {
    struct Entry {
      std::weak_ptr<EntityT> weak;
      std::shared_ptr<EntityT> strong;
      HandleT * handle;
      uint32_t group;
    };
    std::vector<Entry> entries;
    void add(const std::shared_ptr<EntityT> & entity, HandleT * handle, uint32_t group) {
      entries.push_back({entity, {}, handle, group});
    }
    /// Slot in the rcl wait set to index in entries: entities of busy groups have no slot.
    std::vector<uint32_t> slots;
  };

  struct Group {
    CallbackGroup::WeakPtr group;
    bool blocked;
  };

  enum class Kind : uint8_t { Timer, Subscription, Service, Client, Waitable, Notification };

  struct Ready {
    Kind kind;
    uint32_t index;
  };

  /// Forget what was ready; an edge that a waitable has seen is kept for the next wait.
  void discard_ready() {
    for (; next_ready_ < ready_.size(); ++next_ready_) {
      if (ready_[next_ready_].kind == Kind::Waitable) { keep_for_later(ready_[next_ready_].index); }
    }
    ready_.clear();
    next_ready_ = 0;
  }

  void keep_for_later(uint32_t waitable_index) {
    const auto & entry = waitables_.entries[waitable_index];
    pending_waitables_.emplace_back(entry.weak, groups_[entry.group].group);
  }

  void resize_rcl_wait_set() {
    WaitableCounts counts{subscriptions_.entries.size(), notifiers_.size(), timers_.entries.size(),
      clients_.entries.size(), services_.entries.size(), 0};
    for (const auto & entry : waitables_.entries) {
      if (auto waitable = entry.weak.lock()) { counts.add(*waitable); }
    }
    check(counts.resize(rcl_wait_set_), "Couldn't resize the wait set");
  }

  void fill_rcl_wait_set() {
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
    fill(waitables_, add_waitable);
  }

  void collect_ready() {
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
    // The own conditions only wake the wait up; who triggered them is looked at elsewhere.
    const auto * const * conditions = rcl_wait_set_.guard_conditions;
    if (std::any_of(conditions + kOwnNotifiers, conditions + notifiers_.size(), [](auto * it) { return it; })) {
      ready_.push_back({Kind::Notification, 0});
    }
  }

  bool take(const Ready & ready, AnyExecutable & executable) {
    const auto take_from = [&](auto & list, auto & target) {
      auto & entry = list.entries[ready.index];
      // Outside a session the strong reference is gone, and maybe the entity, too.
      auto entity = entry.strong ? entry.strong : entry.weak.lock();
      auto group = groups_[entry.group].group.lock();
      if (!entity || !take_group(group)) { return false; }
      executable.callback_group = std::move(group);
      target = std::move(entity);
      return true;
    };
    switch (ready.kind) {
      case Kind::Timer:
        if (!take_from(timers_, executable.timer)) { return false; }
        executable.data = executable.timer->call();
        if (executable.data) { return true; }
        // Canceled between the wait and now.
        executable.callback_group->can_be_taken_from().store(true);
        executable.callback_group.reset();
        executable.timer.reset();
        return false;
      case Kind::Subscription: return take_from(subscriptions_, executable.subscription);
      case Kind::Service: return take_from(services_, executable.service);
      case Kind::Client: return take_from(clients_, executable.client);
      case Kind::Waitable:
        if (!take_from(waitables_, executable.waitable)) {
          keep_for_later(ready.index);
          return false;
        }
        executable.data = executable.waitable->take_data();
        return true;
      default: return false;
    }
  }

  bool take_pending_waitable(AnyExecutable & executable) {
    for (auto it = pending_waitables_.begin(); it != pending_waitables_.end();) {
      auto waitable = it->first.lock();
      auto group = it->second.lock();
      if (waitable && group && !take_group(group)) {
        ++it;
        continue;
      }
      it = pending_waitables_.erase(it);
      if (!waitable || !group) { continue; }
      executable.callback_group = std::move(group);
      executable.data = waitable->take_data();
      executable.waitable = std::move(waitable);
      return true;
    }
    return false;
  }

  template <typename FunctionT> void for_each_entry(FunctionT && function) {
    const auto each = [&function](auto & list) { std::for_each(list.entries.begin(), list.entries.end(), function); };
    // A subscription owns its waitables, so the order of the lists matters.
    std::apply([&each](auto &... lists) { (each(lists), ...); },
      std::tie(timers_, subscriptions_, services_, clients_, waitables_));
  }

  Context::SharedPtr context_;
  rcl_wait_set_t rcl_wait_set_ = rcl_get_zero_initialized_wait_set();

  std::vector<Group> groups_;
  WatchedList<TimerBase, const rcl_timer_t> timers_;
  WatchedList<SubscriptionBase, const rcl_subscription_t> subscriptions_;
  WatchedList<ServiceBase, const rcl_service_t> services_;
  std::vector<WatchedList<ServiceBase, const rcl_service_t>::Entry> quiet_;
  WatchedList<ClientBase, const rcl_client_t> clients_;
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
