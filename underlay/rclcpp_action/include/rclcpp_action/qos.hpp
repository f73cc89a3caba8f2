// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rcl_action/default_qos.h"
#include "rclcpp/qos.hpp"

namespace rclcpp_action {

/// The QoS of the status topic: transient local, so that late clients see the goals.
class DefaultActionStatusQoS : public rclcpp::QoS {
public:
  DefaultActionStatusQoS()
  : QoS(rclcpp::QoSInitialization::from_rmw(rcl_action_qos_profile_status_default),
      rcl_action_qos_profile_status_default) {}
};

}  // namespace rclcpp_action
