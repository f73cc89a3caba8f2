// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "arm_space.hpp"
#include "planner_choice.hpp"

namespace ambf_planning
{

using Clock = std::chrono::steady_clock;

struct Found
{
  std::vector<JointVector> path;  ///< empty: none
  std::size_t states = 0;
  double search_time = 0.0;
};

/// One search by OMPL from a posture to any of several.
class Search
{
public:
  /// `request` and `hooks` must outlive it.
  Search(
    std::shared_ptr<const SearchContext> context, const PlanRequest & request,
    const PlanHooks & hooks, Clock::time_point end);

  /// Is there such a planner, with such parameters?
  std::optional<Refused> refused() const;
  Found run(const JointVector & from, const std::vector<JointVector> & to) const;

private:
  void tell(const ompl::base::Planner & planner, double time) const;

  std::shared_ptr<const SearchContext> context_;
  const PlanRequest & request_;
  const PlanHooks & hooks_;
  Clock::time_point end_;
  ompl::base::SpaceInformationPtr si_;
};

}  // namespace ambf_planning
