// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/callback_group.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"

namespace rclcpp {

/// One piece of ready work: exactly one of the five entity pointers is set.
struct AnyExecutable {
  AnyExecutable() = default;
  RCLCPP_DISABLE_COPY(AnyExecutable)

  /// Releases the callback group, also where the work was never executed.
  ~AnyExecutable() {
    if (callback_group) { callback_group->can_be_taken_from().store(true); }
  }

  SubscriptionBase::SharedPtr subscription;
  TimerBase::SharedPtr timer;
  ServiceBase::SharedPtr service;
  ClientBase::SharedPtr client;
  Waitable::SharedPtr waitable;
  CallbackGroup::SharedPtr callback_group;
  node_interfaces::NodeBaseInterface::SharedPtr node_base;
  std::shared_ptr<void> data;
};

}  // namespace rclcpp
