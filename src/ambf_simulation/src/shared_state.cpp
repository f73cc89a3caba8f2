// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/shared_state.hpp"

namespace ambf_simulation
{

void share(
  const Content & content, const Commands & commands, Hands & hands, const Plugins & plugins,
  const WantedState & wanted, ambf_teleop::Mailbox<SharedState> & box)
{
  SharedState & slot = box.back();
  const auto & world = content.world();
  const auto & bodies = commands.bodies;
  world.read_state(slot.state);
  slot.state.hash = plugins.hash(slot.state.hash);
  const auto copy = [](const auto & table, std::vector<Commander> & to) {
    to.resize(table.size());
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[i] = table.commander(static_cast<std::uint32_t>(i));
    }
  };
  if (slot.commanders_version != bodies.version()) {
    copy(bodies, slot.commanders);
    slot.commanders_version = bodies.version();
  }
  copy(commands.objects.actuators, slot.actuator_commanders);
  copy(commands.objects.soft_bodies, slot.soft_body_commanders);
  copy(commands.objects.cameras, slot.camera_commanders);
  copy(commands.objects.lights, slot.light_commanders);
  world_poses(content.cameras(), content.cameras(), slot.state.bodies, slot.cameras);
  world_poses(content.lights(), content.cameras(), slot.state.bodies, slot.lights);
  parent_poses(content.cameras(), slot.camera_offsets);
  parent_poses(content.lights(), slot.light_offsets);
  if (wanted.readings.load(std::memory_order_relaxed)) { slot.readings.read_objects(world); }
  if (wanted.wrenches.load(std::memory_order_relaxed)) { slot.readings.read_wrenches(world); }
  if (!hands.empty()) {
    hands.read(world, slot.cameras, slot.hands);
  } else {
    slot.hands.clear();
  }
  slot.overridden = hands.overridden();
  slot.counters = bodies.counters();
  slot.conflict = bodies.last_conflict();
  box.publish();
}

}  // namespace ambf_simulation
