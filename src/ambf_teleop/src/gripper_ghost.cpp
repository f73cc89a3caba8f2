// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/gripper_ghost.hpp"

#include <algorithm>
#include <cmath>

namespace ambf_teleop
{
namespace
{

double slope(const JawParameters & p) noexcept
{
  return p.jaw_max / (p.gripper_max - p.gripper_zero);
}

}  // namespace

double jaw_of(const JawParameters & parameters, double gripper) noexcept
{
  return slope(parameters) * (gripper - parameters.gripper_zero);
}

double gripper_of(const JawParameters & parameters, double jaw) noexcept
{
  return parameters.gripper_zero + jaw / slope(parameters);
}

GripperGhost start_ghost(const JawParameters & parameters, double jaw) noexcept
{
  return {gripper_of(parameters, jaw), false};
}

double follow_gripper(
  const JawParameters & parameters, GripperGhost & ghost, double gripper, double dt) noexcept
{
  const double gap = gripper - ghost.angle;
  if (std::abs(gap) < parameters.agree) { ghost.agreed = true; }
  const double most = (ghost.agreed ? parameters.rate : parameters.rate_after_clutch) * dt;
  ghost.angle += std::clamp(gap, -most, most);
  const double jaw = jaw_of(parameters, ghost.angle);
  if (jaw >= parameters.jaw_min) { return jaw; }
  // A hand that presses on does not have to come back before the jaw opens.
  ghost.angle = gripper_of(parameters, parameters.jaw_min);
  return parameters.jaw_min;
}

}  // namespace ambf_teleop
