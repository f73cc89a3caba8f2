// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "ambf_devices/driver.hpp"

/// Your device's library; here a stand-in with the calls that most of them have.
struct VendorStick
{
  bool plugged_in = true;
  double x = 0.0, y = 0.0, z = 0.0;  ///< [mm]
  bool trigger = false;
  double force[3] = {0.0, 0.0, 0.0};  ///< [N]
};

/// A driver is what turns such a library into metres, newtons and the device's base frame. The loop
/// does the rest: timing, judging of readings, numbering, the force law, its limits, hot-plug.
class JoystickDriver : public ambf_devices::Driver
{
public:
  explicit JoystickDriver(VendorStick & stick) : stick_(stick) {}

  bool open(double, std::string & why) override
  {
    why = "no joystick found; plug it in, it is looked for again by itself";
    return stick_.plugged_in;
  }

  void close() noexcept override {}

  ambf_devices::Capabilities capabilities() const override
  {
    ambf_devices::Capabilities can;
    can.model = "example joystick";
    can.rate = 500.0;
    can.force = true;
    can.orientation = false;
    can.max_force = 4.0;
    return can;
  }

  ambf_devices::DriverStatus read(double, ambf_devices::DriverState & state) noexcept override
  {
    if (!stick_.plugged_in) { return ambf_devices::DriverStatus::Lost; }
    state.T_base_tip.position = 0.001 * Eigen::Vector3d(stick_.x, stick_.y, stick_.z);
    state.position_clutch = stick_.trigger;
    return ambf_devices::DriverStatus::Ok;
  }

  ambf_devices::DriverStatus write(double, const ambf_teleop::Wrench & wrench) noexcept override
  {
    Eigen::Map<Eigen::Vector3d>(stick_.force) = wrench.force;
    return ambf_devices::DriverStatus::Ok;
  }

private:
  VendorStick & stick_;
};
