// SPDX-License-Identifier: BSD-3-Clause
// What an agent or a supervisor lets the hand feel, as part of a device's tick.
#include <algorithm>
#include <cmath>

#include "ambf_devices/device_cycle.hpp"
#include "ambf_teleop/rotation.hpp"

namespace ambf_devices
{

using ambf_teleop::Guidance;
using ambf_teleop::GuidanceMode;
using ambf_teleop::Pose;
using Eigen::Vector3d;

bool DeviceCycle::take_guidance(const GuidanceCommand & command, double time) noexcept
{
  if (!is_valid(command.guidance) || !std::isfinite(command.time_limit)) { return false; }
  command_ = command;
  command_.guidance.pose.orientation.normalize();
  command_.guidance.direction.normalize();
  command_time_ = time;
  return true;
}

DeviceCycle::Guided DeviceCycle::guidance_now(double time, bool world_fresh) const noexcept
{
  if (command_.guidance.mode == GuidanceMode::None) { return {}; }
  if (command_.axes == GuidanceAxes::World && !world_fresh) { return {}; }
  const double longest = parameters_.timeout;
  const double limit = command_.time_limit > 0.0 ? std::min(command_.time_limit, longest) : longest;
  const double factor = ambf_teleop::freshness(
    time - command_time_ + hold_, parameters_.fade_from * limit / longest, limit);
  if (!(factor > 0.0)) { return {}; }
  Guidance guidance = in_base(command_);
  keep_within_bounds(guidance, command_.replaces || !world_fresh);
  return {guidance, factor, {}};
}

Guidance DeviceCycle::in_base(const GuidanceCommand & command) const noexcept
{
  const ambf_teleop::DeviceOffsets & offsets = parameters_.offsets;
  if (command.axes == GuidanceAxes::Base) { return command.guidance; }
  if (command.axes == GuidanceAxes::User) {
    return moved(ambf_teleop::inverse(offsets.base), command.guidance);
  }
  const auto axes = [this, &offsets](const Vector3d & in_world) {
    return world_to_base_axes(offsets, proxy_.R_world_camera, in_world);
  };
  // The way of the reference to its goal, as a way of the hand.
  const Pose reference = reference_now();
  const Pose handle = filter_.last.T_base_tip * offsets.tip;
  const Pose & goal = command.guidance.pose;
  const Vector3d turn =
    ambf_teleop::rotation_vector(goal.orientation * reference.orientation.conjugate());
  Guidance guidance = command.guidance;
  guidance.wrench = {axes(guidance.wrench.force), axes(guidance.wrench.torque)};
  guidance.direction = axes(guidance.direction);
  guidance.pose = {
    handle.position + axes(goal.position - reference.position) / parameters_.workspace_scale,
    (ambf_teleop::from_rotation_vector(axes(turn)) * handle.orientation).normalized()};
  return guidance;
}

void DeviceCycle::keep_within_bounds(Guidance & guidance, bool alone) const noexcept
{
  const auto cut = [alone](double & gain, double bound, double felt) {
    gain = std::clamp(bound - (alone ? 0.0 : felt), 0.0, gain);
  };
  const GainBounds & bounds = parameters_.bounds;
  const double scale = parameters_.workspace_scale;
  cut(
    guidance.linear_stiffness, bounds.linear_stiffness, scale * gains_.linear_stiffness.maxCoeff());
  cut(guidance.linear_damping, bounds.linear_damping, scale * gains_.linear_damping.maxCoeff());
  cut(guidance.angular_stiffness, bounds.angular_stiffness, gains_.angular_stiffness.maxCoeff());
  cut(guidance.angular_damping, bounds.angular_damping, gains_.angular_damping.maxCoeff());
}

void DeviceCycle::add_guidance(
  Pull & pull, Guided & guided, const Pose & T_base_handle, double dt) noexcept
{
  // The guide pays for what a standing force did since the last tick, and for springs that it moved.
  if (guided_.guidance.mode == GuidanceMode::Wrench && passivity_.valid) {
    pull.move.supplied += guided_.held.force.dot(T_base_handle.position - passivity_.position);
  }
  if (guided_.guidance.mode == GuidanceMode::Wrench && turn_passivity_.valid) {
    pull.turn.supplied += guided_.held.torque.dot(
      ambf_teleop::rotation_vector(T_base_handle.orientation * handle_seen_.conjugate()));
  }
  const double factor = guided.factor;
  const double energy = factor * guidance_energy(guided.guidance, T_base_handle);
  const double turn_energy = factor * guidance_angular_energy(guided.guidance, T_base_handle);
  pull.move.supplied += energy - guided_.factor * guidance_energy(guided_.guidance, T_base_handle);
  pull.turn.supplied +=
    turn_energy - guided_.factor * guidance_angular_energy(guided_.guidance, T_base_handle);
  if (!(factor > 0.0)) { return; }
  pull.move.stored += energy;
  pull.turn.stored += turn_energy;
  guided.held = guidance_wrench(
    guided.guidance, T_base_handle, handle_before_valid_ ? handle_before_ : T_base_handle, dt);
  guided.held.force *= factor;
  guided.held.torque *= factor;
  pull.wrench.force += guided.held.force;
  pull.wrench.torque += guided.held.torque;
}

}  // namespace ambf_devices
