// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ambf_dynamics/collision_scene.hpp"
#include "ambf_dynamics/world.hpp"

namespace ambf_dynamics
{

/// The symbols of the engine module, which open_engine.cpp loads into a scope of its own. This one makes a
/// world or fills `errors`.
using OpenWorld = World * (*)(const Parameters & parameters, Errors & errors);
inline constexpr const char * open_world_symbol = "ambf_dynamics_open_world";
/// Makes an empty collision scene.
using OpenScene = CollisionScene * (*)();
inline constexpr const char * open_scene_symbol = "ambf_dynamics_open_scene";

}  // namespace ambf_dynamics
