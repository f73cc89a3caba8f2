// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "ambf_arms/types.hpp"

// Motion from any state to rest at a goal, as fast as the limits allow, all joints arriving together.

namespace ambf_arms
{

struct AxisState
{
  double position = 0.0;
  double velocity = 0.0;
  double acceleration = 0.0;
};

struct AxisLimits
{
  double velocity = 1.0;
  double acceleration = 1.0;
  double jerk = 10.0;
};

/// Phases of constant jerk. At most two bring a state from beyond the limits back, then seven.
struct AxisProfile
{
  struct Phase
  {
    double duration = 0.0;
    double jerk = 0.0;
  };
  AxisState start;
  std::array<Phase, 12> phases{};
  int count = 0;

  double duration() const noexcept;
  AxisState at(double time) const noexcept;
};

/// The fastest way to rest at `goal`. A start beyond a limit returns within it first, by the shortest
/// way that the other limits leave; from then on no limit is exceeded.
AxisProfile fastest_profile(
  const AxisState & start, double goal, const AxisLimits & limits) noexcept;

/// A profile that takes `duration`. Some durations above the shortest cannot be had: a moving joint
/// either brakes now or goes on. Then false, and `next` is the shortest duration beyond the gap.
bool stretched_profile(
  const AxisState & start, double goal, const AxisLimits & limits, double duration,
  AxisProfile & out, double & next) noexcept;

/// Limits of all joints; each positive and finite.
struct MotionLimits
{
  JointVector velocity;      ///< [rad/s or m/s]
  JointVector acceleration;  ///< [rad/s^2 or m/s^2]
  JointVector jerk;          ///< [rad/s^3 or m/s^3]
};

/// The speed ratios of a dVRK arm: of velocities, and of accelerations with their jerks.
struct MotionRatio
{
  double velocity = 1.0;
  double acceleration = 1.0;
};

struct MotionState
{
  JointVector position;
  JointVector velocity;
  JointVector acceleration;
};

/// A motion of all joints to rest at a goal. Planning again while it runs, from what `sample` gave
/// last, replaces the goal without a jump in position, velocity or acceleration.
class Trajectory
{
public:
  /// Joints that have nothing to do wait; all others arrive at the same time.
  Result<void> plan(
    const MotionState & start, const JointVector & goal, const MotionLimits & limits,
    const MotionRatio & ratio = {}) noexcept;

  double duration() const noexcept { return duration_; }
  const JointVector & goal() const noexcept { return goal_; }
  /// State at a time since the start; from `duration` on exactly the goal, at rest.
  void sample(double time, MotionState & out) const noexcept;

private:
  std::array<AxisProfile, max_joints> profiles_{};
  JointVector goal_;
  double duration_ = 0.0;
};

}  // namespace ambf_arms
