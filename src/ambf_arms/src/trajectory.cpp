// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_arms/trajectory.hpp"

#include <algorithm>
#include <cmath>

namespace ambf_arms
{
namespace
{

bool positive(const JointVector & v) noexcept { return v.allFinite() && (v.array() > 0.0).all(); }

}  // namespace

Result<void> Trajectory::plan(
  const MotionState & start, const JointVector & goal, const MotionLimits & limits,
  const MotionRatio & ratio) noexcept
{
  const Eigen::Index n = goal.size();
  if (
    start.position.size() != n || start.velocity.size() != n || start.acceleration.size() != n ||
    limits.velocity.size() != n || limits.acceleration.size() != n || limits.jerk.size() != n) {
    return tl::unexpected(Refusal::WrongSize);
  }
  if (
    !goal.allFinite() || !start.position.allFinite() || !start.velocity.allFinite() ||
    !start.acceleration.allFinite()) {
    return tl::unexpected(Refusal::NotFinite);
  }
  if (!positive(limits.velocity) || !positive(limits.acceleration) || !positive(limits.jerk)) {
    return tl::unexpected(Refusal::BadLimits);
  }
  const auto ratio_ok = [](double r) { return r > 0.0 && r <= 1.0; };
  if (!ratio_ok(ratio.velocity) || !ratio_ok(ratio.acceleration)) {
    return tl::unexpected(Refusal::BadRatio);
  }
  const auto axis = [&](Eigen::Index i) -> AxisState {
    return {start.position[i], start.velocity[i], start.acceleration[i]};
  };
  const auto axis_limits = [&](Eigen::Index i) -> AxisLimits {
    return {
      ratio.velocity * limits.velocity[i], ratio.acceleration * limits.acceleration[i],
      ratio.acceleration * limits.jerk[i]};
  };
  std::array<AxisProfile, max_joints> profiles;
  double duration = 0.0;
  for (Eigen::Index i = 0; i < n; ++i) {
    AxisProfile & profile = profiles[static_cast<std::size_t>(i)];
    profile = fastest_profile(axis(i), goal[i], axis_limits(i));
    duration = std::max(duration, profile.duration());
  }
  // The slowest joint sets the pace; one that cannot keep it exactly makes it slower.
  for (int round = 0; round < 4 * static_cast<int>(n) + 1; ++round) {
    double wanted = duration;
    for (Eigen::Index i = 0; i < n; ++i) {
      double next = duration;
      if (!stretched_profile(
            axis(i), goal[i], axis_limits(i), duration, profiles[static_cast<std::size_t>(i)],
            next)) {
        wanted = std::max(wanted, next);
      }
    }
    if (wanted <= duration) { break; }
    duration = wanted;
  }
  profiles_ = profiles;
  goal_ = goal;
  duration_ = duration;
  return {};
}

void Trajectory::sample(double time, MotionState & out) const noexcept
{
  const Eigen::Index n = goal_.size();
  out.position.resize(n);
  out.velocity.resize(n);
  out.acceleration.resize(n);
  if (time >= duration_) {
    out.position = goal_;
    out.velocity.setZero();
    out.acceleration.setZero();
    return;
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    const AxisState s = profiles_[static_cast<std::size_t>(i)].at(time);
    out.position[i] = s.position;
    out.velocity[i] = s.velocity;
    out.acceleration[i] = s.acceleration;
  }
}

}  // namespace ambf_arms
