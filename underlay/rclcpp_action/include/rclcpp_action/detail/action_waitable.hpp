// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mutex>

#include "rclcpp/logging.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/node_interfaces/node_waitables_interface.hpp"
#include "rclcpp_action/types.hpp"

namespace rclcpp_action::detail {

inline void check(rcl_ret_t ret, const char * what = "") {
  if (ret != RCL_RET_OK) { rclcpp::exceptions::throw_from_rcl_error(ret, what); }
}

/// What clients and servers have in common: the rcl entities of one action as one waitable.
///
/// Entities are numbered as in the EntityType of the derived class.
class ActionWaitable : public rclcpp::Waitable {
public:
  size_t get_number_of_ready_subscriptions() override { return subscriptions_; }
  size_t get_number_of_ready_timers() override { return timers_; }
  size_t get_number_of_ready_clients() override { return clients_; }
  size_t get_number_of_ready_services() override { return services_; }
  size_t get_number_of_ready_guard_conditions() override { return guard_conditions_; }
  std::shared_ptr<void> take_data() override;
  std::shared_ptr<void> take_data_by_entity_id(size_t id) override;
  void execute(const std::shared_ptr<void> & data) override;
  void set_on_ready_callback(std::function<void(size_t, int)> callback) override;
  void clear_on_ready_callback() override;

protected:
  struct Taken {
    size_t entity;
    rmw_request_id_t header;
    std::shared_ptr<void> message;
  };

  /// \param entities how many of them can call back
  ActionWaitable(rclcpp::node_interfaces::NodeBaseInterface & node_base,
    rclcpp::node_interfaces::NodeLoggingInterface & node_logging, size_t entities)
  : node_handle_(node_base.get_shared_rcl_node_handle()),
    logger_(node_logging.get_logger().get_child("rclcpp_action")),
    functions_(entities) {}

  /// Remember the first entity that is ready; what is left is still ready at the next wait.
  bool choose(std::initializer_list<std::pair<bool, size_t>> ready);

  virtual rcl_ret_t take(Taken & taken) = 0;
  virtual void handle(Taken & taken) = 0;
  virtual rcl_ret_t attach(size_t entity, rcl_event_callback_t callback, const void * user_data) = 0;

  std::shared_ptr<rcl_node_t> node_handle_;
  rclcpp::Logger logger_;
  size_t subscriptions_{0}, guard_conditions_{0}, timers_{0}, clients_{0}, services_{0};

private:
  static constexpr size_t none = static_cast<size_t>(-1);

  std::atomic<size_t> next_{none};
  std::mutex functions_mutex_;
  std::vector<std::function<void(size_t)>> functions_;
  bool functions_set_{false};
};

/// Gives the waitable to the node; it leaves the node when its last owner drops it.
template <typename WaitableT> std::shared_ptr<WaitableT> add_waitable(WaitableT * waitable,
  const rclcpp::node_interfaces::NodeWaitablesInterface::SharedPtr & node_waitables,
  const rclcpp::CallbackGroup::SharedPtr & group) {
  std::shared_ptr<WaitableT> owner(
    waitable, [weak_node = std::weak_ptr<rclcpp::node_interfaces::NodeWaitablesInterface>(node_waitables),
                weak_group = rclcpp::CallbackGroup::WeakPtr(group), in_default_group = !group](WaitableT * pointer) {
      const auto node = weak_node.lock();
      const auto callback_group = weak_group.lock();
      if (node && (in_default_group || callback_group)) {
        // The interface takes a shared pointer: one that owns nothing.
        node->remove_waitable(std::shared_ptr<WaitableT>(std::shared_ptr<void>(), pointer), callback_group);
      }
      delete pointer;
    });
  node_waitables->add_waitable(owner, group);
  return owner;
}

}  // namespace rclcpp_action::detail
