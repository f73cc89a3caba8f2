// SPDX-License-Identifier: BSD-3-Clause
// Parts of plan.hpp that need no search: a motion looked at again, a free posture nearby, names of codes.

#include <algorithm>
#include <cmath>
#include <random>

#include "path_measures.hpp"

namespace ambf_planning
{

const char * to_string(PlanCode code)
{
  switch (code) {
    case PlanCode::Success:
      return "success";
    case PlanCode::BadRequest:
      return "bad request";
    case PlanCode::UnknownPlanner:
      return "unknown planner";
    case PlanCode::BadParameter:
      return "bad parameter";
    case PlanCode::StartOutOfLimits:
      return "start out of limits";
    case PlanCode::GoalOutOfLimits:
      return "goal out of limits";
    case PlanCode::StartInCollision:
      return "start in collision";
    case PlanCode::GoalInCollision:
      return "goal in collision";
    case PlanCode::StartBreaksConstraint:
      return "start breaks a constraint";
    case PlanCode::GoalBreaksConstraint:
      return "goal breaks a constraint";
    case PlanCode::Unreachable:
      return "unreachable";
    case PlanCode::NoSolution:
      return "no solution";
    case PlanCode::Cancelled:
      return "cancelled";
  }
  return "unknown";
}

JointVector joint_weights(const ambf_arms::Arm & arm)
{
  JointVector weights = JointVector::Ones(arm.joints());
  for (int i = 0; i < arm.joints(); ++i) {
    if (arm.slides(i)) { weights[i] = 5.0; }
  }
  return weights;
}

std::optional<Proximity> first_contact(
  const ArmChecker & checker, const TimedPath & motion, double from, double tolerance)
{
  const double end = motion.duration();
  MotionState before;
  MotionState after;
  double time = std::clamp(from, 0.0, end);
  motion.sample(time, before);
  do {
    time = std::min(end, time + straight_period);
    motion.sample(time, after);
    const Sweep sweep = checker.sweep(before.position, after.position, tolerance);
    if (!sweep.free) { return sweep.contact; }
    before = after;
  } while (time < end);
  return {};
}

std::optional<JointVector> nearest_free(
  const ArmChecker & checker, const Constraints & constraints, const JointVector & q,
  std::uint64_t seed)
{
  const ArmBodies & arm = checker.bodies();
  const JointVector weights = joint_weights(arm.arm());
  const auto distance = [&](const JointVector & other) {
    return weights.cwiseProduct(other - q).norm();
  };
  const auto usable = [&](const JointVector & other) {
    return keeps(constraints, arm, other) && !checker.collides(other);
  };
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::optional<JointVector> best;
  for (int k = 0; k < 2000; ++k) {
    const double spread = 0.01 * std::pow(200.0, k / 2000.0);
    JointVector other = q;
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      other[i] += spread * normal(random) / weights[i];
    }
    if (!project(constraints, arm, other)) { continue; }
    if (best && distance(other) >= distance(*best)) { continue; }
    if (!usable(other)) { continue; }
    // Nearer on the way back.
    for (int i = 0; i < 8; ++i) {
      JointVector nearer = 0.5 * (q + other);
      if (!project(constraints, arm, nearer) || !usable(nearer)) { break; }
      other = nearer;
    }
    best = other;
  }
  return best;
}

}  // namespace ambf_planning
