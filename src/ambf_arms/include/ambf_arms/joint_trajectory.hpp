// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ambf_adf/expected.hpp"
#include "ambf_arms/arm.hpp"
#include "ambf_arms/trajectory.hpp"
#include "ambf_arms/types.hpp"

// Trajectories that others have planned: points that are to be passed at given times, as the action
// FollowJointTrajectory of ROS has them.

namespace ambf_arms
{

/// What became of somebody's trajectory. The numbers are those of the action.
enum class FollowCode : std::int32_t
{
  Successful = 0,
  InvalidGoal = -1,
  InvalidJoints = -2,
  OldHeaderTimestamp = -3,
  PathToleranceViolated = -4,
  GoalToleranceViolated = -5,
};

struct FollowOutcome
{
  FollowCode code = FollowCode::Successful;
  std::string text;  ///< for people
};

/// A goal as a client writes it; nothing of it has been checked.
struct JointTrajectoryGoal
{
  struct Point
  {
    double time = 0.0;  ///< since the trajectory's begin [s]
    std::vector<double> positions, velocities, accelerations;
  };
  /// 0: the default of the arm; -1: any error will do.
  struct Tolerance
  {
    std::string joint;
    double position = 0.0;  ///< [rad or m]
    double velocity = 0.0;  ///< [rad/s or m/s]
  };
  std::vector<std::string> joints;
  std::vector<Point> points;
  std::vector<Tolerance> path, end;
  double end_time = 0.0;   ///< how late the end may be reached [s]; 0: the default; -1: at any time
  double begins_in = 0.0;  ///< [s]; negative: the begin is past
};

/// What holds where a goal says nothing, one value per joint, the jaw last. 0: any error will do.
struct FollowDefaults
{
  JointVector path;                ///< position on the way [rad or m]
  JointVector end;                 ///< position at the end [rad or m]
  double stopped_velocity = 0.01;  ///< at the end [rad/s or m/s]
  double end_time = 2.0;           ///< [s]; 0: at any time
};

/// How the joints of an arm are called by clients, the jaw last where the arm drives one.
std::vector<std::string> followed_joints(const Arm & arm, bool with_jaw);
/// 0.02 rad or 0.005 m at the end, anything on the way; a jaw may be stopped by what it holds.
FollowDefaults follow_defaults(const Arm & arm, bool with_jaw);

/// Points that are passed at their times. Between two of them each joint moves by the simplest
/// polynomial through what both give: positions: linear; with velocities: cubic; with accelerations,
/// too: quintic.
class PointTrajectory
{
public:
  struct Point
  {
    double time = 0.0;
    MotionState state;
    int order = 0;  ///< 0: position alone, 1: with velocity, 2: with acceleration
  };

  PointTrajectory() = default;
  /// At least one point, times not falling; all states of the same size.
  explicit PointTrajectory(std::vector<Point> points) : points_(std::move(points)) {}

  double duration() const noexcept { return points_.empty() ? 0.0 : points_.back().time; }
  /// Before the first point: there; after the last one: there, at rest.
  void sample(double time, MotionState & out) const noexcept;

private:
  std::vector<Point> points_;
};

/// Bounds of errors, one per joint; infinity: any error will do.
struct JointTolerances
{
  JointVector position;
  JointVector velocity;

  /// The first joint whose error is too large; -1: none.
  int violated(
    const JointVector & position_error, const JointVector & velocity_error) const noexcept;
};

/// A goal that was found to be good.
struct FollowPlan
{
  PointTrajectory trajectory;  ///< of all joints, the jaw last
  JointTolerances path, end;
  double end_time = 0.0;   ///< infinity: at any time
  double begins_in = 0.0;  ///< [s]
  bool moves_jaw = false;
};

/// Checks all of a goal: the first thing that is wrong is reported. `start` is the set-point, of the
/// joints and of the jaw where the arm drives one; the motion begins there, whatever the goal's first
/// point says, and points whose time is past are left out. A goal names all joints of the arm, all of
/// them and the jaw, or the jaw alone; those that are not named hold.
ambf_adf::expected<FollowPlan, FollowOutcome> plan_following(
  const JointTrajectoryGoal & goal, const Arm & arm, bool with_jaw, const MotionState & start,
  const FollowDefaults & defaults);

}  // namespace ambf_arms
