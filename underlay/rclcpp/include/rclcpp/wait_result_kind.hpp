#pragma once

#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

enum RCLCPP_PUBLIC WaitResultKind {
  Ready,
  Timeout,
  Empty,
  Invalid,
};

}  // namespace rclcpp
