// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include <Eigen/Geometry>

#include "ambf_arms/chain.hpp"
#include "ambf_arms/types.hpp"

// Inverse kinematics. All of them solve, then clip to the limits, and say how far off the result is;
// a goal beyond a limit is no failure. Poses are T_base_tip without the arm's base frame.

namespace ambf_arms
{

/// Range of each joint [rad or m]; infinite where there is none.
struct Bounds
{
  JointVector low;
  JointVector high;
};

struct Solution
{
  JointVector q;
  std::uint32_t clipped = 0;    ///< bit i: joint i was moved to its limit
  double position_error = 0.0;  ///< distance of the reached pose from the goal [m]
  double angle_error = 0.0;     ///< [rad]
  int iterations = 0;           ///< 0: closed form

  /// Within the accuracy that closed forms have.
  bool exact() const noexcept { return position_error < 1e-9 && angle_error < 1e-9; }
};

/// Clips in place; bit i of the result: joint i was beyond its range.
std::uint32_t clip(const Bounds & bounds, JointVector & q) noexcept;

/// Patient-side manipulator with a wristed tool: yaw, pitch and insertion through the remote centre,
/// roll, wrist pitch, wrist yaw (modified DH as in dvrk_arms.hpp).
struct PsmGeometry
{
  double insertion_offset = -0.4318;                      ///< of the third row [m]
  double shaft = 0.4162;                                  ///< carriage to wrist pitch axis [m]
  double wrist = 0.0091;                                  ///< wrist pitch to wrist yaw axis [m]
  double roll_offset = 0.0;                               ///< theta of the roll row [rad]
  Eigen::Isometry3d tip = Eigen::Isometry3d::Identity();  ///< in the frame of the wrist yaw
  /// The wrist stays at least this far from the remote centre [m], so that the cannula is left.
  double cannula_stop = 0.045;
};
/// Exact for every pose whose wrist pitch is within a quarter turn: there is just one. A goal whose
/// wrist lies within 1 mm of the remote centre is refused. An arm that is already closer than
/// `cannula_stop` may stay where it is but not come nearer.
Result<Solution> inverse(
  const PsmGeometry & geometry, const Chain & chain, const Bounds & bounds,
  const Eigen::Isometry3d & goal, const JointVector & seed) noexcept;

/// Endoscopic camera manipulator: yaw, pitch, insertion, roll. The position is met; of the
/// orientation only the turn about the shaft can be, so the goal is first turned onto the shaft.
struct EcmGeometry
{
  double insertion_offset = -0.3822;  ///< [m]
  double shaft = 0.3829;              ///< [m]
  /// In the frame of the roll joint; its translation must be along the shaft.
  Eigen::Isometry3d tip = Eigen::Isometry3d::Identity();
  double cannula_stop = 0.040;  ///< [m]
};
Result<Solution> inverse(
  const EcmGeometry & geometry, const Chain & chain, const Bounds & bounds,
  const Eigen::Isometry3d & goal, const JointVector & seed) noexcept;

/// What the platform joint does with the master's spare degree of freedom. The wrist yaw is kept at
/// its middle, away from the gimbal's singular posture, by the platform angle nearest to the seed's.
/// Where the handle is nearly parallel to the platform's axis that angle means little and the
/// platform stays where it is.
struct PlatformRule
{
  double gain = 1.0;   ///< part of the way to that angle per solution, 0..1; 0 keeps the platform
  double fade = 0.35;  ///< sine of the angle between handle and platform axis below which it fades
};

/// Master tool manipulator: three joints place the centre of a gimbal of four (standard DH).
struct MtmGeometry
{
  double upper_arm = 0.2794;  ///< [m]
  double forearm = 0.3645;    ///< [m]
  double platform = 0.1506;   ///< forearm's end to the gimbal's centre [m]
  Eigen::Isometry3d tip = Eigen::Isometry3d::Identity();  ///< in the frame of the wrist roll
  PlatformRule rule;
};
/// A goal out of reach gets the arm stretched or folded towards it.
Result<Solution> inverse(
  const MtmGeometry & geometry, const Chain & chain, const Bounds & bounds,
  const Eigen::Isometry3d & goal, const JointVector & seed) noexcept;

/// Further starts for a goal that may be far from where the arm is; a stream of goals needs none.
inline constexpr int restarts_of_moves = 12;

struct NumericOptions
{
  int max_iterations = 60;       ///< per start
  double position_goal = 1e-10;  ///< good enough [m]
  double angle_goal = 1e-10;     ///< [rad]
  double length = 0.1;           ///< a position error of this [m] weighs as one radian
  int restarts = 0;  ///< further starts spread over the range, for goals far from the seed
};
/// Damped least squares within the limits, for any chain. With fewer than six joints the nearest
/// pose by the weights above.
Result<Solution> inverse_numeric(
  const Chain & chain, const Bounds & bounds, const Eigen::Isometry3d & goal,
  const JointVector & seed, const NumericOptions & options = {}) noexcept;

}  // namespace ambf_arms
