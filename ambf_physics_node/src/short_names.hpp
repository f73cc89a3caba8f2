// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace ambf_simulation
{
}

namespace ambf_physics
{
/// The node is wiring around the simulation, whose types it calls by their short names.
using namespace ambf_simulation;  // NOLINT
}  // namespace ambf_physics
