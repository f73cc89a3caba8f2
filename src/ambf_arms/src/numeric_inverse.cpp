// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>

#include "ambf_arms/inverse.hpp"
#include "ambf_arms/pose.hpp"

namespace ambf_arms
{
namespace
{

using Matrix6 = Eigen::Matrix<double, 6, 6>;

Vector6 pose_error(
  const Eigen::Isometry3d & now, const Eigen::Isometry3d & goal, double length) noexcept
{
  Vector6 e;
  e.head<3>() = (goal.translation() - now.translation()) / length;
  // In the axes of the base, as the Jacobian's rows.
  e.tail<3>() = rotation_vector(goal.linear() * now.linear().transpose());
  return e;
}

/// A damped step; joints at a limit that it would push further take no part.
JointVector damped_step(
  const Jacobian & jacobian, const Bounds & bounds, const JointVector & q, const Vector6 & error,
  double damping) noexcept
{
  const Eigen::Index n = q.size();
  Jacobian free = jacobian;
  JointVector step(n);
  for (int pass = 0; pass <= static_cast<int>(n); ++pass) {
    Matrix6 gram = free * free.transpose();
    gram.diagonal().array() += damping;
    step.noalias() = free.transpose() * gram.ldlt().solve(error);
    bool pushed = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const bool below = step[i] < 0.0 && q[i] <= bounds.low[i];
      const bool above = step[i] > 0.0 && q[i] >= bounds.high[i];
      if (below || above) {
        free.col(i).setZero();
        step[i] = 0.0;
        pushed = true;
      }
    }
    if (!pushed) { break; }
  }
  return step;
}

struct Try
{
  JointVector q;
  Vector6 error;
  int iterations = 0;
};

bool good(const Vector6 & error, const NumericOptions & options) noexcept
{
  return error.head<3>().norm() * options.length <= options.position_goal &&
         error.tail<3>().norm() <= options.angle_goal;
}

/// Levenberg-Marquardt with a damping in proportion to the squared error, so that it converges
/// quadratically where a solution exists.
Try descend(
  const Chain & chain, const Bounds & bounds, const Eigen::Isometry3d & goal,
  const JointVector & start, const NumericOptions & options) noexcept
{
  Try best;
  best.q = start;
  clip(bounds, best.q);
  TipMotion motion;
  tip_motion(chain, best.q, motion);
  best.error = pose_error(motion.tip, goal, options.length);
  double scale = 1e-3;
  while (best.iterations < options.max_iterations && !good(best.error, options)) {
    ++best.iterations;
    motion.jacobian.topRows<3>() /= options.length;
    const double squared = best.error.squaredNorm();
    bool better = false;
    for (int attempt = 0; attempt < 8 && !better; ++attempt) {
      JointVector q =
        best.q + damped_step(motion.jacobian, bounds, best.q, best.error, scale * squared + 1e-24);
      clip(bounds, q);
      const Vector6 error = pose_error(forward(chain, q), goal, options.length);
      if (error.squaredNorm() < squared) {
        better = error.squaredNorm() < squared * (1.0 - 1e-12);
        best.q = q;
        best.error = error;
        scale = std::max(1e-6, 0.2 * scale);
        break;
      }
      scale = std::min(1e8, 8.0 * scale);
    }
    if (!better) { break; }
    tip_motion(chain, best.q, motion);
  }
  return best;
}

/// Points of the R2 sequence over the range: spread evenly, the same every time.
JointVector spread(const Bounds & bounds, const JointVector & seed, int index) noexcept
{
  JointVector q = seed;
  double root = 2.0;
  const double order = static_cast<double>(q.size());
  for (int i = 0; i < 32; ++i) {  // x^(n + 1) = x + 1
    root = std::pow(1.0 + root, 1.0 / (order + 1.0));
  }
  double step = 1.0;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    step /= root;
    const double fraction = std::fmod(0.5 + step * index, 1.0);
    const double low = std::max(bounds.low[i], seed[i] - 3.2);
    const double high = std::min(bounds.high[i], seed[i] + 3.2);
    q[i] = low + fraction * (high - low);
  }
  return q;
}

}  // namespace

Result<Solution> inverse_numeric(
  const Chain & chain, const Bounds & bounds, const Eigen::Isometry3d & goal,
  const JointVector & seed, const NumericOptions & options) noexcept
{
  if (chain.joints == 0) { return tl::unexpected(Refusal::NoSolution); }
  if (
    seed.size() != chain.joints || bounds.low.size() != chain.joints ||
    bounds.high.size() != chain.joints) {
    return tl::unexpected(Refusal::WrongSize);
  }
  if (!is_finite(goal) || !seed.allFinite()) { return tl::unexpected(Refusal::NotFinite); }
  Try best = descend(chain, bounds, goal, seed, options);
  int iterations = best.iterations;
  for (int i = 1; i <= options.restarts && !good(best.error, options); ++i) {
    const Try other = descend(chain, bounds, goal, spread(bounds, seed, i), options);
    iterations += other.iterations;
    if (other.error.squaredNorm() < best.error.squaredNorm()) { best = other; }
  }
  Solution out;
  out.q = best.q;
  out.position_error = best.error.head<3>().norm() * options.length;
  out.angle_error = best.error.tail<3>().norm();
  out.iterations = iterations;
  if (!good(best.error, options)) {
    // Here the limits hold the arm, if any do.
    for (Eigen::Index i = 0; i < out.q.size(); ++i) {
      if (out.q[i] <= bounds.low[i] || out.q[i] >= bounds.high[i]) { out.clipped |= 1u << i; }
    }
  }
  return out;
}

}  // namespace ambf_arms
