// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_planning/plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

#include "goal_postures.hpp"
#include "path_measures.hpp"
#include "search.hpp"
#include "shorten.hpp"

namespace ambf_planning
{
namespace
{

using ambf_arms::Arm;

constexpr double start_slack =
  1e-3;  // of a start beyond limits: a measured arm leans on them [rad or m]
/// Corners of a path that constraints bend, in weighted joint space.
constexpr double bent_step = 0.1;
constexpr std::size_t most_goals = 1000;
constexpr double least_tolerance = 1e-6;  // [m]; finer looks would take for ever

PlanResult & fail(PlanResult & result, PlanCode code, std::string text)
{
  result.code = code;
  result.text = std::move(text);
  result.path.clear();
  result.waypoints.clear();
  result.motion = {};
  return result;
}

std::optional<std::string> problem_of(const PlanRequest & request, const Arm & arm)
{
  if (request.start.size() != arm.joints() || !request.start.allFinite()) {
    return "the start: expected " + std::to_string(arm.joints()) + " finite joint values, got " +
           std::to_string(request.start.size());
  }
  if (request.goals.empty() || request.goals.size() > most_goals) {
    return "goals: expected 1 to " + std::to_string(most_goals) + ", got " +
           std::to_string(request.goals.size());
  }
  const auto positive = [](double x) { return std::isfinite(x) && x > 0.0; };
  if (!positive(request.termination.time)) { return "time: expected more than 0 s"; }
  if (request.termination.cost && !positive(*request.termination.cost)) {
    return "cost: expected more than 0";
  }
  if (!(request.tolerance >= least_tolerance) || !std::isfinite(request.tolerance)) {
    return "tolerance: expected 1e-6 m or more";
  }
  for (const double ratio : {request.ratio.velocity, request.ratio.acceleration}) {
    if (!positive(ratio) || ratio > 1.0) { return "speed: expected ratios above 0 and up to 1"; }
  }
  return ambf_planning::problem_of(request.constraints);
}

/// Posture by posture, so that straight ways between them keep the constraints.
std::vector<JointVector> bent(const SearchContext & context, const std::vector<JointVector> & path)
{
  std::vector<JointVector> out{path.front()};
  for (std::size_t i = 1; i < path.size(); ++i) {
    const double length = context.weights.cwiseProduct(path[i] - path[i - 1]).norm();
    const int steps = std::max(1, static_cast<int>(std::ceil(length / bent_step)));
    for (int k = 1; k < steps; ++k) {
      out.push_back(context.between(path[i - 1], path[i], static_cast<double>(k) / steps));
    }
    out.push_back(path[i]);
  }
  return out;
}

/// The motion along a path, corners rounded where that is free.
TimedPath timed(
  const SearchContext & context, const PlanRequest & request, const std::vector<JointVector> & path)
{
  const ArmBodies & arm = context.checker->bodies();
  const auto free = [&](const TimedPath & motion, double from, double to) {
    MotionState before;
    MotionState after;
    motion.sample(from, before);
    for (double time = from; time < to;) {
      time = std::min(to, time + straight_period);
      motion.sample(time, after);
      if (
        !keeps(context.constraints, arm, after.position) ||
        !context.checker->sweep(before.position, after.position, context.tolerance).free) {
        return false;
      }
      before = after;
    }
    return true;
  };
  return TimedPath(path, arm.arm().limits(), request.ratio, free);
}

class Planning
{
public:
  Planning(
    std::shared_ptr<const ArmChecker> checker, const PlanRequest & request, const PlanHooks & hooks)
  : checker_(std::move(checker)), request_(request), hooks_(hooks)
  {
    end_ = begin_ + std::chrono::duration_cast<Clock::duration>(
                      std::chrono::duration<double>(std::min(request.termination.time, 86400.0)));
  }

  PlanResult run()
  {
    if (begin() && start() && legs()) { finish(); }
    result_.statistics.time = std::chrono::duration<double>(Clock::now() - begin_).count();
    if (context_) {
      result_.statistics.state_checks = context_->state_checks;
      result_.statistics.motion_checks = context_->motion_checks;
    }
    return std::move(result_);
  }

private:
  bool begin()
  {
    const Arm & arm = checker_->bodies().arm();
    if (const auto text = problem_of(request_, arm)) {
      fail(result_, PlanCode::BadRequest, *text);
      return false;
    }
    context_ = std::make_shared<SearchContext>();
    context_->checker = checker_;
    context_->constraints = request_.constraints;
    context_->tolerance = request_.tolerance;
    context_->weights = joint_weights(arm);
    context_->seed = request_.seed;
    search_.emplace(context_, request_, hooks_, end_);
    if (const auto refused = search_->refused()) {
      fail(
        result_, refused->parameter ? PlanCode::BadParameter : PlanCode::UnknownPlanner,
        refused->text);
      return false;
    }
    return true;
  }

  bool start()
  {
    here_ = request_.start;
    if (const auto text = clip_within(checker_->bodies().arm(), start_slack, here_)) {
      fail(result_, PlanCode::StartOutOfLimits, "the start: " + *text);
      return false;
    }
    auto contacts = checker_->contacts(here_);
    if (!contacts.empty()) {
      fail(
        result_, PlanCode::StartInCollision,
        "the start is in collision: " + in_words(*checker_, contacts));
      result_.contacts = std::move(contacts);
      offer(here_);
      return false;
    }
    if (const auto text = broken(request_.constraints, checker_->bodies(), here_)) {
      fail(result_, PlanCode::StartBreaksConstraint, "the start breaks a constraint: " + *text);
      return false;
    }
    result_.path = {here_};
    return true;
  }

