// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <ambf_msgs/msg/device_command.hpp>
#include <ambf_msgs/msg/device_sample.hpp>
#include <ambf_msgs/msg/proxy_state.hpp>
#include <geometry_msgs/msg/pose.hpp>
#include <geometry_msgs/msg/twist.hpp>
#include <geometry_msgs/msg/wrench.hpp>

#include <tl/expected.hpp>

#include "ambf_devices/device_cycle.hpp"

namespace ambf_device_nodes
{

ambf_teleop::Pose from_msg(const geometry_msgs::msg::Pose & pose);
ambf_teleop::Twist from_msg(const geometry_msgs::msg::Twist & twist);
ambf_teleop::Wrench from_msg(const geometry_msgs::msg::Wrench & wrench);
ambf_devices::ProxySample from_msg(const ambf_msgs::msg::ProxyState & state);

/// The error names what means nothing; numbers are judged by check_guidance.
tl::expected<ambf_devices::GuidanceCommand, std::string> from_msg(
  const ambf_msgs::msg::DeviceCommand & command);

void fill(geometry_msgs::msg::Pose & message, const ambf_teleop::Pose & pose);
void fill(geometry_msgs::msg::Twist & message, const ambf_teleop::Twist & twist);
void fill(geometry_msgs::msg::Wrench & message, const ambf_teleop::Wrench & wrench);

/// All but the header and the wall time; `actions` keeps its length, which is the number of action
/// buttons: nothing is allocated.
void fill(ambf_msgs::msg::DeviceSample & message, const ambf_devices::DeviceSample & sample);

}  // namespace ambf_device_nodes
