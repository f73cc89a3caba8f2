// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "ambf_devices/device_cycle.hpp"
#include "ambf_teleop/stability.hpp"

namespace ambf_devices
{

/// What the hand holds.
struct HandDynamics
{
  ambf_teleop::DeviceDynamics linear{0.1, 0.5};      ///< [kg, N s/m]
  ambf_teleop::DeviceDynamics angular{1e-4, 0.001};  ///< [kg m^2, N m s/rad]
};

/// What was found about gains that may be used.
struct GainVerdict
{
  double max_damping = 0.0;          ///< that the passivity controller should be given [N s/m]
  double max_angular_damping = 0.0;  ///< likewise [N m s/rad]
  std::string warning;  ///< not empty: above K < 2 b / T, so that the controller must damp them
};

/// Haptic gains, linear and angular, against the rate at which they will be sent. Above
/// K < 2 (b - |B|) / T they need the passivity controller, which carries them up to
/// 2 (b + its damping) / T. Its damping counts, and is to be used, up to a tenth of mass / T: a
/// sampled damper above about mass / T is unstable itself; for the same reason the gains' own
/// damping may not exceed that, nor b where the controller is off. The error names the axis, the
/// bound and what to do.
tl::expected<GainVerdict, std::string> check_gains(
  const CycleParameters & parameters, const HandDynamics & hand, double rate);

/// The same bounds for gains that come while the device runs. `parameters` are those that
/// check_gains has judged, with the dampings of its verdict.
GainBounds gain_bounds(const CycleParameters & parameters, const HandDynamics & hand, double rate);

/// Whether a guidance may be given at all; the error says what was found and what was expected.
tl::expected<void, std::string> check_guidance(
  const GuidanceCommand & command, const GainBounds & bounds);

}  // namespace ambf_devices
