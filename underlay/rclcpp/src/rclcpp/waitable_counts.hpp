// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/waitable.hpp"

namespace rclcpp::detail {

/// How many entities of each kind a wait set has room for.
struct WaitableCounts {
  size_t subscriptions, guard_conditions, timers, clients, services, events;

  void add(Waitable & waitable) {
    subscriptions += waitable.get_number_of_ready_subscriptions();
    guard_conditions += waitable.get_number_of_ready_guard_conditions();
    timers += waitable.get_number_of_ready_timers();
    clients += waitable.get_number_of_ready_clients();
    services += waitable.get_number_of_ready_services();
    events += waitable.get_number_of_ready_events();
  }

  rcl_ret_t resize(rcl_wait_set_t & wait_set) const {
    return rcl_wait_set_resize(&wait_set, subscriptions, guard_conditions, timers, clients, services, events);
  }
};

}  // namespace rclcpp::detail
