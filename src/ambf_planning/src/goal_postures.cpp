// SPDX-License-Identifier: BSD-3-Clause
#include "goal_postures.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ambf_planning
{
namespace
{

using ambf_arms::Arm;

constexpr double slack = 1e-6;  // of goals beyond limits: rounding [rad or m]
/// Postures that reach one goal: more make no search shorter.
constexpr std::size_t enough = 16;

JointVector random_posture(const Arm & arm, std::mt19937_64 & random)
{
  const auto & bounds = arm.bounds();
  JointVector q(arm.joints());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const double low = std::max(bounds.low[i], -6.3);
    const double high = std::min(bounds.high[i], 6.3);
    q[i] = std::uniform_real_distribution<double>(low, high)(random);
  }
  return q;
}

Eigen::Vector3d in_ball(double radius, std::mt19937_64 & random)
{
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  Eigen::Vector3d v;
  do {
    v = {unit(random), unit(random), unit(random)};
  } while (v.squaredNorm() > 1.0);
  return radius * v;
}

Eigen::Quaterniond random_turn(std::mt19937_64 & random)
{
  std::normal_distribution<double> normal;
  Eigen::Quaterniond q(normal(random), normal(random), normal(random), normal(random));
  return q.norm() > 1e-9 ? q.normalized() : Eigen::Quaterniond::Identity();
}

GoalPostures refused(PlanCode code, std::string text)
{
  GoalPostures out;
  out.code = code;
  out.text = std::move(text);
  return out;
}

/// Sorts out which of the postures that reach a goal are free and keep the constraints.
GoalPostures usable(const SearchContext & context, const std::vector<JointVector> & reaching)
{
  GoalPostures out;
  std::optional<std::string> breaks;
  for (const JointVector & q : reaching) {
    const auto & arm = context.checker->bodies();
    if (const auto text = broken(context.constraints, arm, q)) {
      breaks = breaks ? breaks : text;
      continue;
    }
    auto contacts = context.checker->contacts(q);
    if (contacts.empty()) {
      out.postures.push_back(q);
    } else if (!out.blocked || contacts.front().distance > out.contacts.front().distance) {
      out.blocked = q;
      out.contacts = std::move(contacts);
    }
  }
  if (!out.postures.empty()) {
    out.contacts.clear();
    out.blocked.reset();
    return out;
  }
  if (out.blocked) {
    out.code = PlanCode::GoalInCollision;
    out.text = "the goal is in collision: " + in_words(*context.checker, out.contacts);
  } else {
    out.code = PlanCode::GoalBreaksConstraint;
    out.text = "the goal breaks a constraint: " + *breaks;
  }
  return out;
}

GoalPostures of_joints(const SearchContext & context, JointVector q)
{
  const Arm & arm = context.checker->bodies().arm();
  if (q.size() != arm.joints() || !q.allFinite()) {
    return refused(
      PlanCode::BadRequest, "the goal: expected " + std::to_string(arm.joints()) +
                              " finite joint values, got " + std::to_string(q.size()));
  }
  if (const auto text = clip_within(arm, slack, q)) {
    return refused(PlanCode::GoalOutOfLimits, "the goal: " + *text);
  }
  return usable(context, {q});
}

GoalPostures of_tip(const SearchContext & context, const TipGoal & goal, const JointVector & near)
{
  const auto positive = [](double x) { return std::isfinite(x) && x > 0.0; };
  const double norm = goal.orientation ? goal.orientation->norm() : 1.0;
  if (
    !goal.position.allFinite() || !std::isfinite(norm) || norm < 1e-9 || !(goal.radius >= 0.0) ||
    !std::isfinite(goal.radius) || !positive(goal.position_tolerance) ||
    !positive(goal.angle_tolerance)) {
    return refused(
      PlanCode::BadRequest,
      "the goal: expected a finite position, a quaternion that is not zero, a radius of at least 0 "
      "m "
      "and tolerances above 0");
  }
  const ArmBodies & bodies = context.checker->bodies();
  const Arm & arm = bodies.arm();
  std::mt19937_64 random(context.seed);
  std::vector<JointVector> reaching;
  std::optional<ambf_arms::Solution> best;
  const bool one_pose = goal.orientation && goal.radius == 0.0;
  const int attempts = one_pose ? 24 : 200;
  const Eigen::Isometry3d t_base_world = bodies.base().inverse();
  const Eigen::Quaterniond now(bodies.tip(near).linear());
  for (int k = 0; k < attempts && reaching.size() < enough; ++k) {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = goal.position;
    if (goal.radius > 0.0 && k > 0) { pose.translation() += in_ball(goal.radius, random); }
    const Eigen::Quaterniond turn = goal.orientation ? goal.orientation->normalized()
                                    : k == 0         ? now
                                                     : random_turn(random);
    pose.linear() = turn.toRotationMatrix();
    const JointVector seed = k == 0 ? near : k == 1 ? arm.home() : random_posture(arm, random);
    auto solution = arm.inverse_local(t_base_world * pose, seed, ambf_arms::restarts_of_moves);
    if (!solution || !solution->q.allFinite()) { continue; }
    // What counts is where the tip is: arms with few joints may miss an angle, a region is wide.
    const Eigen::Isometry3d tip = bodies.tip(solution->q);
    const double off = (tip.translation() - goal.position).norm() - goal.radius;
    const bool turned = goal.orientation && solution->angle_error > goal.angle_tolerance;
    if (off <= goal.position_tolerance && !turned) {
      const auto same = [&](const JointVector & q) { return (q - solution->q).norm() < 1e-4; };
      if (std::none_of(reaching.begin(), reaching.end(), same)) { reaching.push_back(solution->q); }
    } else if (!best || solution->position_error < best->position_error) {
      best = *solution;
    }
  }
  if (!reaching.empty()) { return usable(context, reaching); }
  std::string text = "the tip cannot reach the goal";
  if (best) {
    const std::string how = ambf_arms::how_far_off(arm, *best);
    if (!how.empty()) { text += ": the nearest posture is " + how; }
  }
  return refused(PlanCode::Unreachable, text);
}

}  // namespace

std::optional<std::string> clip_within(const ambf_arms::Arm & arm, double most, JointVector & q)
{
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const double low = arm.bounds().low[i];
    const double high = arm.bounds().high[i];
    if (q[i] >= low - most && q[i] <= high + most) { continue; }
    char text[160];
    std::snprintf(
      text, sizeof text, "'%s' is at %.6g, its range is %.6g to %.6g %s",
      arm.joint_names()[static_cast<std::size_t>(i)].c_str(), q[i], low, high,
      arm.slides(static_cast<int>(i)) ? "m" : "rad");
    return text;
  }
  ambf_arms::clip(arm.bounds(), q);
  return {};
}

GoalPostures find_goal(const SearchContext & context, const Goal & goal, const JointVector & near)
{
  if (const auto * joints = std::get_if<JointGoal>(&goal)) { return of_joints(context, joints->q); }
  return of_tip(context, std::get<TipGoal>(goal), near);
}

}  // namespace ambf_planning
