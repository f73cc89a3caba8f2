// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ambf_adf/world.hpp"

namespace ambf_simulation
{

/// Warnings about what a description asks for and nobody here does: plugins that are not there or made for AMBF,
/// volumes, vehicles, and keys of objects (UnusedKey), unless they say what is done anyway. Opens libraries of plugins.
ambf_adf::Problems unsupported(const ambf_adf::Model & model);
ambf_adf::Problems unsupported(const ambf_adf::World & world);
ambf_adf::Problems unsupported(const ambf_adf::Launch & launch);

}  // namespace ambf_simulation
