#pragma once

#include "ambf_adf/world.hpp"

namespace ambf_physics
{

/// Warnings about what a description asks for and nobody here does: plugins, volumes, vehicles. Each is named
/// once, so that nobody looks for it in the world.
ambf_adf::Problems unsupported(const ambf_adf::Model & model);
ambf_adf::Problems unsupported(const ambf_adf::World & world);
ambf_adf::Problems unsupported(const ambf_adf::Launch & launch);

}  // namespace ambf_physics
