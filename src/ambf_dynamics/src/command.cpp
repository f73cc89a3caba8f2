// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_dynamics/command.hpp"

namespace ambf_dynamics
{

const char * to_string(CommandResult result)
{
  switch (result) {
    case CommandResult::Ok:
      return "ok";
    case CommandResult::UnknownIndex:
      return "no such index";
    case CommandResult::NotFinite:
      return "not a finite number";
    case CommandResult::NotNormalised:
      return "quaternion is not normalised";
    case CommandResult::BadLimit:
      return "max_force and max_torque must not be below 0";
    case CommandResult::BadGain:
      return "gains must not be below 0";
    case CommandResult::NotCommandable:
      return "joint cannot be commanded";
  }
  return "unknown result";
}

}  // namespace ambf_dynamics
