// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>

#include "ambf_devices/stick_driver.hpp"

namespace ambf_device_nodes
{

/// A space mouse through libspnav and its daemon spacenavd: one per process, as the library has it.
/// Axes: 0 right, 1 up, 2 forward, 3 to 5 turns about them.
class SpaceNavDriver : public ambf_devices::StickDriver
{
public:
  SpaceNavDriver(double full_deflection, ambf_devices::RateHandParameters hand, double rate);
  ~SpaceNavDriver() override { close(); }

  bool open(double time, std::string & why) override;
  void close() noexcept override;
  std::string model() const override { return "space mouse"; }
  ambf_devices::DriverStatus poll(double time, ambf_devices::StickInput & input) noexcept override;

private:
  bool daemon_is_gone() const noexcept;

  double full_deflection_;
  double moved_ = 0.0;
  bool open_ = false;
};

}  // namespace ambf_device_nodes
