// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "ambf_simulation/command_table.hpp"
#include "ambf_simulation/content.hpp"
#include "ambf_simulation/object_commands.hpp"

namespace ambf_simulation
{

/// Everything that commands a world, and the watchdogs over it. Times are on the watchdogs' clock [ns].
struct Commands
{
  CommandTable bodies;  ///< and their joints
  ObjectCommands objects;

  /// Fits the tables to what there is; standing commanders are kept by name.
  void rebuild(const Content & content)
  {
    bodies.rebuild(content.world());
    objects.rebuild(content.world(), content.cameras(), content.lights());
  }
  /// Takes what was posted.
  void apply_posted(Content & content, std::int64_t now)
  {
    bodies.apply_posted(content.world(), now);
    objects.apply_posted(
      content.world(), content.cameras(), content.lights(), now, bodies.counters());
  }
  /// Ends commands whose sender has been silent for `timeout`; 0: never.
  void supervise(
    ambf_dynamics::World & world, std::int64_t now, std::int64_t timeout, WatchdogAction action)
  {
    bodies.supervise(world, now, timeout, action);
    objects.supervise(world, now, timeout, action, bodies.counters());
  }
  void restart_watchdogs(std::int64_t now)
  {
    bodies.restart_watchdogs(now);
    objects.restart_watchdogs(now);
  }
  /// Forgets who commands what, and what was posted.
  void clear()
  {
    bodies.clear();
    objects.clear();
  }
  /// After another state was restored: what stands in it is `source`'s.
  void adopt(const ambf_dynamics::World & world, std::uint32_t source, std::int64_t now)
  {
    bodies.adopt(world, source, now);
    objects.adopt(world, source, now);
  }
};

}  // namespace ambf_simulation
