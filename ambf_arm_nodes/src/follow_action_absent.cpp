// SPDX-License-Identifier: BSD-3-Clause
#include "follow_action.hpp"

namespace ambf_arm_nodes
{

std::unique_ptr<FollowAction> make_follow_action(rclcpp::Node &, const std::string &, FollowSink)
{
  return nullptr;
}

}  // namespace ambf_arm_nodes
