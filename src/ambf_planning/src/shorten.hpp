// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "arm_space.hpp"

namespace ambf_planning
{

/// Replaces detours by straight ways that are free: between corners, then between points anywhere on the
/// path. Begin and end stay. Stops early where `stop` says so.
void shorten(
  const SearchContext & context, std::vector<JointVector> & path,
  const std::function<bool()> & stop);

}  // namespace ambf_planning
