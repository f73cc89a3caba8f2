// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_proxies/proxies.hpp"

#include <algorithm>
#include <cmath>

#include "ambf_teleop/rotation.hpp"

namespace ambf_proxies
{

using ambf_dynamics::World;
using ambf_teleop::DeviceSample;
using ambf_teleop::Pose;
using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace
{

/// Further than a hand moves between two samples, even where some are missing: it is elsewhere.
constexpr double largest_move = 0.1;  // [m]
constexpr double largest_turn = 1.0;  // [rad]
/// A hand is led on evenly for at most so many steps: a device that sends on change only must not
/// be followed late.
constexpr std::uint32_t longest_interval = 50;

Pose body_pose(const World & world, ambf_dynamics::BodyIndex body) noexcept
{
  const double * b = world.state().bodies.data() + body * ambf_dynamics::body_stride;
  return {Vector3d(b[0], b[1], b[2]), Quaterniond(b[6], b[3], b[4], b[5])};
}

bool pressed(const DeviceSample & sample, int button) noexcept
{
  return button >= 0 && button < 32 && ((sample.actions >> button) & 1u) != 0;
}

bool far_away(const Pose & a, const Pose & b) noexcept
{
  return (a.position - b.position).norm() > largest_move ||
         ambf_teleop::angle_between(a.orientation, b.orientation) > largest_turn;
}

}  // namespace

const char * to_string(HandState state) noexcept
{
  switch (state) {
    case HandState::Unbound:
      return "unbound";
    case HandState::Waiting:
      return "waiting for its first sample";
    case HandState::Live:
      return "live";
    case HandState::Lost:
      return "lost";
  }
  return "unknown";
}

const char * problem_of(const DeviceSample & sample) noexcept
{
  if (!ambf_teleop::is_finite(sample.T_base_tip)) {
    return "pose: found a number that is not finite";
  }
  if (std::abs(sample.T_base_tip.orientation.norm() - 1.0) > 1e-3) {
    return "pose.orientation: expected a quaternion of length 1";
  }
  return std::isfinite(sample.gripper) ? nullptr : "gripper: found a number that is not finite";
}

ambf_teleop::DeviceInput Proxies::input(const Device & device) noexcept
{
  const Buttons & buttons = device.binding.buttons;
  const bool clutches = device.changes.mode == HandMode::Clutch;
  return {
    ambf_teleop::handle_in_user(device.binding.offsets, device.shown),
    device.sample.position_clutch || (clutches && pressed(device.sample, buttons.position_clutch)),
    device.sample.camera_clutch || (clutches && pressed(device.sample, buttons.camera_clutch))};
}

void Proxies::take_samples(const World & world, double now) noexcept
{
  for (auto & device : devices_) { take_sample(*device, world, now); }
}

void Proxies::before_step(
  World & world, std::span<Pose> cameras, double now, bool supervised) noexcept
{
  targets_.clear();
  for (auto & camera : owners_) { camera.moved = false; }
  const auto count = static_cast<std::uint32_t>(devices_.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    Device & device = *devices_[i];
    if (
      device.state == HandState::Live && supervised &&
      now - device.heard > device.binding.loss_timeout) {
      lose(i);
    }
    approach(device);
  }
  // All cameras before any reference, so that everybody sees the same views in this step.
  for (std::uint32_t i = 0; i < count; ++i) {
    if (devices_[i]->state == HandState::Live) { move_cameras(i, cameras); }
  }
  const double step = world.parameters().step_size;
  for (std::uint32_t i = 0; i < count; ++i) {
    Device & device = *devices_[i];
    if (device.state == HandState::Live) {
      const Quaterniond view =
        device.cameras.empty() ? Quaterniond::Identity() : cameras[device.cameras[0]].orientation;
      update_reference(device.pair, device.binding.mapping, input(device), view, step);
      if (device.fresh) { aim_gripper(i); }
    } else if (device.state != HandState::Lost || device.binding.on_loss == OnLoss::Release) {
      continue;
    }
    const auto wrench = proxy_wrench(
      device.law, device.errors, body_pose(world, device.body), device.pair.reference, step);
    world.add_body_wrench(device.body, {wrench.force, wrench.torque});
  }
  for (auto & device : devices_) { device->fresh = false; }
}

void Proxies::take_sample(Device & device, const World & world, double now) noexcept
{
  DeviceSample next;
  if (
    !device.box->take(next) || device.state == HandState::Unbound || problem_of(next) != nullptr) {
    return;
  }
  const bool first = device.state == HandState::Waiting;
  if (!first && next.sequence != 0 && next.sequence == device.sample.sequence) { return; }
  next.T_base_tip.orientation.normalize();
  bool elsewhere = first || device.state == HandState::Lost || next.relocated ||
                   next.sequence < device.sample.sequence;
  if (!elsewhere && far_away(next.T_base_tip, device.sample.T_base_tip)) {
    ++device.jumps;
    elsewhere = true;
  }
  const bool held_until_now =
    !first && (device.state == HandState::Live || device.binding.on_loss == OnLoss::Hold);
  if (!held_until_now) {
    device.pair = ambf_teleop::start_pair(body_pose(world, device.body));
    device.errors = {};
  }
  device.interval = elsewhere ? 1 : std::min(device.age + 1, longest_interval);
  device.age = 0;
  // A button that is down when a hand comes was not pressed for this world.
  if (held_until_now && device.state == HandState::Live) {
    press(device, world, next.actions & ~device.sample.actions);
  }
  if (elsewhere) {
    device.shown = next.T_base_tip;
    forget_handle(device.pair);
    for (auto & frames : device.frames) { frames.started = false; }
  }
  device.sample = next;
  device.state = HandState::Live;
  device.heard = now;
  device.fresh = true;
  ++device.samples;
}

void Proxies::press(Device & device, const World & world, std::uint32_t pressed) noexcept
{
  if (pressed == 0) { return; }
  const HandChanges before = device.changes;
  device.changes = after_press(before, device.binding.buttons, pressed);
  device.law.gains = with_changes(device.found, device.changes);
  if (raises(device.changes, before) && !bearable(device, world)) {
    device.changes = before;
    device.law.gains = with_changes(device.found, device.changes);
  }
}

void Proxies::approach(Device & device) noexcept
{
  if (!device.fresh) { ++device.age; }
  if (device.age + 1 >= device.interval) {
    device.shown = device.sample.T_base_tip;
    return;
  }
  const double part = 1.0 / static_cast<double>(device.interval - device.age);
  const Pose & goal = device.sample.T_base_tip;
  device.shown.position += part * (goal.position - device.shown.position);
  device.shown.orientation = device.shown.orientation.slerp(part, goal.orientation).normalized();
}

Pose Proxies::reference_of_sample(
  const Device & device, const Quaterniond & R_world_camera) noexcept
{
  const auto & pair = device.pair;
  const auto hand = input(device);
  const Pose goal = ambf_teleop::handle_in_user(device.binding.offsets, device.sample.T_base_tip);
  const bool arrived = goal.position == pair.handle.position &&
                       goal.orientation.coeffs() == pair.handle.orientation.coeffs();
  if (!pair.anchored || hand.position_clutch || hand.camera_clutch || arrived) {
    return pair.reference;
  }
  return ambf_teleop::extrapolate_reference(
    pair.reference, pair.handle, goal, R_world_camera, device.binding.mapping.workspace_scale);
}

void Proxies::lose(std::uint32_t index) noexcept
{
  Device & device = *devices_[index];
  device.state = HandState::Lost;
  device.camera_held_by = ambf_teleop::nobody;
  for (const std::uint32_t camera : device.cameras) {
    claim_camera(owners_[camera].owner, index, false);
  }
  if (device.binding.on_loss == OnLoss::Release) {
    for (const auto joint : device.joints) { targets_.push_back({joint, true, 0.0, index}); }
  }
}

void Proxies::move_cameras(std::uint32_t index, std::span<Pose> cameras) noexcept
{
  Device & device = *devices_[index];
  const auto hand = input(device);
  device.camera_held_by = ambf_teleop::nobody;
  for (std::size_t i = 0; i < device.cameras.size(); ++i) {
    Camera & camera = owners_[device.cameras[i]];
    Pose & pose = cameras[device.cameras[i]];
    const bool owned = claim_camera(camera.owner, index, hand.camera_clutch);
    if (hand.camera_clutch && !owned) { device.camera_held_by = camera.owner.device; }
    if (update_camera(device.frames[i], device.binding.camera, hand, pose, owned)) {
      pose = device.frames[i].camera;
      camera.moved = true;
    }
  }
}

void Proxies::aim_gripper(std::uint32_t index) noexcept
{
  Device & device = *devices_[index];
  double opening = device.sample.gripper;
  if (device.binding.buttons.close_gripper >= 0) {
    opening = pressed(device.sample, device.binding.buttons.close_gripper) ? 0.0 : 1.0;
  }
  opening = std::clamp(opening + device.changes.opening, 0.0, 1.0);
  ambf_teleop::gripper_targets(opening, device.ranges, device.positions);
  for (std::size_t i = 0; i < device.joints.size(); ++i) {
    targets_.push_back({device.joints[i], false, device.positions[i], index});
  }
}

void Proxies::read(
  const World & world, std::span<const Pose> cameras, std::vector<ProxyReading> & out) const
{
  out.resize(devices_.size());
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    const Device & device = *devices_[i];
    ProxyReading & reading = out[i];
    reading = {};
    reading.state = device.state;
    reading.samples = device.samples;
    reading.jumps = device.jumps;
    reading.camera_held_by = device.camera_held_by;
    reading.mode = device.changes.mode;
    reading.proxy.clutch_actions = clutch_actions(device.binding.buttons, device.changes.mode);
    reading.proxy.haptic_linear_change = device.changes.haptic_linear;
    reading.proxy.haptic_angular_change = device.changes.haptic_angular;
    if (!device.cameras.empty()) {
      reading.T_world_camera = cameras[device.cameras[0]];
      reading.proxy.R_world_camera = reading.T_world_camera.orientation;
    }
    if (device.state == HandState::Unbound) { continue; }
    const Pose pose = body_pose(world, device.body);
    reading.proxy.T_world_proxy = pose;
    const bool held = device.state == HandState::Live ||
                      (device.state == HandState::Lost && device.binding.on_loss == OnLoss::Hold);
    reading.T_world_setpoint = held ? device.pair.reference : pose;
    reading.proxy.T_world_reference = reading.T_world_setpoint;
    if (device.state == HandState::Live) {
      reading.proxy.T_world_reference = reference_of_sample(device, reading.proxy.R_world_camera);
      reading.proxy.device_sequence = device.sample.sequence;
    }
    const double * b = world.state().bodies.data() + device.body * ambf_dynamics::body_stride;
    reading.twist = {Vector3d(b[7], b[8], b[9]), Vector3d(b[10], b[11], b[12])};
    const auto is_part = [&](std::uint32_t body) {
      return body < device.members.size() && device.members[body] != 0;
    };
    for (const auto & contact : world.state().contacts) {
      const bool a = is_part(contact.body_a);
      if (a == is_part(contact.body_b)) {
        continue;  // foreign, or between two parts of the proxy
      }
      const Vector3d force = a ? contact.force : Vector3d(-contact.force);
      reading.contact.force += force;
      reading.contact.torque += (contact.position - pose.position).cross(force);
    }
  }
}

std::uint32_t Proxies::live() const noexcept
{
  std::uint32_t count = 0;
  for (const auto & device : devices_) { count += device->state == HandState::Live ? 1u : 0u; }
  return count;
}

void Proxies::restart_clock(double now) noexcept
{
  for (auto & device : devices_) { device->heard = now; }
}

void Proxies::forget() noexcept
{
  for (auto & device : devices_) {
    if (device->state != HandState::Unbound) { device->state = HandState::Waiting; }
    DeviceSample late;
    device->box->take(late);
    device->sample = {};
    device->fresh = false;
    device->age = 0;
    device->interval = 1;
    device->errors = {};
    device->changes = {};
    device->law.gains = device->found;
    device->frames.assign(device->frames.size(), {});
  }
  for (auto & camera : owners_) { camera = {}; }
}

}  // namespace ambf_proxies
