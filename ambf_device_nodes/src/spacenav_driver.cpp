// SPDX-License-Identifier: BSD-3-Clause
#include "spacenav_driver.hpp"

#include <spnav.h>
#include <sys/socket.h>

#include <atomic>
#include <utility>

namespace ambf_device_nodes
{

using ambf_devices::DriverStatus;

namespace
{
std::atomic<bool> taken{false};  // the library has one connection per process
}

SpaceNavDriver::SpaceNavDriver(
  double full_deflection, ambf_devices::RateHandParameters hand, double rate)
: StickDriver(std::move(hand), rate), full_deflection_(full_deflection)
{
}

bool SpaceNavDriver::open(double time, std::string & why)
{
  if (taken.exchange(true)) {
    why = "another device of this process has the space mouse; use a process each";
    return false;
  }
  if (spnav_open() == -1) {
    taken = false;
    why =
      "the daemon spacenavd does not answer; install and start it (package spacenavd), it is tried "
      "again";
    return false;
  }
  open_ = true;
  release(time);
  moved_ = time;
  return true;
}

void SpaceNavDriver::close() noexcept
{
  if (!open_) { return; }
  spnav_close();
  open_ = false;
  taken = false;
}

DriverStatus SpaceNavDriver::poll(double time, ambf_devices::StickInput & input) noexcept
{
  spnav_event event;
  while (spnav_poll_event(&event) != 0) {
    if (event.type == SPNAV_EVENT_MOTION) {
      const auto & motion = event.motion;
      const std::array<int, 6> values{motion.x,  motion.y,  motion.z,
                                      motion.rx, motion.ry, motion.rz};
      for (std::size_t i = 0; i < values.size(); ++i) {
        input.axes[i] = values[i] / full_deflection_;
      }
      moved_ = time;
    } else if (
      event.type == SPNAV_EVENT_BUTTON && event.button.bnum >= 0 && event.button.bnum < 32) {
      const std::uint32_t bit = 1u << event.button.bnum;
      input.buttons = event.button.press != 0 ? input.buttons | bit : input.buttons & ~bit;
    }
  }
  if (daemon_is_gone()) { return DriverStatus::Lost; }
  // While the cap is held away from rest the daemon repeats itself; silence is rest.
  constexpr double silence = 0.25;
  if (time - moved_ > silence) { input.axes.fill(0.0); }
  return DriverStatus::Ok;
}

bool SpaceNavDriver::daemon_is_gone() const noexcept
{
  char byte = 0;
  return recv(spnav_fd(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

}  // namespace ambf_device_nodes
