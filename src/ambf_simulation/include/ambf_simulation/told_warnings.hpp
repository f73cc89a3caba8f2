// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "ambf_simulation/simulation.hpp"

namespace ambf_simulation
{

/// What there is to say about a model that was loaded, a line each. What is said of many objects in the same
/// words is said once, with their number.
std::vector<std::string> told_warnings(const LoadedModel & model);
/// The same for all that the world holds.
std::vector<std::string> told_warnings(const Simulation & simulation);

}  // namespace ambf_simulation
