// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>

namespace rclcpp::experimental::executors {

enum ExecutorEventType { CLIENT_EVENT, SUBSCRIPTION_EVENT, SERVICE_EVENT, TIMER_EVENT, WAITABLE_EVENT };

/// Something happened to an entity, num_events times.
struct ExecutorEvent {
  const void * entity_key;
  std::shared_ptr<void> data;
  int waitable_data;
  ExecutorEventType type;
  size_t num_events;
};

}  // namespace rclcpp::experimental::executors
