// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/mode.hpp"

namespace ambf_simulation
{

const char * to_string(Mode mode)
{
  switch (mode) {
    case Mode::Realtime:
      return "realtime";
    case Mode::Free:
      return "free";
    case Mode::Lockstep:
      return "lockstep";
    case Mode::Paused:
      return "paused";
  }
  return "?";
}

}  // namespace ambf_simulation