  bool legs()
  {
    for (std::size_t k = 0; k < request_.goals.size(); ++k) {
      if (!leg(k)) { return false; }
    }
    return true;
  }

  std::string which(std::size_t goal) const
  {
    return request_.goals.size() == 1 ? ""
                                      : "goal " + std::to_string(goal + 1) + " of " +
                                          std::to_string(request_.goals.size()) + ": ";
  }

  bool leg(std::size_t k)
  {
    GoalPostures goal = find_goal(*context_, request_.goals[k], here_);
    if (goal.code != PlanCode::Success) {
      fail(result_, goal.code, which(k) + goal.text);
      result_.contacts = std::move(goal.contacts);
      if (goal.blocked) { offer(*goal.blocked); }
      return false;
    }
    std::vector<JointVector> path = direct(goal.postures);
    if (path.empty()) {
      const Found found = search_->run(here_, goal.postures);
      result_.statistics.states += found.states;
      result_.statistics.search_time += found.search_time;
      path = found.path;
    }
    const bool cancelled = hooks_.cancelled && hooks_.cancelled();
    if (cancelled) {
      fail(result_, PlanCode::Cancelled, "the search was cancelled");
      return false;
    }
    if (path.empty()) {
      char text[200];
      std::snprintf(
        text, sizeof text,
        "%s found no way within %.3g s (%zu states); more time, another planner or another goal "
        "may help",
        request_.planner.c_str(), request_.termination.time, result_.statistics.states);
      fail(result_, PlanCode::NoSolution, which(k) + text);
      return false;
    }
    if (request_.simplify) {
      shorten(*context_, path, [&] {
        return Clock::now() >= end_ || (hooks_.cancelled && hooks_.cancelled());
      });
    }
    result_.path.insert(result_.path.end(), path.begin() + 1, path.end());
    result_.waypoints.push_back(result_.path.size() - 1);
    here_ = path.back();
    return true;
  }

  /// The straight way, which needs no search.
  std::vector<JointVector> direct(const std::vector<JointVector> & goals) const
  {
    const auto distance = [&](const JointVector & q) {
      return context_->weights.cwiseProduct(q - here_).norm();
    };
    const auto nearest = *std::min_element(
      goals.begin(), goals.end(),
      [&](const JointVector & a, const JointVector & b) { return distance(a) < distance(b); });
    if (!request_.simplify || !context_->way_is_free(here_, nearest, nullptr)) { return {}; }
    return {here_, nearest};
  }

  void finish()
  {
    if (!request_.constraints.empty()) {
      std::vector<JointVector> whole{result_.path.front()};
      std::size_t from = 0;
      for (std::size_t & waypoint : result_.waypoints) {
        const std::vector<JointVector> leg(
          result_.path.begin() + static_cast<std::ptrdiff_t>(from),
          result_.path.begin() + static_cast<std::ptrdiff_t>(waypoint) + 1);
        const auto fine = bent(*context_, leg);
        whole.insert(whole.end(), fine.begin() + 1, fine.end());
        from = waypoint;
        waypoint = whole.size() - 1;
      }
      result_.path = std::move(whole);
    }
    result_.motion = timed(*context_, request_, result_.path);
    // What was put together is looked at as a whole once more: only this goes out.
    auto contact = first_contact(*checker_, result_.motion, 0.0, request_.tolerance);
    if (contact) {
      result_.motion = TimedPath(result_.path, checker_->bodies().arm().limits(), request_.ratio);
      contact = first_contact(*checker_, result_.motion, 0.0, request_.tolerance);
    }
    if (contact) {
      const std::vector<Proximity> contacts{*contact};
      fail(
        result_, PlanCode::NoSolution,
        "the path that was found touches: " + in_words(*checker_, contacts));
      return;
    }
    PlanStatistics & statistics = result_.statistics;
    statistics.length = weighted_length(*context_, result_.path);
    statistics.clearance = clearance_of(*context_, result_.path);
    statistics.smoothness = smoothness_of(*context_, result_.path);
    char text[120];
    std::snprintf(
      text, sizeof text, "a motion of %.3g s through %zu postures", result_.motion.duration(),
      result_.path.size());
    result_.text = text;
  }

  void offer(const JointVector & q)
  {
    result_.nearest_free = nearest_free(*checker_, request_.constraints, q, request_.seed);
    if (!result_.nearest_free) { return; }
    char text[80];
    const double far =
      joint_weights(checker_->bodies().arm()).cwiseProduct(*result_.nearest_free - q).norm();
    std::snprintf(
      text, sizeof text, "; a free posture is %.3g rad away (slides: 0.2 m count as 1 rad)", far);
    result_.text += text;
  }

  std::shared_ptr<const ArmChecker> checker_;
  const PlanRequest & request_;
  const PlanHooks & hooks_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point end_;
  std::shared_ptr<SearchContext> context_;
  std::optional<Search> search_;
  JointVector here_;
  PlanResult result_;
};

}  // namespace

PlanResult plan(
  std::shared_ptr<const ArmChecker> checker, const PlanRequest & request, const PlanHooks & hooks)
{
  try {
    return Planning(std::move(checker), request, hooks).run();
  } catch (const std::exception & error) {
    // OMPL throws where it is asked for what it cannot do.
    PlanResult result;
    fail(result, PlanCode::BadRequest, std::string("the planner refuses: ") + error.what());
    return result;
  }
}

}  // namespace ambf_planning
