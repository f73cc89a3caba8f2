#include "rclcpp/callback_group.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace rclcpp {

CallbackGroup::CallbackGroup(CallbackGroupType group_type, std::function<Context::SharedPtr(void)> get_node_context,
  bool automatically_add_to_executor_with_node)
: type_(group_type),
  associated_with_executor_(false),
  can_be_taken_from_(true),
  automatically_add_to_executor_with_node_(automatically_add_to_executor_with_node),
  get_context_(std::move(get_node_context)) {}

CallbackGroup::~CallbackGroup() {
  // An executor that waits on entities of this group is to let go of them.
  trigger_notify_guard_condition();
}

size_t CallbackGroup::size() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return subscription_ptrs_.size() + service_ptrs_.size() + client_ptrs_.size() + timer_ptrs_.size() +
         waitable_ptrs_.size();
}

std::atomic_bool & CallbackGroup::can_be_taken_from() { return can_be_taken_from_; }

const CallbackGroupType & CallbackGroup::type() const { return type_; }

namespace {

template <typename EntityT>
void lock_each(const std::vector<std::weak_ptr<EntityT>> & entities,
  const std::function<void(const std::shared_ptr<EntityT> &)> & func) {
  for (const auto & weak_entity : entities) {
    if (auto entity = weak_entity.lock()) { func(entity); }
  }
}

}  // namespace

void CallbackGroup::collect_all_ptrs(std::function<void(const SubscriptionBase::SharedPtr &)> sub_func,
  std::function<void(const ServiceBase::SharedPtr &)> service_func,
  std::function<void(const ClientBase::SharedPtr &)> client_func,
  std::function<void(const TimerBase::SharedPtr &)> timer_func,
  std::function<void(const Waitable::SharedPtr &)> waitable_func) const {
  std::lock_guard<std::mutex> lock(mutex_);
  lock_each(subscription_ptrs_, sub_func);
  lock_each(service_ptrs_, service_func);
  lock_each(client_ptrs_, client_func);
  lock_each(timer_ptrs_, timer_func);
  lock_each(waitable_ptrs_, waitable_func);
}

std::atomic_bool & CallbackGroup::get_associated_with_executor_atomic() { return associated_with_executor_; }

bool CallbackGroup::automatically_add_to_executor_with_node() const { return automatically_add_to_executor_with_node_; }

GuardCondition::SharedPtr CallbackGroup::get_notify_guard_condition() {
  std::lock_guard<std::recursive_mutex> lock(notify_guard_condition_mutex_);
  auto context = get_context_();
  if (!context || !context->is_valid()) { return nullptr; }
  if (!notify_guard_condition_) { notify_guard_condition_ = std::make_shared<GuardCondition>(context); }
  return notify_guard_condition_;
}

void CallbackGroup::trigger_notify_guard_condition() {
  std::lock_guard<std::recursive_mutex> lock(notify_guard_condition_mutex_);
  if (notify_guard_condition_) { notify_guard_condition_->trigger(); }
}

template <typename EntityT>
void CallbackGroup::append(std::vector<std::weak_ptr<EntityT>> & entities, const std::shared_ptr<EntityT> & entity) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (entities.size() == entities.capacity()) {
    entities.erase(std::remove_if(entities.begin(), entities.end(),
                     [](const std::weak_ptr<EntityT> & other) { return other.expired(); }),
      entities.end());
  }
  entities.push_back(entity);
}

void CallbackGroup::add_subscription(const SubscriptionBase::SharedPtr subscription_ptr) {
  append<SubscriptionBase>(subscription_ptrs_, subscription_ptr);
}

void CallbackGroup::add_timer(const TimerBase::SharedPtr timer_ptr) { append<TimerBase>(timer_ptrs_, timer_ptr); }

void CallbackGroup::add_service(const ServiceBase::SharedPtr service_ptr) {
  append<ServiceBase>(service_ptrs_, service_ptr);
}

void CallbackGroup::add_client(const ClientBase::SharedPtr client_ptr) { append<ClientBase>(client_ptrs_, client_ptr); }

void CallbackGroup::add_waitable(const Waitable::SharedPtr waitable_ptr) {
  append<Waitable>(waitable_ptrs_, waitable_ptr);
}

void CallbackGroup::remove_waitable(const Waitable::SharedPtr waitable_ptr) noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  waitable_ptrs_.erase(std::remove_if(waitable_ptrs_.begin(), waitable_ptrs_.end(),
                         [&waitable_ptr](const Waitable::WeakPtr & other) { return other.lock() == waitable_ptr; }),
    waitable_ptrs_.end());
}

}  // namespace rclcpp
