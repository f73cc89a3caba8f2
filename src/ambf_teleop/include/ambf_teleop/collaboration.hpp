// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "ambf_teleop/feedback_law.hpp"
#include "ambf_teleop/proxy_law.hpp"

namespace ambf_teleop
{

/// A set of axes: bits 0 to 2 are translation x y z, 3 to 5 rotation x y z.
using AxisSet = std::uint8_t;

/// What one device on a shared proxy commands and feels.
struct AxisUse
{
  AxisSet commands = 0;
  AxisSet feels = 0;
};

AxisUse axis_use(const ProxyGains & controller, const FeedbackGains & haptic) noexcept;

/// Dissertation section 3.5: Symmetric or Asymmetric Input, Symmetric, Asymmetric or No Output.
enum class CollaborationMode : std::uint8_t
{
  Siso,
  Siao,
  Aiso,
  Aiao,
  Sino,
  Aino,
};

/// The mode that the gains of all devices on one proxy make. A single device is symmetric.
CollaborationMode collaboration_mode(std::span<const AxisUse> devices) noexcept;

std::string_view to_string(CollaborationMode mode) noexcept;

}  // namespace ambf_teleop
