// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/object_commands.hpp"

#include <string>

namespace ambf_simulation
{

using ambf_dynamics::CommandResult;
using ambf_dynamics::World;

void ObjectCommands::rebuild(
  const World & world, const std::vector<View> & camera_views,
  const std::vector<View> & light_views)
{
  const auto qualified = [](const auto & infos) {
    std::vector<std::string> names;
    for (const auto & info : infos) { names.push_back(info.qualified); }
    return names;
  };
  const auto headers = [](const std::vector<View> & views) {
    std::vector<std::string> names;
    for (const auto & view : views) { names.push_back(view.header.qualified); }
    return names;
  };
  actuators.rebuild(qualified(world.actuators()));
  soft_bodies.rebuild(qualified(world.soft_bodies()));
  cameras.rebuild(headers(camera_views));
  lights.rebuild(headers(light_views));
}

void ObjectCommands::apply_posted(
  World & world, std::vector<View> & camera_views, std::vector<View> & light_views,
  std::int64_t now, CommandTable::Counters & counters)
{
  if (pending.load(std::memory_order_acquire) == 0) { return; }
  pending.store(0, std::memory_order_release);
  const std::uint64_t step = world.state().step;
  // What an actuator is told to hold is an index; the others' commands mean the same in any world.
  counters.refused +=
    actuators.take_posted(world.revision(), step, now, [&](std::size_t i, const auto & command) {
      return world.set_actuator_command(static_cast<std::uint32_t>(i), command) ==
             CommandResult::Ok;
    });
  counters.refused +=
    soft_bodies.take_posted(std::nullopt, step, now, [&](std::size_t i, const auto & command) {
      return world.set_soft_body_command(static_cast<std::uint32_t>(i), command) ==
             CommandResult::Ok;
    });
  const auto place = [](std::vector<View> & views) {
    return [&views](std::size_t i, const Eigen::Isometry3d & t_parent_view) {
      views[i].t_parent_view = t_parent_view;
      return true;
    };
  };
  counters.refused += cameras.take_posted(std::nullopt, step, now, place(camera_views));
  counters.refused += lights.take_posted(std::nullopt, step, now, place(light_views));
}

void ObjectCommands::supervise(
  World & world, std::int64_t now, std::int64_t timeout, WatchdogAction action,
  CommandTable::Counters & counters)
{
  if (timeout <= 0) { return; }
  counters.watchdog_trips += actuators.supervise(now, timeout, [&](std::size_t i) {
    if (action == WatchdogAction::Release) {
      world.set_actuator_command(static_cast<std::uint32_t>(i), {});
    }
  });
  counters.watchdog_trips += soft_bodies.supervise(now, timeout, [&](std::size_t i) {
    world.set_soft_body_command(static_cast<std::uint32_t>(i), {});
  });
  cameras.supervise(now, timeout, [](std::size_t) {});
  lights.supervise(now, timeout, [](std::size_t) {});
}

void ObjectCommands::restart_watchdogs(std::int64_t now)
{
  actuators.restart_watchdogs(now);
  soft_bodies.restart_watchdogs(now);
  cameras.restart_watchdogs(now);
  lights.restart_watchdogs(now);
}

void ObjectCommands::clear()
{
  actuators.clear();
  soft_bodies.clear();
  cameras.clear();
  lights.clear();
}

void ObjectCommands::adopt(const World & world, std::uint32_t source, std::int64_t now)
{
  clear();
  const std::uint64_t step = world.state().step;
  for (std::size_t i = 0; i < actuators.size(); ++i) {
    if (world.actuator_state(static_cast<std::uint32_t>(i)).actuated) {
      actuators.note(i, source, step, now, true);
    }
  }
  for (std::size_t i = 0; i < soft_bodies.size(); ++i) {
    soft_bodies.note(i, source, step, now, true);
  }
}

}  // namespace ambf_simulation
