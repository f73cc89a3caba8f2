// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "rclcpp/macros.hpp"

namespace rclcpp {

/// A flag that something happened; used for graph events.
class Event {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(Event)

  bool set() { return state_.exchange(true); }
  bool check() { return state_.load(); }
  bool check_and_clear() { return state_.exchange(false); }

private:
  std::atomic_bool state_{false};
};

}  // namespace rclcpp
