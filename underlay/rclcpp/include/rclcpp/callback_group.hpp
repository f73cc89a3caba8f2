#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "rclcpp/client.hpp"
#include "rclcpp/context.hpp"
#include "rclcpp/guard_condition.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/publisher_base.hpp"
#include "rclcpp/service.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/timer.hpp"
#include "rclcpp/visibility_control.hpp"
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
  friend class rclcpp::node_interfaces::NodeServices;
  friend class rclcpp::node_interfaces::NodeTimers;
  friend class rclcpp::node_interfaces::NodeTopics;
  friend class rclcpp::node_interfaces::NodeWaitables;

public:
  RCLCPP_SMART_PTR_DEFINITIONS(CallbackGroup)

  /**
   * \param get_node_context gives the context of the node, or null once the node is gone
   * \param automatically_add_to_executor_with_node false: only add_callback_group() schedules it
   */
  RCLCPP_PUBLIC explicit CallbackGroup(CallbackGroupType group_type,
    std::function<rclcpp::Context::SharedPtr(void)> get_node_context,
    bool automatically_add_to_executor_with_node = true);

  RCLCPP_PUBLIC ~CallbackGroup();

  template <typename Function> rclcpp::SubscriptionBase::SharedPtr find_subscription_ptrs_if(Function func) const {
    return find_if_in(subscription_ptrs_, func);
  }

  template <typename Function> rclcpp::TimerBase::SharedPtr find_timer_ptrs_if(Function func) const {
    return find_if_in(timer_ptrs_, func);
  }

  template <typename Function> rclcpp::ServiceBase::SharedPtr find_service_ptrs_if(Function func) const {
    return find_if_in(service_ptrs_, func);
  }

  template <typename Function> rclcpp::ClientBase::SharedPtr find_client_ptrs_if(Function func) const {
    return find_if_in(client_ptrs_, func);
  }

  template <typename Function> rclcpp::Waitable::SharedPtr find_waitable_ptrs_if(Function func) const {
    return find_if_in(waitable_ptrs_, func);
  }

  /// Number of entities, including those that have expired but were not yet removed.
  RCLCPP_PUBLIC size_t size() const;

  /// False while a callback of a mutually exclusive group runs.
  RCLCPP_PUBLIC std::atomic_bool & can_be_taken_from();

  RCLCPP_PUBLIC const CallbackGroupType & type() const;

  RCLCPP_PUBLIC void collect_all_ptrs(std::function<void(const rclcpp::SubscriptionBase::SharedPtr &)> sub_func,
    std::function<void(const rclcpp::ServiceBase::SharedPtr &)> service_func,
    std::function<void(const rclcpp::ClientBase::SharedPtr &)> client_func,
    std::function<void(const rclcpp::TimerBase::SharedPtr &)> timer_func,
    std::function<void(const rclcpp::Waitable::SharedPtr &)> waitable_func) const;

  RCLCPP_PUBLIC std::atomic_bool & get_associated_with_executor_atomic();

  RCLCPP_PUBLIC bool automatically_add_to_executor_with_node() const;

  /// The condition that tells an executor of new entities; made on first use, null after the node.
  RCLCPP_PUBLIC rclcpp::GuardCondition::SharedPtr get_notify_guard_condition();

  /// Does nothing as long as nobody has asked for the guard condition.
  RCLCPP_PUBLIC void trigger_notify_guard_condition();

protected:
  RCLCPP_DISABLE_COPY(CallbackGroup)

  RCLCPP_PUBLIC void add_subscription(const rclcpp::SubscriptionBase::SharedPtr subscription_ptr);

  RCLCPP_PUBLIC void add_timer(const rclcpp::TimerBase::SharedPtr timer_ptr);

  RCLCPP_PUBLIC void add_service(const rclcpp::ServiceBase::SharedPtr service_ptr);

  RCLCPP_PUBLIC void add_client(const rclcpp::ClientBase::SharedPtr client_ptr);

  RCLCPP_PUBLIC void add_waitable(const rclcpp::Waitable::SharedPtr waitable_ptr);

  RCLCPP_PUBLIC void remove_waitable(const rclcpp::Waitable::SharedPtr waitable_ptr) noexcept;

  CallbackGroupType type_;
  mutable std::mutex mutex_;
  std::atomic_bool associated_with_executor_;
  std::vector<rclcpp::SubscriptionBase::WeakPtr> subscription_ptrs_;
  std::vector<rclcpp::TimerBase::WeakPtr> timer_ptrs_;
  std::vector<rclcpp::ServiceBase::WeakPtr> service_ptrs_;
  std::vector<rclcpp::ClientBase::WeakPtr> client_ptrs_;
  std::vector<rclcpp::Waitable::WeakPtr> waitable_ptrs_;
  std::atomic_bool can_be_taken_from_;
  const bool automatically_add_to_executor_with_node_;
  rclcpp::GuardCondition::SharedPtr notify_guard_condition_ = nullptr;
  std::recursive_mutex notify_guard_condition_mutex_;
  std::function<rclcpp::Context::SharedPtr(void)> get_context_;

private:
  template <typename EntityT, typename Function>
  std::shared_ptr<EntityT> find_if_in(const std::vector<std::weak_ptr<EntityT>> & entities, Function func) const {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const auto & weak_entity : entities) {
      auto entity = weak_entity.lock();
      if (entity && func(entity)) { return entity; }
    }
    return nullptr;
  }

  /// Vectors are pruned of expired entries when they would have to grow: amortised constant time.
  template <typename EntityT>
  void append(std::vector<std::weak_ptr<EntityT>> & entities, const std::shared_ptr<EntityT> & entity);
};

}  // namespace rclcpp
