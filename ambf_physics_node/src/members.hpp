// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include <ambf_msgs/msg/barrier_member.hpp>
#include <rclcpp/rclcpp.hpp>

#include "parameters.hpp"
#include "presence.hpp"

namespace ambf_physics
{

/// Who may be named in a barrier: those that announced themselves on World/Barrier and are still there.
/// Everything happens under the mutex of the step server.
class Members
{
public:
  Members(
    rclcpp::Node & node, const Parameters & parameters, const std::string & world_namespace,
    rclcpp::CallbackGroup::SharedPtr group, std::recursive_mutex & mutex);

  bool contains(const std::string & name) const { return revisions_.count(name) != 0; }
  /// The newest manifest that the member said it has read; 0: it does not say, or is none.
  std::uint32_t revision(const std::string & name) const;
  /// Forgets those that have gone and returns their names.
  std::set<std::string> take_gone();

private:
  std::recursive_mutex & mutex_;
  Presence presence_;
  std::map<std::string, std::uint32_t> revisions_;  ///< by the member's name
  bool one_lost_ = false;  ///< a publisher of the topic, since the last look
  rclcpp::Subscription<ambf_msgs::msg::BarrierMember>::SharedPtr hello_;
};

}  // namespace ambf_physics
