// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <optional>

#include <geometry_msgs/msg/pose.hpp>

#include "ambf_node_support/eigen.hpp"
#include "ambf_teleop/frames.hpp"

namespace ambf_arm_nodes
{

using ambf_node_support::fill;
using ambf_node_support::to_eigen;

/// Nothing where it is not finite, or its quaternion further than 1e-3 from unit length.
inline std::optional<ambf_teleop::Pose> to_teleop_pose(const geometry_msgs::msg::Pose & pose)
{
  ambf_teleop::Pose out{to_eigen(pose.position), to_eigen(pose.orientation)};
  if (!ambf_teleop::is_finite(out) || std::abs(out.orientation.norm() - 1.0) > 1e-3) { return {}; }
  out.orientation.normalize();
  return out;
}

inline void fill(geometry_msgs::msg::Pose & out, const ambf_teleop::Pose & pose)
{
  fill(out, pose.position, pose.orientation);
}

}  // namespace ambf_arm_nodes
