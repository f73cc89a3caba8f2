// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp_action/types.hpp"

namespace rclcpp_action {

std::string to_string(const GoalUUID & goal_id) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * goal_id.size() + 4);
  for (size_t i = 0; i < goal_id.size(); ++i) {
    // The groups of a UUID: 4, 2, 2, 2 and 6 bytes.
    if (i == 4 || i == 6 || i == 8 || i == 10) { text += '-'; }
    text += digits[goal_id[i] >> 4];
    text += digits[goal_id[i] & 0x0f];
  }
  return text;
}

void convert(const GoalUUID & goal_id, rcl_action_goal_info_t * info) {
  std::copy(goal_id.begin(), goal_id.end(), info->goal_id.uuid);
}

void convert(const rcl_action_goal_info_t & info, GoalUUID * goal_id) {
  std::copy(info.goal_id.uuid, info.goal_id.uuid + UUID_SIZE, goal_id->begin());
}

}  // namespace rclcpp_action
