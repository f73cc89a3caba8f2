// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <optional>

#include <geometry_msgs/msg/pose.hpp>

#include "ambf_teleop/frames.hpp"

namespace ambf_arm_nodes
{

/// Nothing where it is not finite, or its quaternion further than 1e-3 from unit length.
inline std::optional<ambf_teleop::Pose> to_teleop_pose(const geometry_msgs::msg::Pose & pose)
{
  ambf_teleop::Pose out;
  out.position = {pose.position.x, pose.position.y, pose.position.z};
  out.orientation = {
    pose.orientation.w, pose.orientation.x, pose.orientation.y, pose.orientation.z};
  if (!ambf_teleop::is_finite(out) || std::abs(out.orientation.norm() - 1.0) > 1e-3) { return {}; }
  out.orientation.normalize();
  return out;
}

inline void fill(geometry_msgs::msg::Pose & out, const ambf_teleop::Pose & pose)
{
  out.position.x = pose.position.x();
  out.position.y = pose.position.y();
  out.position.z = pose.position.z();
  out.orientation.x = pose.orientation.x();
  out.orientation.y = pose.orientation.y();
  out.orientation.z = pose.orientation.z();
  out.orientation.w = pose.orientation.w();
}

}  // namespace ambf_arm_nodes
