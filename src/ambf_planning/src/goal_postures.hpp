// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "arm_space.hpp"

namespace ambf_planning
{

/// Postures that reach a goal and may be used, or why there are none.
struct GoalPostures
{
  PlanCode code = PlanCode::Success;
  std::string text;
  std::vector<JointVector> postures;
  std::vector<Proximity> contacts;
  std::optional<JointVector> blocked;  ///< reaches the goal, but something is in the way
};

GoalPostures find_goal(const SearchContext & context, const Goal & goal, const JointVector & near);

/// The first joint that is beyond its range by more than `slack`, as a sentence; else the values are clipped.
std::optional<std::string> clip_within(const ambf_arms::Arm & arm, double slack, JointVector & q);

}  // namespace ambf_planning
