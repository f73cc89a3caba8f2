#pragma once

#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// Which parts of a subscription a wait set watches.
class RCLCPP_PUBLIC SubscriptionWaitSetMask {
public:
  bool include_subscription = true;
  bool include_events = true;
  bool include_intra_process_waitable = true;
};

}  // namespace rclcpp
