// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ambf_teleop/stability.hpp"

namespace ambf_teleop::bench
{

/// A one-axis device pressed against a virtual wall: a mass with viscous damping, a hand that
/// pushes with a constant force, a wall at x = 0 whose force is computed once per period and
/// held. No friction, no encoder steps, no motor limits: the textbook case of K < 2 b / T.
struct WallExperiment
{
  DeviceDynamics device;
  double period = 0.001;     ///< [s]
  double stiffness = 500.0;  ///< K [N/m]
  double push = 1.0;         ///< of the hand, into the wall [N]
  double approach = 0.02;    ///< speed at the first touch [m/s]
  double duration = 4.0;     ///< [s]
  bool passivity_control = false;
  double max_damping = 5.0;  ///< of the passivity controller [N s/m]
};

struct WallResult
{
  double early_speed = 0.0;  ///< rms over the second quarter [m/s]
  double late_speed = 0.0;   ///< rms over the last quarter [m/s]
  double deepest = 0.0;      ///< largest penetration [m]
};

/// Between two samples the motion is the exact solution, so that nothing but the sampling of the
/// wall adds energy.
WallResult run_wall(const WallExperiment & experiment);

/// Motion that dies away: the rms speed falls by a twentieth from the second to the last quarter,
/// or is below a nanometre per second. At 4 s this finds the edge to about 0.01 N s/m of net
/// damping.
bool is_stable(const WallResult & result);

/// Largest stiffness that is stable together with all smaller ones tried: upwards from `from` in
/// steps of a twentieth, then by bisection to a part in a thousand. 0 if `from` is unstable; at
/// most `upper`.
double largest_stable_stiffness(WallExperiment experiment, double from, double upper);

}  // namespace ambf_teleop::bench
