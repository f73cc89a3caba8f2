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
using Eigen::Vector3d;

namespace
{

/// A stiffness that somebody changed while it is felt: within the bound; an axis that is not felt
/// stays so.
Vector3d changed(const Vector3d & stiffness, double change, double bound) noexcept
{
  if (change == 0.0) { return stiffness; }
  const auto one = [=](double own) {
    return own > 0.0 ? std::clamp(own + change, 0.0, std::max(own, bound)) : 0.0;
  };
  return {one(stiffness.x()), one(stiffness.y()), one(stiffness.z())};
}

}  // namespace

DeviceCycle::DeviceCycle(const CycleParameters & parameters)
: parameters_(parameters), gains_(parameters.gains)
{
}

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
    !is_rotation(proxy.T_world_reference.orientation) || !is_rotation(proxy.R_world_camera) ||
    !std::isfinite(proxy.haptic_linear_change) || !std::isfinite(proxy.haptic_angular_change)) {
    return false;
  }
  proxy_ = proxy;
  proxy_.T_world_proxy.orientation.normalize();
  proxy_.T_world_reference.orientation.normalize();
  proxy_.R_world_camera.normalize();
  proxy_time_ = time;
  has_proxy_ = true;
  gains_.linear_stiffness = changed(
    parameters_.gains.linear_stiffness, proxy.haptic_linear_change,
    parameters_.bounds.linear_stiffness / parameters_.workspace_scale);
  gains_.angular_stiffness = changed(
    parameters_.gains.angular_stiffness, proxy.haptic_angular_change,
    parameters_.bounds.angular_stiffness);
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
  const bool world_fresh = proxy_age < until;
  const Guided guided = reading_fresh ? guidance_now(time, world_fresh) : Guided{};
  if (reading_fresh && (world_fresh || guided.factor > 0.0)) {
    sent_ = force(time, dt, world_fresh, guided);
  } else {
    forget_force();  // at once: safety goes before the slew limit
  }
  result.guided = guided.factor > 0.0 && !is_free();
  result.sample.guided = result.guided;

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
  actions_ = state.actions;
  reading_time_ = time;
  ++sequence_;
  handles_[sequence_ % handles_.size()] = {sequence_, handle_, time};
  if (relocated || is_free()) {
    engaged_since_ = {sequence_, handle_, time};
    errors_ = {};
    passivity_ = {};
    turn_passivity_ = {};
  }
}

bool DeviceCycle::is_free() const noexcept
{
  return position_clutch_ || camera_clutch_ || (actions_ & proxy_.clutch_actions) != 0;
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

Wrench DeviceCycle::force(double time, double dt, bool world_fresh, const Guided & guided) noexcept
{
  if (is_free()) {
    proxy_seen_valid_ = handle_before_valid_ = false;
    guided_ = {};
    return limited(parameters_.limits, Wrench{}, sent_, dt);
  }
  const ambf_teleop::FeedbackFrames frames{
    parameters_.offsets, filter_.last.T_base_tip, proxy_.R_world_camera};
  const Pose T_base_handle = frames.T_base_tip * frames.offsets.tip;
  const bool replaces = guided.factor > 0.0 && command_.replaces;
  if (replaces != replaced_) {
    // The springs that are felt from now on are others: what they hold is taken as paid for.
    passivity_ = {};
    turn_passivity_ = {};
    replaced_ = replaces;
  }
  Pull pull;
  if (world_fresh && !replaces) {
    pull = feedback(frames, time, dt);
  } else {
    errors_ = {};
    proxy_seen_valid_ = false;
  }
  Guided now = guided;
  add_guidance(pull, now, T_base_handle, dt);

  Wrench wrench = pull.wrench;
  if (parameters_.passivity.enabled) {
    wrench = made_passive(pull, now.factor > 0.0, T_base_handle, dt);
  }
  const Wrench sent = limited(parameters_.limits, at_tip(frames, wrench), sent_, dt);
  note_sent_force(passivity_, sent.force);
  // The lever arm's share of the torque belongs to the force.
  const Vector3d turning = sent.torque - at_tip(frames, {sent.force, {0, 0, 0}}).torque;
  note_sent_force(turn_passivity_, turning);
  const auto share = [](const Vector3d & given, const Vector3d & wanted) {
    const double size = wanted.norm();
    return size > 0.0 ? std::min(1.0, given.norm() / size) : 0.0;
  };
  now.held.force *= share(sent.force, wrench.force);
  now.held.torque *= share(turning, wrench.torque);
  guided_ = now;
  handle_before_ = T_base_handle;
  handle_before_valid_ = true;
  return sent;
}

DeviceCycle::Pull DeviceCycle::feedback(
  const ambf_teleop::FeedbackFrames & frames, double time, double dt) noexcept
{
  const double factor =
    ambf_teleop::freshness(time - proxy_time_ + hold_, parameters_.fade_from, parameters_.timeout);
  Pull pull;
  pull.wrench = feedback_wrench(gains_, errors_, frames, proxy_.T_world_proxy, reference_now(), dt);
  pull.wrench.force *= factor;
  pull.wrench.torque *= factor;
  // In the hand's units: the world moved its end of the spring by the proxy's step over the scale.
  pull.move.stored = factor * stored_energy(gains_, errors_, parameters_.workspace_scale);
  pull.turn.stored = factor * stored_angular_energy(gains_, errors_);
  if (proxy_seen_valid_) {
    const auto to_base = [&frames](const Vector3d & v) {
      return world_to_base_axes(frames.offsets, frames.R_world_camera, v);
    };
    const Pose & now = proxy_.T_world_proxy;
    pull.move.supplied =
      (passivity_.force - guided_.held.force).dot(to_base(now.position - proxy_seen_.position)) /
      parameters_.workspace_scale;
    pull.turn.supplied = (turn_passivity_.force - guided_.held.torque)
                           .dot(to_base(ambf_teleop::rotation_vector(
                             now.orientation * proxy_seen_.orientation.conjugate())));
  }
  proxy_seen_ = proxy_.T_world_proxy;
  proxy_seen_valid_ = true;
  return pull;
}

Wrench DeviceCycle::made_passive(
  const Pull & pull, bool guided, const Pose & T_base_handle, double dt) noexcept
{
  if (!turn_passivity_.valid) {
    turned_.setZero();
    handle_seen_ = T_base_handle.orientation;
  }
  turned_ += ambf_teleop::rotation_vector(T_base_handle.orientation * handle_seen_.conjugate());
  handle_seen_ = T_base_handle.orientation;
  // A hand feels the axes that have gains, and no others.
  const auto felt = [guided](const Vector3d & stiffness, const Vector3d & damping) {
    return guided ? Vector3d(Vector3d::Ones())
                  : Vector3d(
                      (stiffness.array() != 0.0 || damping.array() != 0.0).cast<double>().matrix());
  };
  ambf_teleop::PassivityParameters move = parameters_.passivity;
  move.axes = felt(gains_.linear_stiffness, gains_.linear_damping);
  const ambf_teleop::PassivityParameters turn{
    true, parameters_.passivity_angular_damping, parameters_.passivity.max_credit,
    felt(gains_.angular_stiffness, gains_.angular_damping)};
  return {
    passive_force(move, passivity_, T_base_handle.position, pull.wrench.force, pull.move, dt),
    passive_force(turn, turn_passivity_, turned_, pull.wrench.torque, pull.turn, dt)};
}

void DeviceCycle::forget_force() noexcept
{
  sent_ = {};
  errors_ = {};
  passivity_ = {};
  turn_passivity_ = {};
  guided_ = {};
  proxy_seen_valid_ = handle_before_valid_ = false;
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
