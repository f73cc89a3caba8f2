#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "rcl/wait.h"
#include "rclcpp/macros.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// Anything an executor can wait on that is not one of the built-in kinds.
class Waitable {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(Waitable)

  RCLCPP_PUBLIC virtual ~Waitable() = default;

  RCLCPP_PUBLIC virtual size_t get_number_of_ready_subscriptions();

  RCLCPP_PUBLIC virtual size_t get_number_of_ready_timers();

  RCLCPP_PUBLIC virtual size_t get_number_of_ready_clients();

  RCLCPP_PUBLIC virtual size_t get_number_of_ready_events();

  RCLCPP_PUBLIC virtual size_t get_number_of_ready_services();

  RCLCPP_PUBLIC virtual size_t get_number_of_ready_guard_conditions();

  RCLCPP_PUBLIC virtual void add_to_wait_set(rcl_wait_set_t & wait_set) = 0;

  RCLCPP_PUBLIC virtual bool is_ready(const rcl_wait_set_t & wait_set) = 0;

  /// Take what execute() is to work on, so that another thread does not take it again.
  RCLCPP_PUBLIC virtual std::shared_ptr<void> take_data() = 0;

  /// As take_data(), for the entity that an events executor was told about.
  RCLCPP_PUBLIC virtual std::shared_ptr<void> take_data_by_entity_id(size_t id);

  RCLCPP_PUBLIC virtual void execute(const std::shared_ptr<void> & data) = 0;

  RCLCPP_PUBLIC bool exchange_in_use_by_wait_set_state(bool in_use_state);

  /// The callback gets the number of events and the id of the entity within the waitable.
  RCLCPP_PUBLIC virtual void set_on_ready_callback(std::function<void(size_t, int)> callback);

  RCLCPP_PUBLIC virtual void clear_on_ready_callback();

private:
  std::atomic<bool> in_use_by_wait_set_{false};
};

}  // namespace rclcpp
