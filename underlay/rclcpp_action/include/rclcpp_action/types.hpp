// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "action_msgs/msg/goal_info.hpp"
#include "action_msgs/msg/goal_status.hpp"
#include "rcl_action/types.h"
#include "rclcpp_action/visibility_control.hpp"

namespace rclcpp_action {

using GoalUUID = std::array<uint8_t, UUID_SIZE>;
using GoalStatus = action_msgs::msg::GoalStatus;
using GoalInfo = action_msgs::msg::GoalInfo;

/// The bytes as hexadecimal digits in the groups of a UUID.
std::string to_string(const GoalUUID & goal_id);

void convert(const GoalUUID & goal_id, rcl_action_goal_info_t * info);

void convert(const rcl_action_goal_info_t & info, GoalUUID * goal_id);

}  // namespace rclcpp_action

namespace std {

template <> struct hash<rclcpp_action::GoalUUID> {
  size_t operator()(const rclcpp_action::GoalUUID & uuid) const noexcept {
    // FNV-1a over the bytes; ids are random, so that any mixing will do.
    uint64_t result = 14695981039346656037ull;
    for (const uint8_t byte : uuid) { result = (result ^ byte) * 1099511628211ull; }
    return static_cast<size_t>(result);
  }
};

}  // namespace std
