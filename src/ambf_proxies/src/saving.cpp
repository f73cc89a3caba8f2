// SPDX-License-Identifier: BSD-3-Clause
// Everything that the next step reads of the hands, as one row of numbers.

#include <bit>

#include "ambf_proxies/proxies.hpp"

namespace ambf_proxies
{
namespace
{

using ambf_teleop::Pose;

/// Visits numbers in one order for both ways.
template <typename One>
struct Numbers
{
  One one;

  void operator()(double & value) { one(value); }
  void operator()(bool & value) { through<double>(value); }
  void operator()(std::uint32_t & value) { through<double>(value); }
  void operator()(std::uint64_t & value)
  {
    double bits = std::bit_cast<double>(value);
    one(bits);
    value = std::bit_cast<std::uint64_t>(bits);
  }
  void operator()(Eigen::Vector3d & v)
  {
    for (double & value : v) { one(value); }
  }
  void operator()(Eigen::Quaterniond & q)
  {
    for (double & value : q.coeffs()) { one(value); }
  }
  void operator()(Pose & pose)
  {
    (*this)(pose.position);
    (*this)(pose.orientation);
  }
  template <typename... Values>
  void all(Values &... values)
  {
    ((*this)(values), ...);
  }
  template <typename Enum>
  void word(Enum & value)
  {
    through<std::uint32_t>(value);
  }

private:
  template <typename Carrier, typename Value>
  void through(Value & value)
  {
    auto number = static_cast<double>(static_cast<Carrier>(value));
    one(number);
    value = static_cast<Value>(static_cast<Carrier>(number));
  }
};

}  // namespace

template <typename Archive>
void Proxies::archive(Archive & numbers)
{
  for (auto & held : devices_) {
    Device & device = *held;
    numbers.word(device.state);
    auto & s = device.sample;
    numbers.all(s.T_base_tip, s.gripper, s.position_clutch, s.camera_clutch, s.actions, s.sequence);
    numbers.all(device.shown, device.interval, device.age, device.fresh);
    auto & pair = device.pair;
    numbers.all(pair.reference, pair.reference_origin, pair.handle_clutch, pair.handle);
    numbers.all(pair.alignment, pair.R_world_camera, pair.anchored);
    numbers.all(pair.mapping.workspace_scale, pair.mapping.proxy_tip, pair.mapping.realign_rate);
    numbers.word(pair.mapping.orientation);
    auto & c = device.changes;
    numbers.word(c.mode);
    numbers.all(c.opening, c.proxy_linear_stiffness, c.proxy_angular_stiffness);
    numbers.all(c.proxy_linear_damping, c.proxy_angular_damping, c.haptic_linear, c.haptic_angular);
    numbers.all(device.errors.linear, device.errors.angular, device.errors.valid);
    for (auto & f : device.frames) {
      numbers.all(f.camera, f.camera_pre_clutch, f.handle_pre_clutch, f.handle_position);
      numbers.all(f.moving, f.started);
    }
  }
  for (auto & camera : owners_) { numbers(camera.owner.device); }
}

std::vector<double> Proxies::save() const
{
  std::vector<double> saved;
  Numbers writer{[&](double & value) { saved.push_back(value); }};
  // One function for both ways; writing changes nothing.
  const_cast<Proxies *>(this)->archive(writer);
  return saved;
}

bool Proxies::restore(std::span<const double> saved)
{
  if (saved.size() != save().size()) { return false; }
  std::vector<HandState> now;
  for (const auto & device : devices_) { now.push_back(device->state); }
  Numbers reader{[&, next = saved.begin()](double & value) mutable { value = *next++; }};
  archive(reader);
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    ambf_teleop::DeviceSample late;
    devices_[i]->box->take(late);
    devices_[i]->law.gains = with_changes(devices_[i]->found, devices_[i]->changes);
    HandState & state = devices_[i]->state;
    if (now[i] == HandState::Unbound) {
      state = HandState::Unbound;
    } else if (state == HandState::Unbound) {
      state = HandState::Waiting;
    }
  }
  return true;
}

}  // namespace ambf_proxies
