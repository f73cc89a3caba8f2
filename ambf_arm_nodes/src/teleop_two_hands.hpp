// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "teleop_hand.hpp"

namespace ambf_arm_nodes
{

/// Two hands that drag the picture of an endoscope, as one hand that moves its tip: `hand` on the left, `second_hand` on
/// the right. They lead while both are there and neither is clutched. Masters keep their orientation and, by a spring,
/// their distance meanwhile.
std::unique_ptr<TeleopHandTopics> make_two_hands(
  rclcpp::Node & node, const TeleopNodeParameters & parameters, const std::function<void()> & moved,
  const std::function<void(const std::string &)> & on_error);

}  // namespace ambf_arm_nodes
