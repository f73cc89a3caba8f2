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
/// and, if the velocities are there, too, ,vx,vy,vz,wx,wy,wz; without them they are zero.
/// Lines that start with # are left out. The error names the line and what is wrong with it.
tl::expected<Recording, std::string> parse_recording(const std::string & text);
tl::expected<Recording, std::string> read_recording(const std::string & path);
std::string write_recording(const Recording & recording);

/// Index of the state at `time`: the last one that is not later, the first before it. `hint`, the
/// answer before, makes going forward cheap.
std::size_t state_at(const Recording & recording, double time, std::size_t hint = 0) noexcept;

}  // namespace ambf_devices
