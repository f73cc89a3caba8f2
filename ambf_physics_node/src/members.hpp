// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <string>

#include <ambf_msgs/msg/barrier_member.hpp>
#include <rclcpp/rclcpp.hpp>

#include "ambf_simulation/step_barrier.hpp"
#include "parameters.hpp"
#include "presence.hpp"
#include "short_names.hpp"

namespace ambf_physics
{

/// Who may be named in a barrier: those that announced themselves on World/Barrier and are still there.
/// Everything happens under the mutex of the step server.
class Members
{
public:
  Members(
    rclcpp::Node & node, const Parameters & parameters, const std::string & world_namespace,
    rclcpp::CallbackGroup::SharedPtr group, std::mutex & mutex, BarrierMembers & revisions);

  /// The names of those that have gone since the last call.
  std::set<std::string> take_gone();

private:
  std::mutex & mutex_;
  Presence presence_;
  BarrierMembers & revisions_;
  bool one_lost_ = false;  ///< a publisher of the topic, since the last look
  rclcpp::Subscription<ambf_msgs::msg::BarrierMember>::SharedPtr hello_;
};

}  // namespace ambf_physics
