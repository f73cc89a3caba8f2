// SPDX-License-Identifier: BSD-3-Clause
#include "collision_scene.hpp"
#include "engine.hpp"
#include "world_impl.hpp"

extern "C" __attribute__((visibility("default"))) ambf_dynamics::World * ambf_dynamics_open_world(
  const ambf_dynamics::Parameters & parameters, ambf_dynamics::Errors & errors)
{
  // Not through make_world: the public library defines that name, too.
  errors = ambf_dynamics::check(parameters);
  return errors.empty() ? new ambf_dynamics::WorldImpl(parameters) : nullptr;
}

extern "C" __attribute__((visibility("default"))) ambf_dynamics::CollisionScene *
ambf_dynamics_open_scene()
{
  return new ambf_dynamics::SceneImpl();
}

namespace
{
// The signatures that the loader expects.
[[maybe_unused]] constexpr ambf_dynamics::OpenWorld check_signature = &ambf_dynamics_open_world;
[[maybe_unused]] constexpr ambf_dynamics::OpenScene check_scene = &ambf_dynamics_open_scene;
}  // namespace
