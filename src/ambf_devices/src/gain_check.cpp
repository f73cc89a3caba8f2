#include "ambf_devices/gain_check.hpp"

#include <algorithm>
#include <array>
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

}  // namespace

tl::expected<GainVerdict, std::string> check_gains(
  const CycleParameters & parameters, const ambf_teleop::DeviceDynamics & device, double rate)
{
  const auto & gains = parameters.gains;
  if (
    !all_usable(gains.linear_stiffness) || !all_usable(gains.linear_damping) ||
    !all_usable(gains.angular_stiffness) || !all_usable(gains.angular_damping)) {
    return tl::unexpected(
      std::string("a gain is negative or not finite; a hand is pulled towards the proxy by gains "
                  "of zero or more"));
  }
  const double period = 1.0 / rate;
  GainVerdict verdict;
  verdict.max_damping = std::min(parameters.passivity.max_damping, 0.1 * device.mass * rate);

  const auto check = check_feedback_gains(gains, parameters.workspace_scale, device, period);
  if (check.stable) {
    return verdict;
  }
  constexpr std::array<char, 3> axes{'x', 'y', 'z'};
  const char axis = axes[static_cast<std::size_t>(check.axis)];
  const std::string found = text(
    "linear stiffness along %c: %.4g N/m at the hand (gain times workspace scale) exceeds "
    "2 (b - |B|) / T = %.4g N/m with b = %.3g N s/m of the device, at %.4g Hz",
    axis, check.asked, check.limit, device.damping, rate);
  if (!parameters.passivity.enabled) {
    return tl::unexpected(
      found + "; lower the gain, raise the rate, or turn the passivity controller on");
  }
  const double carried =
    ambf_teleop::stiffness_with_passivity_control(device.damping, verdict.max_damping, period);
  if (!(check.asked < carried)) {
    return tl::unexpected(
      found +
      text(
        "; the passivity controller with %.3g N s/m carries it up to %.4g N/m; lower the gain or "
        "raise the rate",
        verdict.max_damping, carried));
  }
  verdict.warning =
    found + text("; the passivity controller damps it (bound with it: %.4g N/m)", carried);
  return verdict;
}

}  // namespace ambf_devices
