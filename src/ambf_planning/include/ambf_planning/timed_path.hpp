// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "ambf_arms/arm.hpp"

namespace ambf_planning
{

using ambf_arms::JointVector;
using ambf_arms::MotionState;

/// A path of straight pieces in joint space as a motion within an arm's limits of velocity, acceleration and
/// jerk. Each piece goes from rest to rest; where there is room the next one begins while the one before it
/// still brakes, which rounds the corner between them.
class TimedPath
{
public:
  /// Is the motion free between these two times? Asked for each corner that would be rounded.
  using Free = std::function<bool(const TimedPath & path, double from, double to)>;

  TimedPath() = default;
  /// `free`: none: no corner is rounded. A path of fewer than two different postures has no duration.
  TimedPath(
    const std::vector<JointVector> & path, const ambf_arms::MotionLimits & limits,
    const ambf_arms::MotionRatio & ratio = {}, const Free & free = {});

  double duration() const;
  /// Before the begin: the begin at rest; after the end: the end at rest.
  void sample(double time, MotionState & out) const;
  /// States every `period` [s], the last one at the end; at least the begin and the end.
  std::vector<std::pair<double, MotionState>> samples(double period) const;
  /// Greatest share of a limit that any joint uses, looked at every `period` [s]: at most 1 is within.
  double load(const ambf_arms::MotionLimits & limits, double period) const;

private:
  struct Piece
  {
    double begins = 0.0;
    JointVector from, way;
    ambf_arms::AxisProfile profile;  ///< of the share of the way
    double duration = 0.0;
  };
  std::vector<Piece> pieces_;
  JointVector begin_;
};

}  // namespace ambf_planning
