// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_devices/device_cycle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ambf_teleop/position_clutch.hpp"
#include "ambf_teleop/rotation.hpp"

namespace ambf_devices
{

using ambf_teleop::Pose;
using ambf_teleop::ReadingVerdict;
using ambf_teleop::Wrench;

DeviceCycle::DeviceCycle(const CycleParameters & parameters) : parameters_(parameters) {}

void DeviceCycle::limit_to(double max_force, double max_torque) noexcept
{
  parameters_.limits.max_force = std::min(parameters_.limits.max_force, max_force);
  parameters_.limits.max_torque = std::min(parameters_.limits.max_torque, max_torque);
}

void DeviceCycle::believe_jumps() noexcept
{
  constexpr double any = std::numeric_limits<double>::infinity();
  parameters_.reading.max_speed = parameters_.reading.max_angular_speed = any;
  parameters_.reading.longest_gap = any;
}

bool DeviceCycle::take_proxy(const ProxySample & proxy, double time) noexcept
{
  constexpr double unit_tolerance = 1e-3;
  const auto is_rotation = [](const Eigen::Quaterniond & q) {
    return std::abs(q.norm() - 1.0) < unit_tolerance;  // false for NaN
  };
  if (
    !proxy.T_world_proxy.position.allFinite() || !proxy.T_world_reference.position.allFinite() ||
    !is_rotation(proxy.T_world_proxy.orientation) ||
    !is_rotation(proxy.T_world_reference.orientation) || !is_rotation(proxy.R_world_camera)) {
    return false;
  }
  proxy_ = proxy;
  proxy_.T_world_proxy.orientation.normalize();
  proxy_.T_world_reference.orientation.normalize();
  proxy_.R_world_camera.normalize();
  proxy_time_ = time;
  has_proxy_ = true;
  return true;
}

CycleResult DeviceCycle::tick(double time, bool fresh, const DriverState & state) noexcept
{
  CycleResult result;
  const double dt = ticked_ ? time - last_time_ : 0.0;
  last_time_ = time;
  ticked_ = true;

  if (fresh) {
    // A hand that is elsewhere is judged and anchored like the first reading.
    filter_.started = filter_.started && !state.relocated;
    const bool first = !filter_.started;
    result.verdict = accept_reading(
      filter_, parameters_.reading,
      {state.T_base_tip, state.twist, state.gripper, time, ++reading_});
    if (usable(result.verdict)) {
      const bool relocated = first || result.verdict == ReadingVerdict::Relocated;
      accept(state, relocated, time);
      result.has_sample = true;
      result.sample = {filter_.last.T_base_tip, filter_.last.twist, filter_.last.gripper,
                       position_clutch_,        camera_clutch_,     relocated,
                       state.actions,           sequence_,          time};
    }
  }

  const double proxy_age = has_proxy_ ? time - proxy_time_ : parameters_.timeout;
  result.proxy_fresh = proxy_age < parameters_.timeout;
  const double until = parameters_.timeout - hold_;
  const bool reading_fresh = sequence_ > 0 && time - reading_time_ < until;
  if (proxy_age < until && reading_fresh) {
    sent_ = feedback(time, dt);
  } else {
    forget_force();  // at once: safety goes before the slew limit
  }

  const Wrench weight = gravity_wrench(parameters_.gravity, filter_.last.T_base_tip);
  result.wrench = {
    ambf_teleop::saturated(sent_.force + weight.force, parameters_.limits.max_force),
    ambf_teleop::saturated(sent_.torque + weight.torque, parameters_.limits.max_torque)};
  return result;
}

void DeviceCycle::accept(const DriverState & state, bool relocated, double time) noexcept
{
  handle_ = handle_in_user(parameters_.offsets, filter_.last.T_base_tip);
  position_clutch_ = state.position_clutch;
  camera_clutch_ = state.camera_clutch;
  reading_time_ = time;
  ++sequence_;
  handles_[sequence_ % handles_.size()] = {sequence_, handle_, time};
  if (relocated || position_clutch_ || camera_clutch_) {
    engaged_since_ = {sequence_, handle_, time};
    errors_ = {};
    passivity_ = {};
    turn_passivity_ = {};
  }
}

Pose DeviceCycle::reference_now() const noexcept
{
  const std::uint64_t then = proxy_.device_sequence;
  if (then == 0) { return proxy_.T_world_reference; }
  // A reference from before the release rests where the clutch left it.
  const SentHandle & sent =
    then < engaged_since_.sequence ? engaged_since_ : handles_[then % handles_.size()];
  if (then >= engaged_since_.sequence && sent.sequence != then) { return proxy_.T_world_reference; }
  return ambf_teleop::extrapolate_reference(
    proxy_.T_world_reference, sent.handle, handle_, proxy_.R_world_camera,
    parameters_.workspace_scale);
}

Wrench DeviceCycle::feedback(double time, double dt) noexcept
{
  if (position_clutch_ || camera_clutch_) {
    proxy_seen_valid_ = false;
    return limited(parameters_.limits, Wrench{}, sent_, dt);
  }
  const ambf_teleop::FeedbackFrames frames{
    parameters_.offsets, filter_.last.T_base_tip, proxy_.R_world_camera};
  const double factor =
    ambf_teleop::freshness(time - proxy_time_ + hold_, parameters_.fade_from, parameters_.timeout);

  Wrench wrench =
    feedback_wrench(parameters_.gains, errors_, frames, proxy_.T_world_proxy, reference_now(), dt);
  wrench.force *= factor;
  wrench.torque *= factor;

  if (parameters_.passivity.enabled) { wrench = made_passive(frames, wrench, factor, dt); }
  proxy_seen_ = proxy_.T_world_proxy;
  proxy_seen_valid_ = true;

  const Wrench sent = limited(parameters_.limits, at_tip(frames, wrench), sent_, dt);
  note_sent_force(passivity_, sent.force);
  // The lever arm's share of the torque belongs to the force.
  note_sent_force(turn_passivity_, sent.torque - at_tip(frames, {sent.force, {0, 0, 0}}).torque);
  return sent;
}

Wrench DeviceCycle::made_passive(
  const ambf_teleop::FeedbackFrames & frames, const Wrench & wrench, double factor,
  double dt) noexcept
{
  // In the hand's units: the world moved its end of the spring by the proxy's step over the scale.
  ambf_teleop::VirtualEnergy energy, turn_energy;
  energy.stored = factor * stored_energy(parameters_.gains, errors_, parameters_.workspace_scale);
  turn_energy.stored = factor * stored_angular_energy(parameters_.gains, errors_);
  if (proxy_seen_valid_) {
    const auto in_base = [&frames](const Eigen::Vector3d & v) {
      return world_to_base_axes(frames.offsets, frames.R_world_camera, v);
    };
    const Pose & now = proxy_.T_world_proxy;
    energy.supplied = passivity_.force.dot(in_base(now.position - proxy_seen_.position)) /
                      parameters_.workspace_scale;
    turn_energy.supplied = turn_passivity_.force.dot(
      in_base(ambf_teleop::rotation_vector(now.orientation * proxy_seen_.orientation.conjugate())));
  }
  const Pose T_base_handle = frames.T_base_tip * frames.offsets.tip;
  if (!turn_passivity_.valid) {
    turned_.setZero();
    handle_seen_ = T_base_handle.orientation;
  }
  turned_ += ambf_teleop::rotation_vector(T_base_handle.orientation * handle_seen_.conjugate());
  handle_seen_ = T_base_handle.orientation;
  // A hand feels the axes that have gains, and no others.
  const auto felt = [](const Eigen::Vector3d & stiffness, const Eigen::Vector3d & damping) {
    return Eigen::Vector3d(
      (stiffness.array() != 0.0 || damping.array() != 0.0).cast<double>().matrix());
  };
  const ambf_teleop::FeedbackGains & gains = parameters_.gains;
  ambf_teleop::PassivityParameters move = parameters_.passivity;
  move.axes = felt(gains.linear_stiffness, gains.linear_damping);
  const ambf_teleop::PassivityParameters turn{
    true, parameters_.passivity_angular_damping, parameters_.passivity.max_credit,
    felt(gains.angular_stiffness, gains.angular_damping)};
  return {
    passive_force(move, passivity_, T_base_handle.position, wrench.force, energy, dt),
    passive_force(turn, turn_passivity_, turned_, wrench.torque, turn_energy, dt)};
}

void DeviceCycle::forget_force() noexcept
{
  sent_ = {};
  errors_ = {};
  passivity_ = {};
  turn_passivity_ = {};
  proxy_seen_valid_ = false;
}

double DeviceCycle::round_trip(double time) const noexcept
{
  const SentHandle & sent = handles_[proxy_.device_sequence % handles_.size()];
  const bool known = proxy_.device_sequence > 0 && sent.sequence == proxy_.device_sequence;
  return known ? time - sent.time : -1.0;
}

void DeviceCycle::device_lost() noexcept
{
  forget_force();
  filter_ = {};
  reading_time_ = -parameters_.timeout;
  // The next reading may be anywhere: it is judged and anchored like the first.
  engaged_since_ = {sequence_ + 1, handle_, 0.0};
  ticked_ = false;
}

}  // namespace ambf_devices
