// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "ambf_teleop/frames.hpp"

namespace ambf_teleop
{

/// Gains of one device's hold on a proxy. An axis with zero gains is not commanded by this device.
struct ProxyGains
{
  Eigen::Vector3d linear_stiffness = Eigen::Vector3d::Zero();   ///< K_L [N/m]
  Eigen::Vector3d linear_damping = Eigen::Vector3d::Zero();     ///< B_L [N s/m]
  Eigen::Vector3d angular_stiffness = Eigen::Vector3d::Zero();  ///< K_A [N m/rad]
  Eigen::Vector3d angular_damping = Eigen::Vector3d::Zero();    ///< B_A [N m s/rad]
};

struct ProxyLaw
{
  ProxyGains gains;
  /// Axes of the gains: linear ones in the world, angular ones in the proxy's body. Stands for the
  /// R_OM of eq. 3.2 and 3.3, which is printed on different sides there.
  Eigen::Quaterniond gain_axes = Eigen::Quaterniond::Identity();
  double nominal_step = 0.001;  ///< dt_f [s]
  bool scale_angular = false;   ///< t_s on the torque as well, as the asynchronous paper's eq. 2
  double max_force = std::numeric_limits<double>::infinity();   ///< [N]
  double max_torque = std::numeric_limits<double>::infinity();  ///< [N m]
};

/// Errors of the previous step, for the damping.
struct ProxyErrors
{
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();   ///< along the gain axes [m]
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  ///< along the gain axes [rad]
  bool valid = false;
};

/// t_s = dt_f / dt_d, at most 1: a step that takes longer than the nominal one must not push the
/// proxy with the full stiffness, a shorter one has no reason to push harder.
double step_scale(double nominal_step, double step) noexcept;

/// The wrench on the proxy at its origin in world axes (dissertation eq. 3.2 to 3.7 with the signs
/// corrected: from the proxy towards the reference). To be called once per physics step of `step`
/// seconds. Several devices on one proxy: one call each, the wrenches add.
Wrench proxy_wrench(
  const ProxyLaw & law, ProxyErrors & errors, const Pose & T_world_proxy,
  const Pose & T_world_reference, double step) noexcept;

}  // namespace ambf_teleop
