// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <crtk_msgs/msg/operating_state.hpp>
#include <rclcpp/rclcpp.hpp>

#include "ambf_arms/arm_control.hpp"

namespace ambf_arm_nodes
{

/// What an arm answers: kinematics, its state, the version of CRTK.
class ArmServices
{
public:
  ArmServices(
    rclcpp::Node & node, const std::string & arm,
    std::function<const ambf_arms::ArmControl *()> control,
    std::function<crtk_msgs::msg::OperatingState()> state);

private:
  std::vector<rclcpp::ServiceBase::SharedPtr> services_;
};

}  // namespace ambf_arm_nodes
