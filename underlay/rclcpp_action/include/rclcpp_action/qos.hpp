#pragma once

#include "rclcpp/qos.hpp"
#include "rclcpp_action/visibility_control.hpp"

namespace rclcpp_action {

/// The QoS of the status topic: transient local, so that late clients see the goals.
class DefaultActionStatusQoS : public rclcpp::QoS {
public:
  DefaultActionStatusQoS();
};

}  // namespace rclcpp_action
