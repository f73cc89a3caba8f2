#include "rclcpp/experimental/executors/events_executor/events_executor.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "../../../executors/executor_members.hpp"
#include "rclcpp/node.hpp"

namespace rclcpp {
namespace experimental {
namespace executors {

using std::chrono::nanoseconds;

EventsExecutor::EventsExecutor(
  EventsQueue::UniquePtr events_queue, bool execute_timers_separate_thread, const ExecutorOptions & options)
: Executor(options),
  events_queue_(std::move(events_queue)),
  timers_in_own_thread_(execute_timers_separate_thread),
  timers_manager_(std::make_shared<TimersManager>(context_)) {
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
  Entities none;
  std::lock_guard<std::mutex> lock(entities_mutex_);
  watch_changes_from(entities_, none);
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

void EventsExecutor::membership_changed(bool notify) {
  refresh_entities();
  if (notify) { wake(); }
}

void EventsExecutor::add_node(node_interfaces::NodeBaseInterface::SharedPtr node_ptr, bool notify) {
  members_->add_node(node_ptr);
  membership_changed(notify);
}

void EventsExecutor::add_node(std::shared_ptr<Node> node_ptr, bool notify) {
  add_node(node_ptr->get_node_base_interface(), notify);
}

void EventsExecutor::remove_node(node_interfaces::NodeBaseInterface::SharedPtr node_ptr, bool notify) {
  members_->remove_node(node_ptr);
  membership_changed(notify);
}

void EventsExecutor::remove_node(std::shared_ptr<Node> node_ptr, bool notify) {
  remove_node(node_ptr->get_node_base_interface(), notify);
}

void EventsExecutor::add_callback_group(
  CallbackGroup::SharedPtr group_ptr, node_interfaces::NodeBaseInterface::SharedPtr node_ptr, bool notify) {
  (void)node_ptr;
  members_->add_group(group_ptr);
  membership_changed(notify);
}

void EventsExecutor::remove_callback_group(CallbackGroup::SharedPtr group_ptr, bool notify) {
  members_->remove_group(group_ptr);
  membership_changed(notify);
}

void EventsExecutor::refresh_entities() {
  std::lock_guard<std::mutex> lock(entities_mutex_);
  Entities current;
  const auto members = members_->refresh();
  for (const auto & group : members.groups) {
    group->collect_all_ptrs(
      [&](const SubscriptionBase::SharedPtr & entity) { current.subscriptions.emplace(entity.get(), entity); },
      [&](const ServiceBase::SharedPtr & entity) { current.services.emplace(entity.get(), entity); },
      [&](const ClientBase::SharedPtr & entity) { current.clients.emplace(entity.get(), entity); },
      [&](const TimerBase::SharedPtr & entity) { current.timers.emplace(entity.get(), entity); },
      [&](const Waitable::SharedPtr & entity) { current.waitables.emplace(entity.get(), entity); });
  }
  for (const auto & notifier : members.notifiers) { current.notifiers.emplace(notifier.get(), notifier); }
  watch_changes_from(entities_, current);
  entities_ = std::move(current);
}

namespace {

/// Call `removed` for what is only in previous, `added` for what is only in current.
/**
 * An address that was freed and used again belongs to another entity: the weak pointers tell.
 */
template <typename WatchedT, typename RemovedT, typename AddedT>
void for_each_change(const WatchedT & previous, const WatchedT & current, RemovedT && removed, AddedT && added) {
  const auto is_in = [](const auto & item, const WatchedT & watched) {
    const auto found = watched.find(item.first);
    return found != watched.end() && !item.second.owner_before(found->second) &&
           !found->second.owner_before(item.second);
  };
  for (const auto & item : previous) {
    if (!is_in(item, current)) {
      if (auto entity = item.second.lock()) { removed(entity); }
    }
  }
  for (const auto & item : current) {
    if (!is_in(item, previous)) {
      if (auto entity = item.second.lock()) { added(entity, item.first); }
    }
  }
}

}  // namespace

void EventsExecutor::watch_changes_from(Entities & previous, Entities & current) {
  for_each_change(
    previous.subscriptions, current.subscriptions,
    [](const auto & subscription) { subscription->clear_on_new_message_callback(); },
    [this](const auto & subscription, const void * key) {
      subscription->set_on_new_message_callback([this, key](size_t count) { enqueue(key, SUBSCRIPTION_EVENT, count); });
    });
  for_each_change(
    previous.services, current.services, [](const auto & service) { service->clear_on_new_request_callback(); },
    [this](const auto & service, const void * key) {
      service->set_on_new_request_callback([this, key](size_t count) { enqueue(key, SERVICE_EVENT, count); });
    });
  for_each_change(
    previous.clients, current.clients, [](const auto & client) { client->clear_on_new_response_callback(); },
    [this](const auto & client, const void * key) {
      client->set_on_new_response_callback([this, key](size_t count) { enqueue(key, CLIENT_EVENT, count); });
    });
  for_each_change(
    previous.timers, current.timers, [this](const auto & timer) { timers_manager_->remove_timer(timer); },
    [this](const auto & timer, const void *) { timers_manager_->add_timer(timer); });
  for_each_change(
    previous.waitables, current.waitables, [](const auto & waitable) { waitable->clear_on_ready_callback(); },
    [this](const auto & waitable, const void * key) {
      waitable->set_on_ready_callback([this, key](size_t count, int id) { enqueue(key, WAITABLE_EVENT, count, id); });
    });
  for_each_change(
    previous.notifiers, current.notifiers, [](const auto & notifier) { notifier->set_on_trigger_callback(nullptr); },
    [this](const auto & notifier, const void *) { notifier->set_on_trigger_callback([this](size_t) { notify(); }); });
}

template <typename EntityT>
std::shared_ptr<EntityT> EventsExecutor::find(const Watched<EntityT> & watched, const void * entity_key) {
  std::lock_guard<std::mutex> lock(entities_mutex_);
  const auto found = watched.find(entity_key);
  return found != watched.end() ? found->second.lock() : nullptr;
}

void EventsExecutor::execute_event(const ExecutorEvent & event) {
  switch (event.type) {
    case SUBSCRIPTION_EVENT:
      if (auto subscription = find(entities_.subscriptions, event.entity_key)) {
        for (size_t i = 0; i < event.num_events; ++i) { execute_subscription(subscription); }
      }
      break;
    case SERVICE_EVENT:
      if (auto service = find(entities_.services, event.entity_key)) {
        for (size_t i = 0; i < event.num_events; ++i) { execute_service(service); }
      }
      break;
    case CLIENT_EVENT:
      if (auto client = find(entities_.clients, event.entity_key)) {
        for (size_t i = 0; i < event.num_events; ++i) { execute_client(client); }
      }
      break;
    case TIMER_EVENT:
      timers_manager_->execute_ready_timer(static_cast<const TimerBase *>(event.entity_key), event.data);
      break;
    case WAITABLE_EVENT:
      if (event.entity_key == nullptr) {
        wake_up_queued_.store(false);
      } else if (event.entity_key == this) {
        notification_queued_.store(false);
        refresh_entities();
      } else if (auto waitable = find(entities_.waitables, event.entity_key)) {
        for (size_t i = 0; i < event.num_events; ++i) {
          const auto data = waitable->take_data_by_entity_id(static_cast<size_t>(event.waitable_data));
          waitable->execute(data);
        }
      }
      break;
  }
}

nanoseconds EventsExecutor::time_to_next_timer() {
  if (timers_in_own_thread_) { return nanoseconds::max(); }
  return timers_manager_->get_head_timeout().value_or(nanoseconds::max());
}

namespace {

/// Runs the thread of the timers as long as the object lives.
class TimersThread {
public:
  TimersThread(TimersManager & timers, bool wanted) : timers_(timers), wanted_(wanted) {
    if (wanted_) { timers_.start(); }
  }
  ~TimersThread() {
    if (wanted_) { timers_.stop(); }
  }
  TimersThread(const TimersThread &) = delete;
  TimersThread & operator=(const TimersThread &) = delete;

private:
  TimersManager & timers_;
  const bool wanted_;
};

}  // namespace

void EventsExecutor::spin() {
  SpinSession session(*this, "spin()");
  TimersThread timers_thread(*timers_manager_, timers_in_own_thread_);
  while (ok(context_) && spinning.load()) {
    ExecutorEvent event;
    if (events_queue_->dequeue(event, time_to_next_timer())) { execute_event(event); }
    // Between any two events, so that a flood of them does not hold the timers up.
    if (!timers_in_own_thread_ && spinning.load()) { timers_manager_->execute_ready_timer(); }
  }
}

void EventsExecutor::spin_some(nanoseconds max_duration) { spin_some_impl(max_duration, false); }

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
  size_t events_left = events_queue_->size();
  size_t timers_left = timers_manager_->get_number_of_ready_timers();
  while (ok(context_) && spinning.load() && time_left()) {
    ExecutorEvent event;
    if ((exhaustive || events_left > 0) && events_queue_->dequeue(event, nanoseconds(0))) {
      --events_left;
      execute_event(event);
      continue;
    }
    if ((exhaustive || timers_left > 0) && timers_manager_->execute_ready_timer()) {
      --timers_left;
      continue;
    }
    break;
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

}  // namespace executors
}  // namespace experimental
}  // namespace rclcpp
