#pragma once

#include <atomic>
#include <memory>

#include "rclcpp/macros.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp
{

/// A flag that something happened; used for graph events.
class Event
{
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(Event)

  RCLCPP_PUBLIC
  Event() = default;

  RCLCPP_PUBLIC
  bool set();
  RCLCPP_PUBLIC
  bool check();
  RCLCPP_PUBLIC
  bool check_and_clear();

private:
  RCLCPP_DISABLE_COPY(Event)
  std::atomic_bool state_{false};
};

}  // namespace rclcpp
