// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "ambf_devices/stick_driver.hpp"

struct SDL_Window;
union SDL_Event;

namespace ambf_device_nodes
{

/// Keyboard and mouse through a small SDL2 window that has to have the focus. Keys as axes: 0 S and
/// W, 1 D and A, 2 R and F, 3 O and U, 4 K and I, 5 J and L, so that mode
/// "x=+0 y=+1 z=+2 rx=+3 ry=+4 rz=+5" has all six degrees of freedom. The mouse, while its left
/// button is held, moves the hand in the plane of the picture, its wheel along the view. Buttons: 0
/// space, 1 C, 2 G, 3 H, 4 home, 5 to 12 the digits 1 to 8.
class KeyboardDriver : public ambf_devices::StickDriver
{
public:
  KeyboardDriver(
    std::string title, double metres_per_pixel, ambf_devices::RateHandParameters hand, double rate);
  ~KeyboardDriver() override;

  bool open(double time, std::string & why) override;
  void close() noexcept override;
  std::string model() const override { return "keyboard and mouse"; }
  ambf_devices::DriverStatus poll(double time, ambf_devices::StickInput & input) noexcept override;

private:
  void take(const SDL_Event & event, ambf_devices::StickInput & input) noexcept;
  void take_key(int key, bool down) noexcept;

  std::string title_;
  double metres_per_pixel_;
  SDL_Window * window_ = nullptr;
  bool started_ = false;
  bool closed_ = false;
  std::uint32_t positive_ = 0, negative_ = 0;  // keys of the axes that are down
  std::uint32_t buttons_ = 0;
};

}  // namespace ambf_device_nodes
