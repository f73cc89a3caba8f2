// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_devices/gain_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace ambf_devices
{
namespace
{

__attribute__((format(printf, 1, 2))) std::string text(const char * format, ...)
{
  std::array<char, 512> buffer{};
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer.data(), buffer.size(), format, arguments);
  va_end(arguments);
  return buffer.data();
}

bool all_usable(const Eigen::Vector3d & gains)
{
  return gains.allFinite() && (gains.array() >= 0.0).all();
}

/// Translation, or turns: the same laws in other units.
struct Motion
{
  const char * name;
  const char * stiffness_unit;
  const char * damping_unit;
  Eigen::Vector3d stiffness, damping;  // as the hand feels them
  ambf_teleop::DeviceDynamics device;
  double controller;  // most that the passivity controller may add
};

char axis_name(std::size_t index) { return "xyz"[index]; }

/// A damper that is too much by itself; empty: none.
std::string too_damped(const Motion & motion, bool passivity, double rate)
{
  const double sampled = ambf_teleop::largest_sampled_damping(motion.device, 1.0 / rate);
  const double bound = passivity ? sampled : std::min(motion.device.damping, sampled);
  for (std::size_t i = 0; i < 3; ++i) {
    const double asked = motion.damping[static_cast<Eigen::Index>(i)];
    if (asked > bound) {
      return text(
        "%s damping along %c: %.4g %s at the hand exceeds %.4g %s, %s at %.4g Hz; lower it or "
        "raise the rate",
        motion.name, axis_name(i), asked, motion.damping_unit, bound, motion.damping_unit,
        bound < sampled ? "the device's own, which bounds it without the passivity controller,"
                        : "a tenth of the device's mass (inertia) over the period",
        rate);
    }
  }
  return {};
}

/// Error, or the warning that the controller must damp it; empty: stable by itself.
tl::expected<std::string, std::string> check(const Motion & motion, bool passivity, double rate)
{
  if (const std::string problem = too_damped(motion, passivity, rate); !problem.empty()) {
    return tl::unexpected(problem);
  }
  const auto check =
    check_spring_gains(motion.stiffness, motion.damping, motion.device, 1.0 / rate);
  if (check.stable) { return {}; }
  const std::string found = text(
    "%s stiffness along %c: %.4g %s at the hand%s exceeds 2 (b - |B|) / T = %.4g %s with "
    "b = %.3g %s of the device, at %.4g Hz",
    motion.name, axis_name(static_cast<std::size_t>(check.axis)), check.asked,
    motion.stiffness_unit, motion.name[0] == 'l' ? " (gain times workspace scale)" : "",
    check.limit, motion.stiffness_unit, motion.device.damping, motion.damping_unit, rate);
  if (!passivity) {
    return tl::unexpected(
      found + "; lower the gain, raise the rate, or turn the passivity controller on");
  }
  const double carried = ambf_teleop::stiffness_with_passivity_control(
    motion.device.damping, motion.controller, 1.0 / rate);
  if (!(check.asked < carried)) {
    return tl::unexpected(
      found +
      text(
        "; the passivity controller with %.3g %s carries it up to %.4g %s; lower the gain or "
        "raise the rate",
        motion.controller, motion.damping_unit, carried, motion.stiffness_unit));
  }
  return found + text(
                   "; the passivity controller damps it (bound with it: %.4g %s)", carried,
                   motion.stiffness_unit);
}

}  // namespace

tl::expected<GainVerdict, std::string> check_gains(
  const CycleParameters & parameters, const HandDynamics & hand, double rate)
{
  const auto & gains = parameters.gains;
  if (
    !all_usable(gains.linear_stiffness) || !all_usable(gains.linear_damping) ||
    !all_usable(gains.angular_stiffness) || !all_usable(gains.angular_damping)) {
    return tl::unexpected(
      std::string("a gain is negative or not finite; a hand is pulled towards the proxy by gains "
                  "of zero or more"));
  }
  GainVerdict verdict;
  verdict.max_damping = std::min(
    parameters.passivity.max_damping,
    ambf_teleop::largest_sampled_damping(hand.linear, 1.0 / rate));
  verdict.max_angular_damping = std::min(
    parameters.passivity_angular_damping,
    ambf_teleop::largest_sampled_damping(hand.angular, 1.0 / rate));
  const double scale = parameters.workspace_scale;
  const std::array<Motion, 2> motions{
    Motion{
      "linear", "N/m", "N s/m", gains.linear_stiffness * scale, gains.linear_damping * scale,
      hand.linear, verdict.max_damping},
    Motion{
      "angular", "N m/rad", "N m s/rad", gains.angular_stiffness, gains.angular_damping,
      hand.angular, verdict.max_angular_damping}};
  for (const Motion & motion : motions) {
    const auto found = check(motion, parameters.passivity.enabled, rate);
    if (!found) { return tl::unexpected(found.error()); }
    verdict.warning += (verdict.warning.empty() || found->empty() ? "" : "; ") + *found;
  }
  return verdict;
}

GainBounds gain_bounds(const CycleParameters & parameters, const HandDynamics & hand, double rate)
{
  const double period = 1.0 / rate;
  const bool passivity = parameters.passivity.enabled;
  const auto stiffness = [&](double device, double controller, const Eigen::Vector3d & damping) {
    return passivity ? ambf_teleop::stiffness_with_passivity_control(device, controller, period)
                     : ambf_teleop::passive_stiffness(device, damping.maxCoeff(), period);
  };
  const auto damping = [&](const ambf_teleop::DeviceDynamics & device) {
    const double sampled = ambf_teleop::largest_sampled_damping(device, period);
    return passivity ? sampled : std::min(device.damping, sampled);
  };
  return {
    stiffness(
      hand.linear.damping, parameters.passivity.max_damping,
      parameters.gains.linear_damping * parameters.workspace_scale),
    damping(hand.linear),
    stiffness(
      hand.angular.damping, parameters.passivity_angular_damping, parameters.gains.angular_damping),
    damping(hand.angular)};
}

tl::expected<void, std::string> check_guidance(
  const GuidanceCommand & command, const GainBounds & bounds)
{
  const ambf_teleop::Guidance & g = command.guidance;
  if (!is_valid(g) || !std::isfinite(command.time_limit) || command.time_limit < 0.0) {
    return tl::unexpected(
      std::string("expected finite numbers, unit quaternions, a direction of length above 0, and "
                  "gains and a time limit of 0 or more"));
  }
  struct Gain
  {
    const char * name;
    double asked, bound;
    const char * unit;
  };
  const std::array<Gain, 4> gains{
    Gain{"linear_stiffness", g.linear_stiffness, bounds.linear_stiffness, "N/m"},
    Gain{"linear_damping", g.linear_damping, bounds.linear_damping, "N s/m"},
    Gain{"angular_stiffness", g.angular_stiffness, bounds.angular_stiffness, "N m/rad"},
    Gain{"angular_damping", g.angular_damping, bounds.angular_damping, "N m s/rad"}};
  for (const Gain & gain : gains) {
    if (gain.asked <= gain.bound) { continue; }
    return tl::unexpected(text(
      "%s: found %.4g %s, expected at most %.4g %s, which is what this device carries at its rate",
      gain.name, gain.asked, gain.unit, gain.bound, gain.unit));
  }
  return {};
}

}  // namespace ambf_devices
