// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_devices/mock_driver.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include "ambf_teleop/rotation.hpp"

namespace ambf_devices
{
namespace
{

void sleep(double seconds)
{
  if (seconds > 0.0) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }
}

constexpr double blocked_for = 0.020;

}  // namespace

void WorldClock::set(double world_time) noexcept
{
  if (!std::isfinite(world_time)) { return; }
  if (at_first_ && (start_ < 0.0 || world_time < start_)) { start_ = std::max(world_time, 0.0); }
  elapsed_ = std::max(world_time - start_, 0.0);
}

MockDriver::MockDriver(MockParameters parameters)
: parameters_(std::move(parameters)), random_(parameters_.seed)
{
}

bool MockDriver::open(double time, std::string & why)
{
  if (faulty(time, MockFault::Lost)) {
    why = "the mock device is scripted to be away";
    return false;
  }
  return true;
}

void MockDriver::close() noexcept { force_.setZero(); }

Capabilities MockDriver::capabilities() const
{
  Capabilities can;
  can.model = "mock";
  can.rate = parameters_.rate;
  can.force = parameters_.force;
  can.torque = parameters_.force;
  can.gripper = true;
  can.filtered = !parameters_.recording.empty() && parameters_.faults.empty();
  return can;
}

DriverStatus MockDriver::read(double time, DriverState & state) noexcept
{
  std::uniform_real_distribution<double> share(0.0, 1.0);
  sleep(parameters_.blocking_read);
  if (parameters_.jitter > 0.0) { sleep(parameters_.jitter * share(random_)); }
  if (faulty(time, MockFault::Blocked)) { sleep(blocked_for); }
  if (faulty(time, MockFault::Lost)) { return DriverStatus::Lost; }
  if (
    faulty(time, MockFault::NothingNew) ||
    (parameters_.dropout > 0.0 && share(random_) < parameters_.dropout)) {
    return DriverStatus::NothingNew;
  }
  state = undisturbed(motion_time(time));
  state.T_base_tip.position += parameters_.hand_compliance * force_;
  if (faulty(time, MockFault::NotFinite)) {
    state.T_base_tip.position.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  if (faulty(time, MockFault::NotUnit)) { state.T_base_tip.orientation.coeffs() *= 1.2; }
  if (faulty(time, MockFault::Jump)) { state.T_base_tip.position.x() += 1.0; }
  return DriverStatus::Ok;
}

double MockDriver::motion_time(double time) noexcept
{
  const double now = parameters_.clock ? parameters_.clock->elapsed() : time;
  if (!parameters_.waits) { return now; }
  if (!begun_) { return 0.0; }
  if (!(began_at_ <= now)) {
    began_at_ = now;  // the first time, and after the world was reset
  }
  return now - began_at_;
}

DriverState MockDriver::replayed(double time) noexcept
{
  const Recording & recording = parameters_.recording;
  const double length = recording.back().time - recording.front().time;
  const double along =
    recording.front().time + (parameters_.repeat && length > 0.0 ? std::fmod(time, length) : time);
  const std::size_t before = recorded_;
  recorded_ = state_at(recording, along, recorded_);
  DriverState state = between_states(recording, along, recorded_);
  // Also when such a state was passed between two readings, and when the recording starts again.
  state.relocated = along < replayed_at_;
  for (std::size_t i = before + 1; i <= recorded_; ++i) {
    state.relocated = state.relocated || recording[i].state.relocated;
  }
  replayed_at_ = along;
  return state;
}

DriverState MockDriver::undisturbed(double time) noexcept
{
  if (!parameters_.recording.empty()) { return replayed(time); }

  const ambf_teleop::TestTrajectory & path = parameters_.trajectory;
  DriverState state;
  state.T_base_tip.position = trajectory_position(path, time);
  state.twist.linear = trajectory_velocity(path, time);
  const double phase = path.angular_rate * time;
  // About a fixed axis: the angular velocity is the derivative of the vector.
  state.T_base_tip.orientation =
    ambf_teleop::from_rotation_vector(std::sin(phase) * parameters_.wobble);
  state.twist.angular = path.angular_rate * std::cos(phase) * parameters_.wobble;
  for (const ScriptEntry & entry : parameters_.script) {
    if (entry.time > time) { break; }
    state.gripper = entry.gripper;
    state.position_clutch = entry.position_clutch;
    state.camera_clutch = entry.camera_clutch;
    state.actions = entry.actions;
  }
  return state;
}

DriverStatus MockDriver::write(double time, const ambf_teleop::Wrench & wrench) noexcept
{
  if (!parameters_.force) { return DriverStatus::Unsupported; }
  sleep(parameters_.blocking_write);
  force_ = wrench.force;
  const double size = wrench.force.norm();
  last_force_ = size;
  largest_force_ = std::max(largest_force_.load(), size);
  last_write_time_ = time;
  ++writes_;
  return DriverStatus::Ok;
}

bool MockDriver::faulty(double time, MockFault fault) const noexcept
{
  return std::any_of(
    parameters_.faults.begin(), parameters_.faults.end(), [&](const FaultEntry & entry) {
      return entry.fault == fault && time >= entry.from && time < entry.until;
    });
}

}  // namespace ambf_devices
