#pragma once

#include <memory>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/client.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/service.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/timer.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rclcpp/waitable.hpp"

namespace rclcpp {

/// One piece of ready work: exactly one of the five entity pointers is set.
struct AnyExecutable {
  RCLCPP_PUBLIC AnyExecutable();

  /// Releases the callback group, also where the work was never executed.
  RCLCPP_PUBLIC ~AnyExecutable();

  AnyExecutable(const AnyExecutable &) = delete;
  AnyExecutable & operator=(const AnyExecutable &) = delete;

  rclcpp::SubscriptionBase::SharedPtr subscription;
  rclcpp::TimerBase::SharedPtr timer;
  rclcpp::ServiceBase::SharedPtr service;
  rclcpp::ClientBase::SharedPtr client;
  rclcpp::Waitable::SharedPtr waitable;
  rclcpp::CallbackGroup::SharedPtr callback_group;
  rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base;
  std::shared_ptr<void> data;
};

}  // namespace rclcpp
