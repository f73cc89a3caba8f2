#include "rclcpp_action/qos.hpp"

#include "rcl_action/default_qos.h"

namespace rclcpp_action {

DefaultActionStatusQoS::DefaultActionStatusQoS()
: rclcpp::QoS(rclcpp::QoSInitialization::from_rmw(rcl_action_qos_profile_status_default),
    rcl_action_qos_profile_status_default) {}

}  // namespace rclcpp_action
