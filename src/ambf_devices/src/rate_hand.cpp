// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_devices/rate_hand.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string_view>
#include <utility>

#include "ambf_teleop/force_limits.hpp"
#include "ambf_teleop/rotation.hpp"

namespace ambf_devices
{
namespace
{

constexpr std::array<std::string_view, 6> names{"x", "y", "z", "rx", "ry", "rz"};
// A pause of the process is no push.
constexpr double longest_step = 0.05;

tl::unexpected<std::string> wrong(const std::string & word, const std::string & what)
{
  return tl::unexpected(
    "'" + word + "': " + what + "; expected entries like x=+0 or rz=-3 (x y z rx ry rz)");
}

}  // namespace

tl::expected<StickMode, std::string> parse_stick_mode(const std::string & text)
{
  StickMode mode;
  std::istringstream words(text);
  std::string word;
  bool any = false;
  while (words >> word) {
    const auto equals = word.find('=');
    const auto name = std::find(names.begin(), names.end(), word.substr(0, equals));
    if (equals == std::string::npos || name == names.end()) {
      return wrong(word, "no such degree of freedom");
    }
    const std::string_view source = std::string_view(word).substr(equals + 1);
    if (source.empty() || (source[0] != '+' && source[0] != '-')) {
      return wrong(word, "the axis needs a sign");
    }
    int axis = -1;
    const auto [end, code] =
      std::from_chars(source.data() + 1, source.data() + source.size(), axis);
    if (
      code != std::errc{} || end != source.data() + source.size() || axis < 0 ||
      axis >= static_cast<int>(most_axes)) {
      return wrong(word, "the axis must be a number from 0 to 15");
    }
    mode.sources[static_cast<std::size_t>(name - names.begin())] = {
      axis, source[0] == '-' ? -1.0 : 1.0};
    any = true;
  }
  if (!any) { return wrong(text, "no axis at all"); }
  return mode;
}

double shaped(double deflection, double dead_band, double curve) noexcept
{
  if (!std::isfinite(deflection)) { return 0.0; }
  const double size = std::min(std::abs(deflection), 1.0);
  if (size <= dead_band || dead_band >= 1.0) { return 0.0; }
  return std::copysign(std::pow((size - dead_band) / (1.0 - dead_band), curve), deflection);
}

RateHand::RateHand(RateHandParameters parameters) : parameters_(std::move(parameters))
{
  if (parameters_.buttons.actions.size() > 32) { parameters_.buttons.actions.resize(32); }
  reset();
}

void RateHand::reset() noexcept
{
  state_ = {};
  state_.gripper = 1.0;
  mode_ = 0;
}

const DriverState & RateHand::advance(const StickInput & input, double dt) noexcept
{
  dt = std::isfinite(dt) ? std::clamp(dt, 0.0, longest_step) : 0.0;
  const StickButtons & buttons = parameters_.buttons;
  choose_mode(input.buttons);
  if (pressed(input.buttons, buttons.home)) {
    go_home(dt);
  } else {
    move(input, dt);
  }
  grip(input, dt);
  state_.position_clutch = pressed(input.buttons, buttons.position_clutch);
  state_.camera_clutch = pressed(input.buttons, buttons.camera_clutch);
  state_.actions = 0;
  for (std::size_t i = 0; i < buttons.actions.size(); ++i) {
    if (pressed(input.buttons, buttons.actions[i])) { state_.actions |= 1u << i; }
  }
  last_buttons_ = input.buttons;
  return state_;
}

bool RateHand::pressed(std::uint32_t buttons, int button) const noexcept
{
  return button >= 0 && button < 32 && ((buttons >> button) & 1u) != 0;
}

void RateHand::choose_mode(std::uint32_t buttons) noexcept
{
  const int next = parameters_.buttons.next_mode;
  if (pressed(buttons, next) && !pressed(last_buttons_, next)) {
    mode_ = (mode_ + 1) % parameters_.modes.size();
  }
}

void RateHand::move(const StickInput & input, double dt) noexcept
{
  Eigen::Matrix<double, 6, 1> push;
  const StickMode & mode = parameters_.modes[mode_];
  for (std::size_t i = 0; i < mode.sources.size(); ++i) {
    const auto & source = mode.sources[i];
    push[static_cast<Eigen::Index>(i)] =
      source.axis < 0 ? 0.0
                      : source.sign * shaped(
                                        input.axes[static_cast<std::size_t>(source.axis)],
                                        parameters_.dead_band, parameters_.curve);
  }
  ambf_teleop::Pose & pose = state_.T_base_tip;
  const Eigen::Vector3d before = pose.position;
  // Two sticks at full deflection are not faster than one.
  pose.position += parameters_.linear_speed * dt * ambf_teleop::saturated(push.head<3>(), 1.0);
  if (input.displacement.allFinite()) {
    pose.position += ambf_teleop::saturated(input.displacement, fastest_mouse * dt);
  }
  pose.position = pose.position.cwiseMax(-parameters_.reach).cwiseMin(parameters_.reach);
  state_.twist.linear =
    dt > 0.0 ? Eigen::Vector3d((pose.position - before) / dt) : Eigen::Vector3d::Zero();
  state_.twist.angular = parameters_.angular_speed * push.tail<3>();
  // The turn is about the axes of the view, hence from the left.
  pose.orientation =
    (ambf_teleop::from_rotation_vector(dt * state_.twist.angular) * pose.orientation).normalized();
}

void RateHand::go_home(double dt) noexcept
{
  ambf_teleop::Pose & pose = state_.T_base_tip;
  const Eigen::Vector3d step =
    ambf_teleop::saturated(-pose.position, parameters_.linear_speed * dt);
  const Eigen::Vector3d turn = ambf_teleop::saturated(
    -ambf_teleop::rotation_vector(pose.orientation), parameters_.angular_speed * dt);
  pose.position += step;
  pose.orientation = (ambf_teleop::from_rotation_vector(turn) * pose.orientation).normalized();
  state_.twist = {};
  if (dt > 0.0) { state_.twist = {step / dt, turn / dt}; }
}

void RateHand::let_go(StickInput & input) const noexcept
{
  for (std::size_t i = 0; i < input.axes.size(); ++i) {
    if (static_cast<int>(i) != parameters_.gripper_axis) { input.axes[i] = 0.0; }
  }
}

StickInput RateHand::untouched() const noexcept
{
  StickInput input;
  if (parameters_.gripper_axis >= 0) {
    input.axes[static_cast<std::size_t>(parameters_.gripper_axis)] = parameters_.trigger_rest;
  }
  return input;
}

void RateHand::grip(const StickInput & input, double dt) noexcept
{
  if (parameters_.gripper_axis >= 0) {
    const double trigger = input.axes[static_cast<std::size_t>(parameters_.gripper_axis)];
    const double pulled = (trigger - parameters_.trigger_rest) /
                          (parameters_.trigger_pulled - parameters_.trigger_rest);
    if (std::isfinite(pulled)) { state_.gripper = 1.0 - std::clamp(pulled, 0.0, 1.0); }
  }
  const double way = parameters_.gripper_speed * dt;
  if (pressed(input.buttons, parameters_.buttons.close_gripper)) { state_.gripper -= way; }
  if (pressed(input.buttons, parameters_.buttons.open_gripper)) { state_.gripper += way; }
  state_.gripper = std::clamp(state_.gripper, 0.0, 1.0);
}

}  // namespace ambf_devices
