// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "row_joint.hpp"

namespace ambf_dynamics
{

/// For every constraint the number of the loop that it is part of, -1 where it is part of none: where cutting it
/// would take a mechanism apart. Loops that share a joint are one. All bodies that do not move are the same ground.
std::vector<int> loops_of(std::span<btTypedConstraint * const> constraints);

/// Gives joints their compliance where their file gives none: none in a chain, and in a loop `cfm` times
/// the typical inverse inertia of the bodies in it.
///
/// The rows of a chain never contradict each other. Those of a loop do, where a file has more joints than
/// the loop needs and rounds its numbers; where that goes is decided by the joints' compliances. Equal ones
/// share it between all joints of the loop, ones that follow the inertia of single links would put it all
/// on the lightest link.
void spread_compliance(std::span<btTypedConstraint * const> constraints, double cfm);

}  // namespace ambf_dynamics
