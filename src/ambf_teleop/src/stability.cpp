// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/stability.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ambf_teleop
{
namespace
{

constexpr std::array<Axis, 3> axes{Axis::X, Axis::Y, Axis::Z};

}  // namespace

double passive_stiffness(double device_damping, double virtual_damping, double period) noexcept
{
  return std::max(0.0, 2.0 * (device_damping - std::abs(virtual_damping)) / period);
}

double stiffness_with_passivity_control(
  double device_damping, double max_damping, double period) noexcept
{
  return 2.0 * (device_damping + max_damping) / period;
}

double stable_wall_stiffness(const DeviceDynamics & device, double period) noexcept
{
  const double m = device.mass;
  const double b = device.damping;
  if (!(b > 0.0)) { return 0.0; }
  // Exact sampling of m x'' = -b x' + f with f held over the period:
  //   x' = x + d v + c f,  v' = decay v + g f,  f = -K x.
  const double decay = std::exp(-b * period / m);
  const double g = -std::expm1(-b * period / m) / b;
  const double d = m * g;
  // (T - d) / b cancels for small b T / m; the series of exp starts at T^2 / 2 m.
  const double x = b * period / m;
  const double c = x < 1e-4 ? period * period / (2.0 * m) * (1.0 - x / 3.0) : (period - d) / b;
  // Jury: det < 1 and 1 + trace + det > 0, both linear in K.
  const double grows = d * g - c * decay;
  const double flips = c * (1.0 + decay) - d * g;
  const double never = std::numeric_limits<double>::infinity();
  const double by_determinant = grows > 0.0 ? (1.0 - decay) / grows : never;
  const double by_flip = flips > 0.0 ? 2.0 * (1.0 + decay) / flips : never;
  return std::min(by_determinant, by_flip);
}

GainCheck check_spring_gains(
  const Eigen::Vector3d & stiffness, const Eigen::Vector3d & damping, const DeviceDynamics & device,
  double period) noexcept
{
  GainCheck worst;
  double worst_excess = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto index = static_cast<Eigen::Index>(i);
    const double asked = stiffness[index];
    const double limit = passive_stiffness(device.damping, damping[index], period);
    // Not a number counts as unstable.
    const bool stable = asked >= 0.0 && (asked < limit || asked == 0.0);
    const double excess = stable ? asked - limit : std::numeric_limits<double>::max();
    if (excess > worst_excess) {
      worst = {stable, axes[i], asked, limit};
      worst_excess = excess;
    }
  }
  return worst;
}

double largest_sampled_damping(const DeviceDynamics & device, double period) noexcept
{
  return 0.1 * device.mass / period;
}

GainCheck check_feedback_gains(
  const FeedbackGains & gains, double workspace_scale, const DeviceDynamics & device,
  double period) noexcept
{
  return check_spring_gains(
    gains.linear_stiffness * workspace_scale, gains.linear_damping * workspace_scale, device,
    period);
}

GainCheck check_proxy_gains(
  const Eigen::Vector3d & stiffness, const Eigen::Vector3d & damping, double mass,
  double nominal_step, double step) noexcept
{
  constexpr double limit = 4.0;
  GainCheck worst{true, Axis::X, 0.0, limit};
  double worst_asked = -1.0;
  const double t_s = step_scale(nominal_step, step);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto index = static_cast<Eigen::Index>(i);
    const double a = stiffness[index] * t_s * step * step / mass;
    const double b = damping[index] * step / mass;
    const double asked = a + 2.0 * b;
    const bool stable = a >= 0.0 && b >= 0.0 && asked < limit;
    const double rank = stable ? asked : std::numeric_limits<double>::max();
    if (rank > worst_asked) {
      worst = {stable, axes[i], asked, limit};
      worst_asked = rank;
    }
  }
  return worst;
}

}  // namespace ambf_teleop
