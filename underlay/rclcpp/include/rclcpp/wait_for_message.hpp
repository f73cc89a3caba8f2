// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/node.hpp"
#include "rclcpp/wait_set.hpp"
#include "rcpputils/scope_exit.hpp"

namespace rclcpp {

/// Wait for the next message of a subscription; false: timeout or shutdown.
template <class MsgT, class Rep = int64_t, class Period = std::milli> bool wait_for_message(MsgT & out,
  std::shared_ptr<Subscription<MsgT>> subscription, std::shared_ptr<Context> context,
  std::chrono::duration<Rep, Period> time_to_wait = std::chrono::duration<Rep, Period>(-1)) {
  auto shutdown = std::make_shared<GuardCondition>(context);
  auto shutdown_callback_handle = context->add_on_shutdown_callback([weak = std::weak_ptr(shutdown)]() {
    if (auto guard_condition = weak.lock()) { guard_condition->trigger(); }
  });
  RCPPUTILS_SCOPE_EXIT({ context->remove_on_shutdown_callback(shutdown_callback_handle); });

  WaitSet wait_set;
  wait_set.add_subscription(subscription);
  RCPPUTILS_SCOPE_EXIT({ wait_set.remove_subscription(subscription); });
  wait_set.add_guard_condition(shutdown);
  auto result = wait_set.wait(time_to_wait);
  MessageInfo info;
  return result.kind() == WaitResultKind::Ready && !wait_set.get_rcl_wait_set().guard_conditions[0] &&
         context->is_valid() && subscription->take(out, info);
}

template <class MsgT, class Rep = int64_t, class Period = std::milli> bool wait_for_message(MsgT & out,
  Node::SharedPtr node, const std::string & topic,
  std::chrono::duration<Rep, Period> time_to_wait = std::chrono::duration<Rep, Period>(-1)) {
  auto subscription = node->create_subscription<MsgT>(topic, 1, [](const std::shared_ptr<const MsgT>) {});
  return wait_for_message<MsgT, Rep, Period>(out, subscription, node->get_node_options().context(), time_to_wait);
}

}  // namespace rclcpp
