// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_timers_interface.hpp"

namespace rclcpp::node_interfaces {

class NodeTimers : public NodeTimersInterface {
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeTimers)

  explicit NodeTimers(NodeBaseInterface * node_base) : node_base_(node_base) {}
  void add_timer(TimerBase::SharedPtr timer, CallbackGroup::SharedPtr callback_group) override {
    if (!callback_group) {
      callback_group = node_base_->get_default_callback_group();
    } else if (!node_base_->callback_group_in_node(callback_group)) {
      throw exceptions::MissingGroupNodeException("timer");
    }
    callback_group->add_timer(timer);
    try {
      node_base_->trigger_notify_guard_condition();
      callback_group->trigger_notify_guard_condition();
    } catch (const exceptions::RCLError & error) {
      throw std::runtime_error(std::string("failed to notify wait set on timer creation: ") + error.what());
    }
  }

private:
  NodeBaseInterface * node_base_;
};

}  // namespace rclcpp::node_interfaces
