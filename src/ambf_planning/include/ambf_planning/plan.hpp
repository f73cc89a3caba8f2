// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ambf_planning/arm_checker.hpp"
#include "ambf_planning/constraints.hpp"
#include "ambf_planning/timed_path.hpp"

namespace ambf_planning
{

/// One value per joint.
struct JointGoal
{
  JointVector q;
};

/// Where the tip is to be: at a point, or in a ball around it; with an orientation, or with any.
struct TipGoal
{
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< {W} [m]
  std::optional<Eigen::Quaterniond> orientation;       ///< {W}
  double radius = 0.0;                                 ///< of the region [m]; 0: the point
  double position_tolerance = 1e-4;                    ///< [m]
  double angle_tolerance = 1e-3;                       ///< [rad]
};

using Goal = std::variant<JointGoal, TipGoal>;

/// When a search ends. Without a cost it ends with the first solution, unless `until_time`.
struct Termination
{
  double time = 5.0;           ///< [s] of wall time, for all pieces of a request together
  std::optional<double> cost;  ///< good enough: length of the path in weighted joint space
  bool until_time = false;     ///< optimising planners go on until the time is over
};

struct PlanRequest
{
  JointVector start;
  std::vector<Goal> goals;  ///< one after the other: all but the last are waypoints
  Constraints constraints;
  std::string planner = "RRTConnect";
  std::map<std::string, std::string> parameters;  ///< of the planner, as OMPL has them
  Termination termination;
  bool simplify = true;
  /// A motion is looked at so closely that nothing deeper than this is missed [m].
  double tolerance = 2e-4;
  ambf_arms::MotionRatio ratio;
  std::uint64_t seed = 1;  ///< of what is drawn here; the planners of OMPL have their own
};

/// How a plan ended. The numbers are those of ambf_msgs/action/Plan.
enum class PlanCode : std::int32_t
{
  Success = 0,
  BadRequest = -1,
  UnknownPlanner = -2,
  BadParameter = -3,
  StartOutOfLimits = -4,
  GoalOutOfLimits = -5,
  StartInCollision = -6,
  GoalInCollision = -7,
  StartBreaksConstraint = -8,
  GoalBreaksConstraint = -9,
  Unreachable = -10,
  NoSolution = -11,
  Cancelled = -12,
};
/// "start in collision"
const char * to_string(PlanCode code);

struct PlanStatistics
{
  double time = 0.0;         ///< [s] of wall time, all in all
  double search_time = 0.0;  ///< of it in the planner [s]
  std::size_t states = 0;    ///< in the planner's tree or graph
  std::size_t state_checks = 0;
  std::size_t motion_checks = 0;
  double length = 0.0;     ///< of the path, in weighted joint space
  double clearance = 0.0;  ///< least distance along the path [m]
  double smoothness =
    0.0;  ///< sum of squared turns at the path's corners over the length; 0: straight
};

struct PlanResult
{
  PlanCode code = PlanCode::Success;
  std::string text;  ///< a sentence for people
  std::vector<JointVector> path;
  std::vector<std::size_t> waypoints;  ///< where in the path each goal is reached
  TimedPath motion;
  PlanStatistics statistics;
  /// What is in the way, of a start or goal in collision.
  std::vector<Proximity> contacts;
  /// A posture nearby that is free, where start or goal is not.
  std::optional<JointVector> nearest_free;

  explicit operator bool() const { return code == PlanCode::Success; }
};

/// What a search has found so far: edges between the tip's places.
struct PlanProgress
{
  double time = 0.0;
  std::size_t states = 0;
  std::vector<std::pair<Eigen::Vector3d, Eigen::Vector3d>> edges;  ///< {W} [m]
};

struct PlanHooks
{
  std::function<bool()> cancelled;                     ///< asked often, from the planning thread
  std::function<void(const PlanProgress &)> progress;  ///< now and then, from the planning thread
  double progress_period = 0.2;                        ///< [s]
};

/// Names of the planners, as `PlanRequest::planner` takes them; case, '-' and ' ' do not count, '*' is "star".
std::vector<std::string> planner_names();

/// Finds a motion. Never throws for what a request says, and never returns a path that was not checked as a
/// whole against the checker's scene and the constraints.
PlanResult plan(
  std::shared_ptr<const ArmChecker> checker, const PlanRequest & request,
  const PlanHooks & hooks = {});

/// Is a motion free from one time on, looked at as closely as `tolerance` says? The contact where it is not.
std::optional<Proximity> first_contact(
  const ArmChecker & checker, const TimedPath & motion, double from, double tolerance);

/// The nearest free posture that a search finds, by weighted joint distance.
std::optional<JointVector> nearest_free(
  const ArmChecker & checker, const Constraints & constraints, const JointVector & q,
  std::uint64_t seed = 1);

/// Weights that make joints comparable: 1 for a turn [1/rad], 5 for a slide [1/m].
JointVector joint_weights(const ambf_arms::Arm & arm);

}  // namespace ambf_planning
