// SPDX-License-Identifier: BSD-3-Clause
// Goals of others: what is wrong with one, or how the arm is to follow it.

#include "ambf_arms/joint_trajectory.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "ambf_adf/names.hpp"

namespace ambf_arms
{
namespace
{

using Goal = JointTrajectoryGoal;
using Refused = tl::unexpected<FollowOutcome>;

constexpr double any_error = std::numeric_limits<double>::infinity();
/// A goal that is so little beyond a limit is at it: planners begin where sensors say that the arm is.
constexpr double limit_slack = 1e-3;
/// A begin that is farther ahead is of another clock [s].
constexpr double longest_wait = 3600.0;
/// How far from the set-point the only point of a goal may be if there is no time to get there.
constexpr double no_way = 0.01;
constexpr double at_rest = 1e-6;

Refused refuse(FollowCode code, std::string text) { return Refused({code, std::move(text)}); }
Refused bad_goal(std::string text) { return refuse(FollowCode::InvalidGoal, std::move(text)); }

std::string listed(const std::vector<std::string> & names)
{
  std::string text;
  for (const std::string & name : names) { text += (text.empty() ? "" : ", ") + name; }
  return text;
}

std::string number(double value)
{
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

bool finite(const std::vector<double> & values)
{
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

/// Where each named joint is in the arm's order.
ambf_adf::expected<std::vector<Eigen::Index>, FollowOutcome> places_of(
  const Goal & goal, const Arm & arm, const std::vector<std::string> & known)
{
  const auto wrong = [&](std::string text) {
    return refuse(
      FollowCode::InvalidJoints,
      std::move(text) + "; expected in any order: " + listed(arm.joint_names()) +
        (known.size() > arm.joint_names().size() ? "; and jaw, or jaw alone" : ""));
  };
  std::vector<Eigen::Index> places;
  std::vector<bool> named(known.size(), false);
  for (const std::string & name : goal.joints) {
    const auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end()) {
      return wrong(
        "joint_names: found '" + name + "' (did you mean '" +
        ambf_adf::nearest_names(name, known, 1).front() + "'?)");
    }
    const auto place = static_cast<std::size_t>(at - known.begin());
    if (named[place]) { return wrong("joint_names: found '" + name + "' twice"); }
    named[place] = true;
    places.push_back(static_cast<Eigen::Index>(place));
  }
  const auto arm_end = named.begin() + arm.joints();
  const bool none = std::find(named.begin(), arm_end, true) == arm_end;
  const auto missing = std::find(named.begin(), arm_end, false);
  if (goal.joints.empty()) { return wrong("joint_names: found none"); }
  if (!none && missing != arm_end) {
    return wrong(
      "joint_names: found no '" + known[static_cast<std::size_t>(missing - named.begin())] + "'");
  }
  return places;
}

/// What is wrong with one point by itself, or nothing.
std::string fault_of(const Goal::Point & point, std::size_t joints)
{
  const auto wrong_size = [&](const std::vector<double> & values, const char * what, bool needed) {
    if (values.size() == joints || (values.empty() && !needed)) { return std::string(); }
    return std::string(what) + ": found " + std::to_string(values.size()) + " values, expected " +
           std::to_string(joints) + ", one per named joint" + (needed ? "" : ", or none");
  };
  for (std::string text :
       {wrong_size(point.positions, "positions", true),
        wrong_size(point.velocities, "velocities", false),
        wrong_size(point.accelerations, "accelerations", false)}) {
    if (!text.empty()) { return text; }
  }
  if (!finite(point.positions) || !finite(point.velocities) || !finite(point.accelerations)) {
    return "found a value that is not finite";
  }
  if (point.velocities.empty() && !point.accelerations.empty()) {
    return "found accelerations without velocities";
  }
  return {};
}

std::pair<double, double> range_of(const Arm & arm, Eigen::Index joint)
{
  if (joint == arm.joints()) { return {arm.jaw()->low, arm.jaw()->high}; }
  return {arm.bounds().low[joint], arm.bounds().high[joint]};
}

MotionState standing(const MotionState & start)
{
  MotionState state = start;
  state.velocity.setZero();
  state.acceleration.setZero();
  return state;
}

/// All points in the arm's order, checked; joints that are not named stay at `start`.
ambf_adf::expected<std::vector<PointTrajectory::Point>, FollowOutcome> points_of(
  const Goal & goal, const Arm & arm, const std::vector<Eigen::Index> & places,
  const MotionState & start)
{
  if (goal.points.empty()) { return bad_goal("points: found none, expected at least one"); }
  std::vector<PointTrajectory::Point> points;
  double before = -1.0;
  for (std::size_t i = 0; i < goal.points.size(); ++i) {
    const Goal::Point & given = goal.points[i];
    const std::string where = "points[" + std::to_string(i) + "]";
    if (const std::string fault = fault_of(given, places.size()); !fault.empty()) {
      return bad_goal(where + ": " + fault);
    }
    if (!(given.time >= 0.0 && given.time > before)) {
      return bad_goal(
        where + ": found time_from_start " + number(given.time) + " s" +
        (i == 0 ? ", expected 0 or more" : " after " + number(before) + " s, expected more"));
    }
    before = given.time;
    PointTrajectory::Point point{given.time, standing(start), 0};
    point.order = given.velocities.empty() ? 0 : given.accelerations.empty() ? 1 : 2;
    for (std::size_t k = 0; k < places.size(); ++k) {
      const Eigen::Index joint = places[k];
      const auto [low, high] = range_of(arm, joint);
      const double q = given.positions[k];
      if (q < low - limit_slack || q > high + limit_slack) {
        return bad_goal(
          where + ": found " + number(q) + " for joint '" + goal.joints[k] +
          "', expected a position within " + number(low) + " and " + number(high));
      }
      point.state.position[joint] = std::clamp(q, low, high);
      if (point.order > 0) { point.state.velocity[joint] = given.velocities[k]; }
      if (point.order > 1) { point.state.acceleration[joint] = given.accelerations[k]; }
    }
    points.push_back(std::move(point));
  }
  if (points.back().state.velocity.cwiseAbs().maxCoeff() > at_rest) {
    return bad_goal("points: the last one has a velocity, expected 0 of every joint, or none");
  }
  return points;
}

/// The points that are still to come, with the set-point before them.
ambf_adf::expected<PointTrajectory, FollowOutcome> from_setpoint(
  std::vector<PointTrajectory::Point> points, const MotionState & start, double begins_in)
{
  const double elapsed = std::max(0.0, -begins_in);
  const PointTrajectory::Point last = points.back();
  std::erase_if(points, [&](const auto & point) { return point.time <= elapsed; });
  PointTrajectory::Point first{elapsed, start, 2};
  if (points.empty()) {
    if (elapsed > 0.0) {
      return refuse(
        FollowCode::OldHeaderTimestamp, "header.stamp: the trajectory ended " +
                                          number(elapsed - last.time) +
                                          " s ago by the time of the simulation; 0 begins at once");
    }
    if ((last.state.position - start.position).cwiseAbs().maxCoeff() > no_way) {
      return bad_goal(
        "points: the only one is at time_from_start 0, expected the time in which to get there");
    }
    first.state = standing(last.state);
  }
  points.insert(points.begin(), std::move(first));
  return PointTrajectory(std::move(points));
}

/// What is wrong with an allowance, or nothing. 0 and -1 have a meaning of their own.
bool is_allowance(double value) { return std::isfinite(value) && (value >= 0.0 || value == -1.0); }

double allowance(double asked, double standard)
{
  if (asked == 0.0) { return standard > 0.0 ? standard : any_error; }
  return asked < 0.0 ? any_error : asked;
}

ambf_adf::expected<JointTolerances, FollowOutcome> tolerances_of(
  const std::vector<Goal::Tolerance> & asked, const char * key, const Goal & goal,
  const std::vector<std::string> & known, const JointVector & position, double velocity)
{
  JointTolerances out;
  out.position.resize(position.size());
  out.velocity = JointVector::Constant(position.size(), allowance(0.0, velocity));
  for (Eigen::Index i = 0; i < position.size(); ++i) {
    out.position[i] = allowance(0.0, position[i]);
  }
  for (const Goal::Tolerance & tolerance : asked) {
    const std::string where = std::string(key) + ": joint '" + tolerance.joint + "'";
    const auto at = std::find(goal.joints.begin(), goal.joints.end(), tolerance.joint);
    if (at == goal.joints.end()) {
      return bad_goal(where + " is none of the goal's; expected one of " + listed(goal.joints));
    }
    if (!is_allowance(tolerance.position) || !is_allowance(tolerance.velocity)) {
      return bad_goal(where + ": expected positive numbers, 0 for the default or -1 for any error");
    }
    const auto place = std::find(known.begin(), known.end(), tolerance.joint) - known.begin();
    out.position[place] = allowance(tolerance.position, position[place]);
    out.velocity[place] = allowance(tolerance.velocity, velocity);
  }
  return out;
}

}  // namespace

std::vector<std::string> followed_joints(const Arm & arm, bool with_jaw)
{
  std::vector<std::string> names = arm.joint_names();
  if (with_jaw) { names.emplace_back("jaw"); }
  return names;
}

FollowDefaults follow_defaults(const Arm & arm, bool with_jaw)
{
  FollowDefaults defaults;
  defaults.path = defaults.end = zeros(arm.joints() + (with_jaw ? 1 : 0));
  for (int i = 0; i < arm.joints(); ++i) { defaults.end[i] = arm.slides(i) ? 0.005 : 0.02; }
  return defaults;
}

ambf_adf::expected<FollowPlan, FollowOutcome> plan_following(
  const Goal & goal, const Arm & arm, bool with_jaw, const MotionState & start,
  const FollowDefaults & defaults)
{
  const std::vector<std::string> known = followed_joints(arm, with_jaw);
  const auto places = places_of(goal, arm, known);
  if (!places) { return tl::unexpected(places.error()); }
  auto points = points_of(goal, arm, *places, start);
  if (!points) { return tl::unexpected(points.error()); }
  auto path = tolerances_of(goal.path, "path_tolerance", goal, known, defaults.path, 0.0);
  if (!path) { return tl::unexpected(path.error()); }
  auto end =
    tolerances_of(goal.end, "goal_tolerance", goal, known, defaults.end, defaults.stopped_velocity);
  if (!end) { return tl::unexpected(end.error()); }
  if (!is_allowance(goal.end_time)) {
    return bad_goal(
      "goal_time_tolerance: found " + number(goal.end_time) +
      " s, expected 0 (the default), a time, or -1 (any)");
  }
  if (!(goal.begins_in <= longest_wait)) {
    return bad_goal(
      "header.stamp: it is " + number(goal.begins_in) +
      " s ahead of the simulation, by another clock? Expected the time of the simulation, or 0 to "
      "begin at once");
  }
  MotionState from = start;
  std::vector<bool> named(known.size(), false);
  for (const Eigen::Index place : *places) { named[static_cast<std::size_t>(place)] = true; }
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (named[i]) { continue; }
    from.velocity[static_cast<Eigen::Index>(i)] = 0.0;
    from.acceleration[static_cast<Eigen::Index>(i)] = 0.0;
    // What holds is not measured by the goal.
    for (JointTolerances * t : {&*path, &*end}) {
      t->position[static_cast<Eigen::Index>(i)] = any_error;
      t->velocity[static_cast<Eigen::Index>(i)] = any_error;
    }
  }
  auto trajectory = from_setpoint(std::move(*points), from, goal.begins_in);
  if (!trajectory) { return tl::unexpected(trajectory.error()); }
  FollowPlan plan;
  plan.trajectory = std::move(*trajectory);
  plan.path = std::move(*path);
  plan.end = std::move(*end);
  plan.end_time = allowance(goal.end_time, defaults.end_time);
  plan.begins_in = goal.begins_in;
  plan.moves_jaw = with_jaw && named.back();
  return plan;
}

}  // namespace ambf_arms
