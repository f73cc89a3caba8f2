// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace rclcpp {

/// Which parts of a subscription a wait set watches.
class SubscriptionWaitSetMask {
public:
  bool include_subscription = true;
  bool include_events = true;
  bool include_intra_process_waitable = true;
};

}  // namespace rclcpp
