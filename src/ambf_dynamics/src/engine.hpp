// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ambf_dynamics/world.hpp"

namespace ambf_dynamics
{

/// The one symbol of the engine module: makes a world or fills `errors`. The module is loaded by
/// open_engine.cpp into a scope of its own.
using OpenWorld = World * (*)(const Parameters & parameters, Errors & errors);
inline constexpr const char * open_world_symbol = "ambf_dynamics_open_world";

}  // namespace ambf_dynamics
