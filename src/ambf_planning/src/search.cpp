// SPDX-License-Identifier: BSD-3-Clause
#include "search.hpp"

#include <algorithm>

#include <ompl/base/PlannerData.h>
#include <ompl/base/PlannerTerminationCondition.h>
#include <ompl/base/ProblemDefinition.h>
#include <ompl/base/goals/GoalStates.h>
#include <ompl/base/objectives/PathLengthOptimizationObjective.h>
#include <ompl/geometric/PathGeometric.h>
#include <ompl/util/Console.h>

namespace ambf_planning
{
namespace
{

namespace ob = ompl::base;
namespace og = ompl::geometric;

/// OMPL writes to the terminal of whoever links it: what it has to say is in the results.
void be_quiet()
{
  static const bool quiet = [] {
    ompl::msg::noOutputHandler();
    return true;
  }();
  (void)quiet;
}

/// At most so many edges are told; the newest count.
constexpr unsigned most_edges = 2000;

}  // namespace

Search::Search(
  std::shared_ptr<const SearchContext> context, const PlanRequest & request,
  const PlanHooks & hooks, Clock::time_point end)
: context_(std::move(context)), request_(request), hooks_(hooks), end_(end)
{
  be_quiet();
  si_ = std::make_shared<ob::SpaceInformation>(std::make_shared<ArmSpace>(context_));
  si_->setStateValidityChecker(std::make_shared<ArmValidity>(si_));
  si_->setMotionValidator(std::make_shared<ArmMotions>(si_));
  si_->setup();
}

std::optional<Refused> Search::refused() const
{
  const auto planner = choose_planner(request_.planner, request_.parameters, si_);
  return planner ? std::nullopt : std::optional(planner.error());
}

void Search::tell(const ob::Planner & planner, double time) const
{
  ob::PlannerData data(si_);
  planner.getPlannerData(data);
  PlanProgress progress;
  progress.time = time;
  progress.states = data.numVertices();
  const auto & space = *si_->getStateSpace()->as<ArmSpace>();
  const auto place = [&](unsigned vertex) -> Eigen::Vector3d {
    const JointVector q = space.to_joints(data.getVertex(vertex).getState());
    return context_->checker->bodies().tip(q).translation();
  };
  const unsigned count = data.numVertices();
  std::vector<unsigned> edges;
  for (unsigned v = count; v-- > 0 && progress.edges.size() < most_edges;) {
    edges.clear();
    data.getEdges(v, edges);
    for (const unsigned other : edges) { progress.edges.emplace_back(place(v), place(other)); }
  }
  hooks_.progress(progress);
}

Found Search::run(const JointVector & from, const std::vector<JointVector> & to) const
{
  Found out;
  auto chosen = choose_planner(request_.planner, request_.parameters, si_);
  if (!chosen) { return out; }
  ob::Planner & planner = **chosen;
  const auto & space = *si_->getStateSpace()->as<ArmSpace>();
  auto problem = std::make_shared<ob::ProblemDefinition>(si_);
  ob::State * state = si_->allocState();
  space.to_state(from, state);
  problem->addStartState(state);
  auto goal = std::make_shared<ob::GoalStates>(si_);
  for (const JointVector & q : to) {
    space.to_state(q, state);
    goal->addState(state);
  }
  si_->freeState(state);
  goal->setThreshold(1e-9);
  problem->setGoal(goal);
  auto objective = std::make_shared<ob::PathLengthOptimizationObjective>(si_);
  if (request_.termination.cost) {
    objective->setCostThreshold(ob::Cost(*request_.termination.cost));
  } else if (!request_.termination.until_time) {
    objective->setCostThreshold(objective->infiniteCost());  // the first solution will do
  }
  problem->setOptimizationObjective(objective);
  planner.setProblemDefinition(problem);
  planner.setup();

  const auto begin = Clock::now();
  const auto over = [&] {
    return Clock::now() >= end_ || (hooks_.cancelled && hooks_.cancelled());
  };
  const bool slices = static_cast<bool>(hooks_.progress);
  const auto period = std::chrono::duration_cast<Clock::duration>(
    std::chrono::duration<double>(std::max(hooks_.progress_period, 0.01)));
  const auto seconds = [](auto duration) {
    return std::chrono::duration<double>(duration).count();
  };
  bool solved = false;
  while (!solved && !over()) {
    const auto slice_end = Clock::now() + period;
    const ob::PlannerTerminationCondition stop(
      [&] { return over() || (slices && Clock::now() >= slice_end); });
    const ob::PlannerStatus status = planner.solve(stop);
    const bool exact = problem->hasExactSolution();
    // Those that go on to better solutions have one now, and end with the time.
    solved = exact && !(optimises(planner) && !over() &&
                        (request_.termination.until_time || request_.termination.cost) &&
                        !objective->isSatisfied(problem->getSolutionPath()->cost(objective)));
    if (slices) { tell(planner, seconds(Clock::now() - begin)); }
    if (exact) { solved = solved || over(); }
    const bool gave_up = status == ob::PlannerStatus::INVALID_START ||
                         status == ob::PlannerStatus::INVALID_GOAL ||
                         status == ob::PlannerStatus::CRASH;
    if (gave_up) { break; }
    if (!exact) { problem->clearSolutionPaths(); }
  }
  out.search_time = seconds(Clock::now() - begin);
  ob::PlannerData data(si_);
  planner.getPlannerData(data);
  out.states = data.numVertices();
  if (!problem->hasExactSolution()) { return out; }
  auto & path = *problem->getSolutionPath()->as<og::PathGeometric>();
  for (const ob::State * each : path.getStates()) { out.path.push_back(space.to_joints(each)); }
  return out;
}

}  // namespace ambf_planning
