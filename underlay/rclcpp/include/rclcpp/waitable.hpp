// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <functional>
#include <stdexcept>

#include "rcl/wait.h"
#include "rclcpp/macros.hpp"

namespace rclcpp {

/// Anything an executor can wait on that is not one of the built-in kinds.
class Waitable {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(Waitable)

  virtual ~Waitable() = default;

  virtual size_t get_number_of_ready_subscriptions() { return 0; }
  virtual size_t get_number_of_ready_timers() { return 0; }
  virtual size_t get_number_of_ready_clients() { return 0; }
  virtual size_t get_number_of_ready_events() { return 0; }
  virtual size_t get_number_of_ready_services() { return 0; }
  virtual size_t get_number_of_ready_guard_conditions() { return 0; }

  virtual void add_to_wait_set(rcl_wait_set_t & wait_set) = 0;
  virtual bool is_ready(const rcl_wait_set_t & wait_set) = 0;
  /// Take what execute() is to work on, so that another thread does not take it again.
  virtual std::shared_ptr<void> take_data() = 0;
  /// As take_data(), for the entity that an events executor was told about.
  virtual std::shared_ptr<void> take_data_by_entity_id(size_t) {
    throw std::runtime_error("Custom waitables should override take_data_by_entity_id if they want to use it.");
  }
  virtual void execute(const std::shared_ptr<void> & data) = 0;

  bool exchange_in_use_by_wait_set_state(bool in_use_state) { return in_use_by_wait_set_.exchange(in_use_state); }

  /// The callback gets the number of events and the id of the entity within the waitable.
  virtual void set_on_ready_callback(std::function<void(size_t, int)>) {
    throw std::runtime_error("Custom waitables should override set_on_ready_callback if they want to use it.");
  }
  virtual void clear_on_ready_callback() {
    throw std::runtime_error(
      "Custom waitables should override clear_on_ready_callback if they want to use it and "
      "make sure to call it on the waitable destructor.");
  }

private:
  std::atomic<bool> in_use_by_wait_set_{false};
};

}  // namespace rclcpp
