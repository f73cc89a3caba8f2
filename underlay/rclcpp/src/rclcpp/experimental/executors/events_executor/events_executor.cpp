// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/experimental/executors/events_executor/events_executor.hpp"

#include "../../../executors/executor_members.hpp"
#include "../../../quiet_service.hpp"
#include "rcpputils/scope_exit.hpp"

namespace rclcpp::experimental::executors {

using std::chrono::nanoseconds;

EventsExecutor::EventsExecutor(
  EventsQueue::UniquePtr events_queue, bool execute_timers_separate_thread, const ExecutorOptions & options)
: Executor(options), events_queue_(std::move(events_queue)), timers_in_own_thread_(execute_timers_separate_thread) {
  if (!events_queue_) { throw std::invalid_argument("events_queue can't be a null pointer"); }
  if (!timers_in_own_thread_) {
    timers_manager_->on_change_callback_ = [this]() { wake(); };
  }
  // cancel() and shutdown trigger these.
  interrupt_guard_condition_->set_on_trigger_callback([this](size_t) { wake(); });
  shutdown_guard_condition_->set_on_trigger_callback([this](size_t) { wake(); });
}

EventsExecutor::~EventsExecutor() {
  spinning.store(false);
  interrupt_guard_condition_->set_on_trigger_callback(nullptr);
  shutdown_guard_condition_->set_on_trigger_callback(nullptr);
  timers_manager_->stop();
  std::lock_guard<std::mutex> lock(entities_mutex_);
  replace_entities({});
  timers_manager_->clear();
}

void EventsExecutor::enqueue(const void * entity_key, ExecutorEventType type, size_t num_events, int waitable_data) {
  events_queue_->enqueue({entity_key, nullptr, waitable_data, type, num_events});
}

void EventsExecutor::notify() {
  if (!notification_queued_.exchange(true)) { enqueue(this, WAITABLE_EVENT, 1); }
}

void EventsExecutor::wake() {
  if (!wake_up_queued_.exchange(true)) { enqueue(nullptr, WAITABLE_EVENT, 1); }
}

void EventsExecutor::trigger_entity_recollect(bool notify) {
  refresh_entities();
  if (notify) { wake(); }
}

void EventsExecutor::refresh_entities() {
  std::lock_guard<std::mutex> lock(entities_mutex_);
  Entities current;
  const auto insert = [&current](const auto & entity) { current.emplace(entity.get(), std::weak_ptr(entity)); };
  const auto members = members_->refresh();
  for (const auto & group : members.groups) { group->collect_all_ptrs(insert, insert, insert, insert, insert); }
  for (const auto & notifier : members.notifiers) { insert(notifier); }
  replace_entities(std::move(current));
}

/// Puts the executor's callbacks into an entity, or takes them out.
struct EventsExecutor::Watcher {
  EventsExecutor * self;
  bool watch;

  auto enqueuer(const void * key, ExecutorEventType type) const {
    return [self = self, key, type](size_t count) { self->enqueue(key, type, count); };
  }

