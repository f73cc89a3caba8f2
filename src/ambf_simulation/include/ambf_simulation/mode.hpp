// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace ambf_simulation
{

/// Who owns time, see docs/physics_node.md.
enum class Mode : std::uint8_t
{
  Realtime = 0,
  Free = 1,
  Lockstep = 2,
  Paused = 3
};

const char * to_string(Mode mode);

}  // namespace ambf_simulation
