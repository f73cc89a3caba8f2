// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "ambf_devices/driver.hpp"

namespace ambf_devices
{

struct RecordedState
{
  double time = 0.0;  ///< [s] since the first
  DriverState state;
};

/// A person's motion, times not falling.
using Recording = std::vector<RecordedState>;

/// Text of a recording, one state per line after a header line:
/// time,px,py,pz,qx,qy,qz,qw,gripper,position_clutch,camera_clutch,actions
/// and, if they are there, too, ,vx,vy,vz,wx,wy,wz (otherwise zero) and ,relocated (otherwise 0).
/// Lines that start with # are left out. The error names the line and what is wrong with it.
tl::expected<Recording, std::string> parse_recording(const std::string & text);
tl::expected<Recording, std::string> read_recording(const std::string & path);
std::string write_recording(const Recording & recording);

/// Index of the state at `time`: the last one that is not later, the first before it. `hint`, the
/// answer before, makes going forward cheap.
std::size_t state_at(const Recording & recording, double time, std::size_t hint = 0) noexcept;

/// The hand at `time`, `at` being state_at(recording, time): what a device would have read between
/// two states, also where the recording has a hole. Position, gripper and velocities are linear,
/// the orientation turns the short way, clutches and buttons stand. A hand does not move to a
/// relocated state, it is there: until then the state before it stands.
DriverState between_states(const Recording & recording, double time, std::size_t at) noexcept;

}  // namespace ambf_devices
