// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/collaboration.hpp"

#include <algorithm>

namespace ambf_teleop
{
namespace
{

AxisSet axes(const Eigen::Vector3d & stiffness, const Eigen::Vector3d & damping) noexcept
{
  unsigned set = 0;
  for (int i = 0; i < 3; ++i) {
    if (stiffness[i] != 0.0 || damping[i] != 0.0) { set |= 1u << i; }
  }
  return static_cast<AxisSet>(set);
}

AxisSet six(AxisSet linear, AxisSet angular) noexcept
{
  return static_cast<AxisSet>(linear | (angular << 3));
}

}  // namespace

AxisUse axis_use(const ProxyGains & controller, const FeedbackGains & haptic) noexcept
{
  return {
    six(
      axes(controller.linear_stiffness, controller.linear_damping),
      axes(controller.angular_stiffness, controller.angular_damping)),
    six(
      axes(haptic.linear_stiffness, haptic.linear_damping),
      axes(haptic.angular_stiffness, haptic.angular_damping))};
}

CollaborationMode collaboration_mode(std::span<const AxisUse> devices) noexcept
{
  const auto differs = [&devices](auto axis_set) {
    return std::any_of(devices.begin(), devices.end(), [&](const AxisUse & use) {
      return axis_set(use) != axis_set(devices.front());
    });
  };
  const bool split_input = differs([](const AxisUse & use) { return use.commands; });
  const bool split_output = differs([](const AxisUse & use) { return use.feels; });
  const bool no_output =
    std::all_of(devices.begin(), devices.end(), [](const AxisUse & use) { return use.feels == 0; });
  if (no_output) { return split_input ? CollaborationMode::Aino : CollaborationMode::Sino; }
  if (split_output) { return split_input ? CollaborationMode::Aiao : CollaborationMode::Siao; }
  return split_input ? CollaborationMode::Aiso : CollaborationMode::Siso;
}

std::string_view to_string(CollaborationMode mode) noexcept
{
  switch (mode) {
    case CollaborationMode::Siso:
      return "SISO";
    case CollaborationMode::Siao:
      return "SIAO";
    case CollaborationMode::Aiso:
      return "AISO";
    case CollaborationMode::Aiao:
      return "AIAO";
    case CollaborationMode::Sino:
      return "SINO";
    case CollaborationMode::Aino:
      return "AINO";
  }
  return "unknown";
}

}  // namespace ambf_teleop
