// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "ambf_devices/stick_driver.hpp"

struct _SDL_GameController;

namespace ambf_device_nodes
{

struct GamepadChoice
{
  int index = 0;     ///< among the gamepads that fit the name
  std::string name;  ///< part of its name; empty: any
};

/// A gamepad through SDL2, found again after it was unplugged. Axes: 0, 1 left stick to the right
/// and down, 2, 3 right stick, 4, 5 triggers. Buttons: 0 A, 1 B, 2 X, 3 Y, 4 back, 5 guide, 6 start,
/// 7, 8 sticks, 9, 10 shoulders, 11 to 14 cross up, down, left, right (SDL's own numbers).
class GamepadDriver : public ambf_devices::StickDriver
{
public:
  GamepadDriver(GamepadChoice choice, ambf_devices::RateHandParameters hand, double rate);
  ~GamepadDriver() override;

  bool open(double time, std::string & why) override;
  void close() noexcept override;
  /// Whether `open` would find it.
  bool is_there() noexcept;
  std::string model() const override { return model_; }
  ambf_devices::DriverStatus poll(double time, ambf_devices::StickInput & input) noexcept override;

private:
  bool start(std::string & why);
  /// SDL's index of the pad that is meant, -1 where there is none; `seen`: all names.
  int find(std::string & seen);

  GamepadChoice choice_;
  _SDL_GameController * pad_ = nullptr;
  bool started_ = false;
  std::string model_ = "gamepad";
};

}  // namespace ambf_device_nodes
