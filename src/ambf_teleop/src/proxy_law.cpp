// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/proxy_law.hpp"

#include "ambf_teleop/force_limits.hpp"
#include "ambf_teleop/rotation.hpp"

namespace ambf_teleop
{

double step_scale(double nominal_step, double step) noexcept
{
  return step > nominal_step ? nominal_step / step : 1.0;
}

Wrench proxy_wrench(
  const ProxyLaw & law, ProxyErrors & errors, const Pose & T_world_proxy,
  const Pose & T_world_reference, double step) noexcept
{
  const Eigen::Quaterniond & R_world_proxy = T_world_proxy.orientation;
  const Eigen::Quaterniond to_axes = law.gain_axes.conjugate();

  // Eq. 3.2, reference minus current: the printed sign pushes away.
  const Eigen::Vector3d linear = to_axes * (T_world_reference.position - T_world_proxy.position);
  // Eq. 3.3 and 3.4, in the proxy's body.
  const Eigen::Vector3d angular =
    to_axes * rotation_vector(R_world_proxy.conjugate() * T_world_reference.orientation);

  Eigen::Vector3d linear_rate = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular_rate = Eigen::Vector3d::Zero();
  if (errors.valid && step > 0.0) {
    linear_rate = (linear - errors.linear) / step;
    angular_rate = rotation_vector_change(angular, errors.angular) / step;  // eq. 3.5
  }
  errors = {linear, angular, true};

  const double t_s = step_scale(law.nominal_step, step);
  const ProxyGains & gains = law.gains;
  // Eq. 3.6: t_s on the stiffness only.
  const Eigen::Vector3d force = t_s * gains.linear_stiffness.cwiseProduct(linear) +
                                gains.linear_damping.cwiseProduct(linear_rate);
  // Eq. 3.7.
  const Eigen::Vector3d torque =
    (law.scale_angular ? t_s : 1.0) * gains.angular_stiffness.cwiseProduct(angular) +
    gains.angular_damping.cwiseProduct(angular_rate);

  return {
    saturated(law.gain_axes * force, law.max_force),
    saturated(R_world_proxy * (law.gain_axes * torque), law.max_torque)};
}

}  // namespace ambf_teleop
