// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/gripper.hpp"

#include <algorithm>
#include <cmath>

#include "ambf_teleop/rotation.hpp"

namespace ambf_teleop
{

std::optional<double> normalised_gripper(double measured, const GripperJoint & range) noexcept
{
  const double opening = (measured - range.closed) / (range.open - range.closed);
  if (!std::isfinite(opening)) { return std::nullopt; }
  return std::clamp(opening, 0.0, 1.0);
}

void gripper_targets(
  double opening, std::span<const GripperJoint> joints, std::span<double> targets) noexcept
{
  if (std::isnan(opening)) { return; }
  const double fraction = std::clamp(opening, 0.0, 1.0);
  const std::size_t count = std::min(joints.size(), targets.size());
  for (std::size_t i = 0; i < count; ++i) {
    targets[i] = std::lerp(joints[i].closed, joints[i].open, fraction);
  }
}

std::vector<std::uint32_t> joints_below(std::uint32_t root, std::span<const JointEdge> joints)
{
  std::vector<std::uint32_t> bodies{root};
  std::vector<bool> taken(joints.size(), false);
  for (std::size_t next = 0; next < bodies.size(); ++next) {
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (taken[j] || joints[j].parent != bodies[next]) { continue; }
      taken[j] = true;
      if (std::find(bodies.begin(), bodies.end(), joints[j].child) == bodies.end()) {
        bodies.push_back(joints[j].child);
      }
    }
  }
  std::vector<std::uint32_t> below;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (taken[j]) { below.push_back(static_cast<std::uint32_t>(j)); }
  }
  return below;
}

Eigen::Vector3d joint_torque_on_child(
  const JointPdGains & gains, const Eigen::Vector3d & axis_parent,
  const Eigen::Quaterniond & R_world_parent, const Eigen::Quaterniond & R_world_parent_before,
  double position_error, double velocity_error) noexcept
{
  const Eigen::Vector3d axis_world = R_world_parent * axis_parent;  // eq. 3.9a
  const Eigen::Vector3d parent_turn =
    rotation_vector(R_world_parent * R_world_parent_before.conjugate());  // eq. 3.9b, d
  return (gains.stiffness * position_error + gains.damping * velocity_error) * axis_world +
         gains.parent_damping * parent_turn;  // eq. 3.9f
}

}  // namespace ambf_teleop
