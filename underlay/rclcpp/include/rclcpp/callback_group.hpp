// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <numeric>

#include "rclcpp/client.hpp"
#include "rclcpp/guard_condition.hpp"
#include "rclcpp/publisher_base.hpp"
#include "rclcpp/service.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/timer.hpp"
#include "rclcpp/waitable.hpp"

namespace rclcpp {

namespace node_interfaces {
class NodeServices;
class NodeTimers;
class NodeTopics;
class NodeWaitables;
}  // namespace node_interfaces

enum class CallbackGroupType { MutuallyExclusive, Reentrant };

/// Entities whose callbacks are scheduled together: one at a time, or in parallel.
class CallbackGroup {
  friend class node_interfaces::NodeServices;
  friend class node_interfaces::NodeTimers;
  friend class node_interfaces::NodeTopics;
  friend class node_interfaces::NodeWaitables;

public:
  RCLCPP_SMART_PTR_DEFINITIONS(CallbackGroup)

  /**
   * \param get_node_context gives the context of the node, or null once the node is gone
   * \param automatically_add_to_executor_with_node false: only add_callback_group() schedules it
   */
  explicit CallbackGroup(CallbackGroupType group_type, std::function<Context::SharedPtr(void)> get_node_context,
    bool automatically_add_to_executor_with_node = true)
  : type_(group_type),
    automatically_add_to_executor_with_node_(automatically_add_to_executor_with_node),
    get_context_(std::move(get_node_context)) {}

  /// An executor that waits on entities of this group is to let go of them.
  ~CallbackGroup() { trigger_notify_guard_condition(); }

  /// Number of entities, including those that have expired but were not yet removed.
  size_t size() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return subscription_ptrs_.size() + service_ptrs_.size() + client_ptrs_.size() + timer_ptrs_.size() +
           waitable_ptrs_.size();
  }
  /// False while a callback of a mutually exclusive group runs.
  std::atomic_bool & can_be_taken_from() { return can_be_taken_from_; }
  const CallbackGroupType & type() const { return type_; }

  void collect_all_ptrs(std::function<void(const SubscriptionBase::SharedPtr &)> sub_func,
    std::function<void(const ServiceBase::SharedPtr &)> service_func,
    std::function<void(const ClientBase::SharedPtr &)> client_func,
    std::function<void(const TimerBase::SharedPtr &)> timer_func,
    std::function<void(const Waitable::SharedPtr &)> waitable_func) const {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto lock_each = [](const auto & entities, const auto & function) {
      for (const auto & weak_entity : entities) {
        if (auto entity = weak_entity.lock()) { function(entity); }
      }
    };
    lock_each(subscription_ptrs_, sub_func);
    lock_each(service_ptrs_, service_func);
    lock_each(client_ptrs_, client_func);
    lock_each(timer_ptrs_, timer_func);
    lock_each(waitable_ptrs_, waitable_func);
  }

  std::atomic_bool & get_associated_with_executor_atomic() { return associated_with_executor_; }
  bool automatically_add_to_executor_with_node() const { return automatically_add_to_executor_with_node_; }
  /// The condition that tells an executor of new entities; made on first use, null after the node.
  GuardCondition::SharedPtr get_notify_guard_condition() {
    std::lock_guard<std::recursive_mutex> lock(notify_guard_condition_mutex_);
    auto context = get_context_();
    if (!context || !context->is_valid()) { return nullptr; }
    if (!notify_guard_condition_) { notify_guard_condition_ = std::make_shared<GuardCondition>(context); }
    return notify_guard_condition_;
  }
  /// Does nothing as long as nobody has asked for the guard condition.
  void trigger_notify_guard_condition() {
    std::lock_guard<std::recursive_mutex> lock(notify_guard_condition_mutex_);
    if (notify_guard_condition_) { notify_guard_condition_->trigger(); }
  }

protected:
  void add_subscription(const SubscriptionBase::SharedPtr & entity) { append(subscription_ptrs_, entity); }
  void add_timer(const TimerBase::SharedPtr & entity) { append(timer_ptrs_, entity); }
  void add_service(const ServiceBase::SharedPtr & entity) { append(service_ptrs_, entity); }
  void add_client(const ClientBase::SharedPtr & entity) { append(client_ptrs_, entity); }
  void add_waitable(const Waitable::SharedPtr & entity) { append(waitable_ptrs_, entity); }
  void remove_waitable(const Waitable::SharedPtr & entity) noexcept {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto is_entity = [&entity](const Waitable::WeakPtr & other) { return other.lock() == entity; };
    waitable_ptrs_.erase(std::remove_if(waitable_ptrs_.begin(), waitable_ptrs_.end(), is_entity), waitable_ptrs_.end());
  }

  CallbackGroupType type_;
  mutable std::mutex mutex_;
  std::atomic_bool associated_with_executor_{false};
  std::vector<SubscriptionBase::WeakPtr> subscription_ptrs_;
  std::vector<TimerBase::WeakPtr> timer_ptrs_;
  std::vector<ServiceBase::WeakPtr> service_ptrs_;
  std::vector<ClientBase::WeakPtr> client_ptrs_;
  std::vector<Waitable::WeakPtr> waitable_ptrs_;
  std::atomic_bool can_be_taken_from_{true};
  const bool automatically_add_to_executor_with_node_;
  GuardCondition::SharedPtr notify_guard_condition_ = nullptr;
  std::recursive_mutex notify_guard_condition_mutex_;
  std::function<Context::SharedPtr(void)> get_context_;

private:
  /// Vectors are pruned of expired entries when they would have to grow: amortised constant time.
  template <typename EntityT>
  void append(std::vector<std::weak_ptr<EntityT>> & entities, const std::shared_ptr<EntityT> & entity) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (entities.size() == entities.capacity()) {
      const auto expired = [](const auto & other) { return other.expired(); };
      entities.erase(std::remove_if(entities.begin(), entities.end(), expired), entities.end());
    }
    entities.push_back(entity);
  }
};

}  // namespace rclcpp
