// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include <rclcpp/node.hpp>

#include "ambf_devices/rate_hand.hpp"

namespace ambf_device_nodes
{

/// Declares how sticks and buttons move the hand; `defaults` are the kind's, `modes` as text.
/// Throws std::invalid_argument with words.
ambf_devices::RateHandParameters declare_stick_parameters(
  rclcpp::Node & node, ambf_devices::RateHandParameters defaults,
  const std::vector<std::string> & modes);

}  // namespace ambf_device_nodes
