// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_teleop/passivity.hpp"

#include <algorithm>
#include <cmath>

namespace ambf_teleop
{

double observe_energy(PassivityState & state, const Eigen::Vector3d & position) noexcept
{
  if (state.valid) {
    // `force` acts on the hand, so the virtual world absorbs minus its work.
    state.energy -= state.force.dot(position - state.position);
  }
  state.position = position;
  state.valid = true;
  return state.energy;
}

Eigen::Vector3d passive_force(
  const PassivityParameters & parameters, PassivityState & state, const Eigen::Vector3d & position,
  const Eigen::Vector3d & force, const VirtualEnergy & world, double dt) noexcept
{
  if (
    !position.allFinite() || !force.allFinite() || !std::isfinite(world.stored) ||
    !std::isfinite(world.supplied) || !(dt > 0.0)) {
    state = PassivityState{};
    return Eigen::Vector3d::Zero();
  }
  const Eigen::Vector3d moved =
    state.valid ? Eigen::Vector3d(position - state.position) : Eigen::Vector3d::Zero();
  if (!state.valid) {
    // Whatever the springs hold at the start is taken as paid for.
    state.energy = world.stored;
  }
  observe_energy(state, position);
  state.energy = std::min(state.energy + world.supplied, world.stored + parameters.max_credit);

  const double deficit = world.stored - state.energy;
  const Eigen::Vector3d velocity = parameters.axes.cwiseProduct(moved) / dt;
  const double speed_squared = velocity.squaredNorm();
  Eigen::Vector3d passive = force;
  if (parameters.enabled && deficit > 0.0 && speed_squared > 0.0) {
    // The paper's damping, energy deficit over dt v^2, here with an upper bound.
    const double damping = std::min(deficit / (dt * speed_squared), parameters.max_damping);
    passive -= damping * velocity;
    state.dissipated += damping * speed_squared * dt;
  }
  state.force = passive;
  return passive;
}

void note_sent_force(PassivityState & state, const Eigen::Vector3d & sent) noexcept
{
  state.force = sent;
}

}  // namespace ambf_teleop
