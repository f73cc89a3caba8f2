// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/readings.hpp"

namespace ambf_simulation
{

using ambf_dynamics::World;

void Readings::read_objects(const World & world)
{
  sensor_offsets.clear();
  triggered.clear();
  range.clear();
  measurement.clear();
  sensed.clear();
  const auto append = [](auto & to, const auto & from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (std::uint32_t i = 0; i < world.sensors().size(); ++i) {
    sensor_offsets.push_back(static_cast<std::uint32_t>(triggered.size()));
    const auto reading = world.sensor_reading(i);
    append(triggered, reading.triggered);
    append(range, reading.range);
    append(measurement, reading.measurement);
    append(sensed, reading.sensed);
  }
  sensor_offsets.push_back(static_cast<std::uint32_t>(triggered.size()));
  actuators.clear();
  for (std::uint32_t i = 0; i < world.actuators().size(); ++i) {
    actuators.push_back(world.actuator_state(i));
  }
  ghost_offsets.clear();
  ghost_bodies.clear();
  for (std::uint32_t i = 0; i < world.ghosts().size(); ++i) {
    ghost_offsets.push_back(static_cast<std::uint32_t>(ghost_bodies.size()));
    append(ghost_bodies, world.ghost_reading(i));
  }
  ghost_offsets.push_back(static_cast<std::uint32_t>(ghost_bodies.size()));
}

void Readings::read_wrenches(const World & world)
{
  wrenches.resize(world.bodies().size());
  for (std::uint32_t i = 0; i < wrenches.size(); ++i) { wrenches[i] = world.body_wrench(i); }
}

}  // namespace ambf_simulation
