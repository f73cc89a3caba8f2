// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "ambf_teleop/feedback_law.hpp"
#include "ambf_teleop/proxy_law.hpp"

namespace ambf_teleop
{

/// What the hand holds, along its worst axis; for turns kg m^2 and N m s/rad.
struct DeviceDynamics
{
  double mass = 0.1;     ///< [kg]
  double damping = 0.5;  ///< physical, of the mechanism itself [N s/m]
};

/// The stiffness K up to which a sampled wall K + B (z-1)/(T z) is passive, whatever passive hand
/// holds the device: b > K T / 2 + |B| (Colgate and Schenkel 1994). With B = 0: K < 2 b / T. Zero
/// where the virtual damping alone is too much.
double passive_stiffness(double device_damping, double virtual_damping, double period) noexcept;

/// The stiffness up to which a free mass with damper stays stable against a wall whose force is
/// held over the period: det of the exactly sampled motion below 1. Tends to 2 b / T for b T << m.
double stable_wall_stiffness(const DeviceDynamics & device, double period) noexcept;

/// What the passivity controller adds to K < 2 b / T: a sampled spring leaks as a damper of -K T
/// / 2 would, and the controller puts in up to its largest damping: K < 2 (b + max_damping) / T.
/// An estimate, to be trusted for max_damping up to a tenth of mass / T; see the wall experiment.
double stiffness_with_passivity_control(
  double device_damping, double max_damping, double period) noexcept;

enum class Axis : std::uint8_t
{
  X,
  Y,
  Z
};

/// Answer to a check of gains; `asked` and `limit` belong to the worst axis.
struct GainCheck
{
  bool stable = true;
  Axis axis = Axis::X;
  double asked = 0.0;
  double limit = 0.0;
};

/// Springs and dampers of three axes, as the hand feels them, against the passivity bound. A damper
/// without a spring is not judged here; see largest_sampled_damping.
GainCheck check_spring_gains(
  const Eigen::Vector3d & stiffness, const Eigen::Vector3d & damping, const DeviceDynamics & device,
  double period) noexcept;

/// A tenth of mass / T: well inside what a damper may be whose velocity is a difference over the
/// last period, which from about mass / T on shakes the mass instead of slowing it.
double largest_sampled_damping(const DeviceDynamics & device, double period) noexcept;

/// Linear haptic gains against the passivity bound at the device's rate. The hand feels K times the
/// workspace scale: its metre is `workspace_scale` metres of the proxy.
GainCheck check_feedback_gains(
  const FeedbackGains & gains, double workspace_scale, const DeviceDynamics & device,
  double period) noexcept;

/// Linear controller gains on a free proxy of `mass` against the physics step: with a
/// semi-implicit step the error obeys e'' = (2 - a - b) e' - (1 - b) e, a = K T^2 t_s / m, b = B
/// T / m, which stays bounded if and only if a, b >= 0 and a + 2 b < 4 (Jury). `asked` is a + 2
/// b, `limit` is 4.
GainCheck check_proxy_gains(
  const Eigen::Vector3d & stiffness, const Eigen::Vector3d & damping, double mass,
  double nominal_step, double step) noexcept;

}  // namespace ambf_teleop
