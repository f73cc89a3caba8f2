// SPDX-License-Identifier: BSD-3-Clause
#include "world_impl.hpp"

namespace ambf_dynamics
{

expected<std::unique_ptr<World>, Errors> make_world(const Parameters & parameters)
{
  if (auto problems = check(parameters); !problems.empty()) { return tl::unexpected(problems); }
  return std::make_unique<WorldImpl>(parameters);
}

}  // namespace ambf_dynamics
