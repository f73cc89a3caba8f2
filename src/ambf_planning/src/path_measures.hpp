// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "arm_space.hpp"

namespace ambf_planning
{

/// [s] between which a motion is taken for straight: at 10 rad/s^2 it is off by 0.1 mrad.
inline constexpr double straight_period = 0.01;

double weighted_length(const SearchContext & context, const std::vector<JointVector> & path);
/// Least distance along a path [m]; 0.1 or more is 0.1.
double clearance_of(const SearchContext & context, const std::vector<JointVector> & path);
/// Sum of squared turns at the corners over the length.
double smoothness_of(const SearchContext & context, const std::vector<JointVector> & path);

}  // namespace ambf_planning
