// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

#include <ompl/base/Planner.h>

#include "ambf_adf/expected.hpp"

namespace ambf_planning
{

struct Refused
{
  bool parameter = false;  ///< not the planner but one of its parameters
  std::string text;
};

/// A planner by its name, with its parameters set.
ambf_adf::expected<ompl::base::PlannerPtr, Refused> choose_planner(
  const std::string & name, const std::map<std::string, std::string> & parameters,
  const ompl::base::SpaceInformationPtr & si);

/// Does it go on after the first solution, to find better ones?
bool optimises(const ompl::base::Planner & planner);

}  // namespace ambf_planning
