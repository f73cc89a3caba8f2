// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "ambf_simulation/command_table.hpp"
#include "ambf_simulation/order_table.hpp"
#include "ambf_simulation/views.hpp"

namespace ambf_simulation
{

/// Commands to everything that is no rigid body. Owned by the owner of the world, except the boxes.
struct ObjectCommands
{
  OrderTable<ambf_dynamics::ActuatorCommand> actuators;
  OrderTable<ambf_dynamics::SoftBodyCommand> soft_bodies;
  OrderTable<Eigen::Isometry3d> cameras;  ///< T_PV
  OrderTable<Eigen::Isometry3d> lights;
  std::atomic<std::uint32_t> pending{0};  ///< raised by whoever filled a box

  /// Fits the tables to the world and the views.
  void rebuild(
    const ambf_dynamics::World & world, const std::vector<View> & camera_views,
    const std::vector<View> & light_views);
  /// Takes what was posted.
  void apply_posted(
    ambf_dynamics::World & world, std::vector<View> & camera_views, std::vector<View> & light_views,
    std::int64_t now, CommandTable::Counters & counters);
  /// Forces on soft bodies end; actuators let go where the action is release. Views stay where they are.
  void supervise(
    ambf_dynamics::World & world, std::int64_t now, std::int64_t timeout, WatchdogAction action,
    CommandTable::Counters & counters);
  void restart_watchdogs(std::int64_t now);
  void clear();
  /// After another state was restored: what actuators hold and what pushes soft bodies is `source`'s.
  void adopt(const ambf_dynamics::World & world, std::uint32_t source, std::int64_t now);
};

}  // namespace ambf_simulation