  void operator()(SubscriptionBase & entity) const {
    if (!watch) { return entity.clear_on_new_message_callback(); }
    entity.set_on_new_message_callback(enqueuer(&entity, SUBSCRIPTION_EVENT));
  }
  void operator()(ServiceBase & entity) const {
    if (!watch) { return entity.clear_on_new_request_callback(); }
    entity.set_on_new_request_callback(enqueuer(&entity, SERVICE_EVENT));
    // What another executor was told of is not told again.
    detail::QuietService::quiet(entity) = false;
    const size_t asked = detail::QuietService::asked(entity).exchange(0);
    if (asked > 0) { enqueuer(&entity, SERVICE_EVENT)(asked); }
  }
  void operator()(ClientBase & entity) const {
    if (!watch) { return entity.clear_on_new_response_callback(); }
    entity.set_on_new_response_callback(enqueuer(&entity, CLIENT_EVENT));
  }
  void operator()(Waitable & entity) const {
    if (!watch) { return entity.clear_on_ready_callback(); }
    entity.set_on_ready_callback(
      [self = self, key = &entity](size_t count, int id) { self->enqueue(key, WAITABLE_EVENT, count, id); });
  }
  void operator()(GuardCondition & entity) const {
    if (!watch) { return entity.set_on_trigger_callback(nullptr); }
    entity.set_on_trigger_callback([self = self](size_t) { self->notify(); });
  }
};

void EventsExecutor::replace_entities(Entities current) {
  // An address that was freed and used again belongs to another entity: the weak pointers tell.
  const auto is_in = [](const Entities & entities, const Entities::value_type & item) {
    const auto found = entities.find(item.first);
    const auto same = [](const auto & a, const auto & b) { return !a.owner_before(b) && !b.owner_before(a); };
    return found != entities.end() && std::visit(same, item.second, found->second);
  };
  const auto for_each_missing = [&](const Entities & entities, const Entities & others, Watcher watcher) {
    for (const auto & item : entities) {
      if (is_in(others, item)) { continue; }
      std::visit(
        [&](const auto & weak) {
          auto entity = weak.lock();
          if constexpr (std::is_same_v<decltype(entity), TimerBase::SharedPtr>) {
            if (entity) { watcher.watch ? timers_manager_->add_timer(entity) : timers_manager_->remove_timer(entity); }
          } else if (entity) {
            watcher(*entity);
          }
        },
        item.second);
    }
  };
  for_each_missing(entities_, current, Watcher{this, false});
  for_each_missing(current, entities_, Watcher{this, true});
  entities_ = std::move(current);
}

template <typename EntityT> std::shared_ptr<EntityT> EventsExecutor::find(const void * entity_key) {
  std::lock_guard<std::mutex> lock(entities_mutex_);
  const auto found = entities_.find(entity_key);
  const auto * weak = found != entities_.end() ? std::get_if<std::weak_ptr<EntityT>>(&found->second) : nullptr;
  return weak ? weak->lock() : nullptr;
}

void EventsExecutor::execute_event(const ExecutorEvent & event) {
  const auto repeat = [&event](const auto & entity, auto && execute) {
    for (size_t i = 0; entity && i < event.num_events; ++i) { execute(entity); }
  };
  switch (event.type) {
    case SUBSCRIPTION_EVENT: return repeat(find<SubscriptionBase>(event.entity_key), execute_subscription);
    case SERVICE_EVENT: return repeat(find<ServiceBase>(event.entity_key), execute_service);
    case CLIENT_EVENT: return repeat(find<ClientBase>(event.entity_key), execute_client);
    case TIMER_EVENT: return;  // The timers manager runs them.
    case WAITABLE_EVENT:
      if (event.entity_key == nullptr) {
        wake_up_queued_.store(false);
      } else if (event.entity_key == this) {
        notification_queued_.store(false);
        refresh_entities();
      } else {
        repeat(find<Waitable>(event.entity_key), [&event](const Waitable::SharedPtr & waitable) {
          const auto data = waitable->take_data_by_entity_id(static_cast<size_t>(event.waitable_data));
          waitable->execute(data);
        });
      }
  }
}

void EventsExecutor::spin() {
  SpinSession session(*this, "spin()");
  if (timers_in_own_thread_) { timers_manager_->start(); }
  RCPPUTILS_SCOPE_EXIT({
    if (timers_in_own_thread_) { timers_manager_->stop(); }
  });
  while (keep_spinning()) {
    const auto next_timer = timers_in_own_thread_ ? std::nullopt : timers_manager_->get_head_timeout();
    ExecutorEvent event;
    if (events_queue_->dequeue(event, next_timer.value_or(nanoseconds::max()))) { execute_event(event); }
    // Between any two events, so that a flood of them does not hold the timers up.
    if (!timers_in_own_thread_ && spinning.load()) { timers_manager_->execute_ready_timer(); }
  }
}

void EventsExecutor::spin_all(nanoseconds max_duration) {
  if (max_duration <= nanoseconds(0)) { throw std::invalid_argument("max_duration must be positive"); }
  spin_some_impl(max_duration, true);
}

void EventsExecutor::spin_some_impl(nanoseconds max_duration, bool exhaustive) {
  const auto start = std::chrono::steady_clock::now();
  const auto time_left = [&]() {
    return max_duration == nanoseconds(0) || std::chrono::steady_clock::now() - start < max_duration;
  };
  SpinSession session(*this, exhaustive ? "spin_all()" : "spin_some()");
  // spin_some() leaves alone what becomes ready while it works.
  size_t events_left = exhaustive ? SIZE_MAX : events_queue_->size();
  size_t timers_left = exhaustive ? SIZE_MAX : timers_manager_->get_number_of_ready_timers();
  while (keep_spinning() && time_left()) {
    ExecutorEvent event;
    if (events_left > 0 && events_queue_->dequeue(event, nanoseconds(0))) {
      --events_left;
      execute_event(event);
    } else if (timers_left > 0 && timers_manager_->execute_ready_timer()) {
      --timers_left;
    } else {
      break;
    }
  }
}

void EventsExecutor::spin_once_impl(nanoseconds timeout) {
  if (timeout < nanoseconds(0)) { timeout = nanoseconds::max(); }
  const auto next_timer = timers_manager_->get_head_timeout().value_or(nanoseconds::max());
  ExecutorEvent event;
  if (events_queue_->dequeue(event, std::min(timeout, next_timer))) {
    execute_event(event);
  } else {
    timers_manager_->execute_ready_timer();
  }
}

}  // namespace rclcpp::experimental::executors
