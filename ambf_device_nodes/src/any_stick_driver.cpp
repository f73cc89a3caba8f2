// SPDX-License-Identifier: BSD-3-Clause
#include "any_stick_driver.hpp"

#include <utility>

namespace ambf_device_nodes
{

using ambf_devices::DriverStatus;

AnyStickDriver::AnyStickDriver(
  GamepadChoice choice, ambf_devices::RateHandParameters pad_hand, std::string title,
  double metres_per_pixel, ambf_devices::RateHandParameters key_hand, double rate)
: pad_(std::move(choice), std::move(pad_hand), rate),
  keyboard_(std::move(title), metres_per_pixel, std::move(key_hand), rate)
{
}

bool AnyStickDriver::open(double time, std::string & why)
{
  std::string no_pad, no_keys;
  chosen_ = nullptr;
  if (pad_.open(time, no_pad)) {
    chosen_ = &pad_;
  } else if (keyboard_.open(time, no_keys)) {
    chosen_ = &keyboard_;
  }
  looked_at_ = time;
  why = no_pad + "; keyboard instead: " + no_keys;
  return chosen_ != nullptr;
}

void AnyStickDriver::close() noexcept
{
  if (chosen_ != nullptr) { chosen_->close(); }
  chosen_ = nullptr;
}

ambf_devices::Capabilities AnyStickDriver::capabilities() const
{
  if (chosen_ == nullptr) { return {}; }
  auto can = chosen_->capabilities();
  if (chosen_ == &keyboard_) { can.model += " in a window of its own, for there is no gamepad"; }
  return can;
}

DriverStatus AnyStickDriver::read(double time, ambf_devices::DriverState & state) noexcept
{
  constexpr double look_every = 1.0;
  if (chosen_ == &keyboard_ && time - looked_at_ > look_every) {
    looked_at_ = time;
    if (pad_.is_there()) { return DriverStatus::Lost; }  // the next opening finds it
  }
  return chosen_ == nullptr ? DriverStatus::Lost : chosen_->read(time, state);
}

DriverStatus AnyStickDriver::write(double, const ambf_teleop::Wrench &) noexcept
{
  return DriverStatus::Unsupported;
}

}  // namespace ambf_device_nodes
