// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "ambf_dynamics/world.hpp"

namespace ambf_simulation
{

/// What a step left of the objects that State does not hold, in flat arrays that keep their capacity.
/// The elements of sensor (ghost) i are those from its offset to the next one.
struct Readings
{
  std::vector<std::uint32_t> sensor_offsets;
  std::vector<std::uint8_t> triggered;
  std::vector<double> range;
  std::vector<double> measurement;
  std::vector<ambf_dynamics::BodyIndex> sensed;
  std::vector<ambf_dynamics::ActuatorState> actuators;
  std::vector<std::uint32_t> ghost_offsets;
  std::vector<ambf_dynamics::BodyIndex> ghost_bodies;
  std::vector<ambf_dynamics::Wrench> wrenches;  ///< per body

  /// Reads sensors, actuators and ghosts; the caller owns the world.
  void read_objects(const ambf_dynamics::World & world);
  void read_wrenches(const ambf_dynamics::World & world);
};

}  // namespace ambf_simulation
