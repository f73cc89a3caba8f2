// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "endpoint_events.hpp"

namespace rclcpp::detail {

/// Change the callback by which rcl tells an entity of news; null ends it.
/** `set` is the function of rcl for this kind of handle. */
template <typename SetT, typename HandleT> void replace_new_event_callback(std::recursive_mutex & mutex,
  std::function<void(size_t)> & current, std::function<void(size_t)> next, SetT set, HandleT * handle,
  const char * what) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (!current && !next) { return; }
  const auto trampoline = next ? cpp_callback_trampoline<std::function<void(size_t)>> : nullptr;
  // rcl must never see a function that is being replaced: register the local one first.
  check(set(handle, trampoline, next ? &next : nullptr), what);
  current = next;
  if (current) { check(set(handle, trampoline, &current), what); }
}

}  // namespace rclcpp::detail
