// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "gamepad_driver.hpp"
#include "keyboard_driver.hpp"

namespace ambf_device_nodes
{

/// A gamepad where there is one, else keyboard and mouse; a pad that is plugged in later takes over.
class AnyStickDriver : public ambf_devices::Driver
{
public:
  AnyStickDriver(
    GamepadChoice choice, ambf_devices::RateHandParameters pad_hand, std::string title,
    double metres_per_pixel, ambf_devices::RateHandParameters key_hand, double rate);

  bool open(double time, std::string & why) override;
  void close() noexcept override;
  ambf_devices::Capabilities capabilities() const override;
  ambf_devices::DriverStatus read(double time, ambf_devices::DriverState & state) noexcept override;
  ambf_devices::DriverStatus write(
    double time, const ambf_teleop::Wrench & wrench) noexcept override;

private:
  GamepadDriver pad_;
  KeyboardDriver keyboard_;
  ambf_devices::StickDriver * chosen_ = nullptr;
  double looked_at_ = 0.0;  // for a pad [s]
};

}  // namespace ambf_device_nodes
