// SPDX-License-Identifier: BSD-3-Clause
#include "collision_scene.hpp"
#include "world_impl.hpp"

namespace ambf_dynamics
{

expected<std::unique_ptr<World>, Errors> make_world(const Parameters & parameters)
{
  if (auto problems = check(parameters); !problems.empty()) { return tl::unexpected(problems); }
  return std::make_unique<WorldImpl>(parameters);
}

expected<std::unique_ptr<CollisionScene>, Errors> make_collision_scene()
{
  return std::make_unique<SceneImpl>();
}

}  // namespace ambf_dynamics
