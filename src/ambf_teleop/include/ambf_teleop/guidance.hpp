// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "ambf_teleop/frames.hpp"

namespace ambf_teleop
{

/// How somebody other than the simulated world leads a hand.
enum class GuidanceMode : std::uint8_t
{
  None,
  Wrench,    ///< a force that stands
  SetPoint,  ///< a spring to a pose
  Line,      ///< a spring to a line: the hand glides along it
  Plane,     ///< a spring to a plane, from both sides
  Wall,      ///< a spring out of a half space: nothing on the side that the normal points to
};

/// What an agent or a supervisor asks for, all in one frame. Springs count per metre of the hand.
struct Guidance
{
  GuidanceMode mode = GuidanceMode::None;
  Wrench wrench;  ///< Wrench: at the handle
  Pose pose;      ///< the others: where to, or a point of the line, the plane or the wall
  Eigen::Vector3d direction = Eigen::Vector3d::UnitZ();  ///< unit: of the line, or the normal
  double linear_stiffness = 0.0;                         ///< [N/m]
  double linear_damping = 0.0;                           ///< [N s/m]
  double angular_stiffness = 0.0;                        ///< towards the pose [N m/rad]
  double angular_damping = 0.0;                          ///< [N m s/rad]
};

/// All numbers finite, rotation and direction of unit length, no gain below 0.
bool is_valid(const Guidance & guidance) noexcept;

/// The wrench at the handle. Damping resists the hand's own way since `T_handle_before` along what the
/// spring holds, so that a set-point that jumps is felt by its spring alone; a wall never pulls.
Wrench guidance_wrench(
  const Guidance & guidance, const Pose & T_handle, const Pose & T_handle_before,
  double dt) noexcept;

/// What the springs hold [J]. A wrench holds nothing.
double guidance_energy(const Guidance & guidance, const Pose & T_handle) noexcept;
double guidance_angular_energy(const Guidance & guidance, const Pose & T_handle) noexcept;

/// The same guidance in frame a.
Guidance moved(const Pose & T_a_b, const Guidance & in_b) noexcept;

}  // namespace ambf_teleop
