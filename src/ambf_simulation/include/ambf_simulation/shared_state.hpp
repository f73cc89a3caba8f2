// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "ambf_simulation/commands.hpp"
#include "ambf_simulation/hands.hpp"
#include "ambf_simulation/plugins.hpp"
#include "ambf_simulation/readings.hpp"
#include "ambf_teleop/mailbox.hpp"

namespace ambf_simulation
{

/// What readers outside the ownership see of a step.
struct SharedState
{
  ambf_dynamics::State state;         ///< its hash is that of the simulation
  std::vector<Commander> commanders;  ///< per body
  std::uint64_t commanders_version = 0;
  std::vector<Commander> actuator_commanders;
  std::vector<Commander> soft_body_commanders;
  std::vector<Commander> camera_commanders;
  std::vector<Commander> light_commanders;
  std::vector<double> cameras;  ///< 7 each, world frame
  std::vector<double> lights;
  std::vector<double> camera_offsets;  ///< 7 each, in the parent's frame
  std::vector<double> light_offsets;
  Readings readings;                              ///< filled as far as somebody wants them
  std::vector<ambf_proxies::ProxyReading> hands;  ///< per device
  Hands::Overridden overridden;
  CommandTable::Counters counters;
  CommandTable::Conflict conflict;
};

/// What somebody reads of each step; set by readers, whatever thread they are.
struct WantedState
{
  std::atomic<bool> state{true};
  std::atomic<bool> readings{false};  ///< of sensors, actuators and ghosts
  std::atomic<bool> wrenches{false};
};

/// Copies what a step left into the readers' box, as far as it is wanted.
void share(
  const Content & content, const Commands & commands, Hands & hands, const Plugins & plugins,
  const WantedState & wanted, ambf_teleop::Mailbox<SharedState> & box);

}  // namespace ambf_simulation
