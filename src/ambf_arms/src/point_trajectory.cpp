// SPDX-License-Identifier: BSD-3-Clause
// Polynomials between the points of somebody's trajectory.

#include <algorithm>
#include <cmath>

#include "ambf_arms/joint_trajectory.hpp"

namespace ambf_arms
{
namespace
{

/// Coefficients c0 .. c5 of a polynomial in time since `a`, through what both ends give.
struct Polynomial
{
  double c[6] = {};

  AxisState at(double t) const noexcept
  {
    AxisState s;
    s.position = c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * c[5]))));
    s.velocity = c[1] + t * (2 * c[2] + t * (3 * c[3] + t * (4 * c[4] + t * 5 * c[5])));
    s.acceleration = 2 * c[2] + t * (6 * c[3] + t * (12 * c[4] + t * 20 * c[5]));
    return s;
  }
};

Polynomial between(const AxisState & a, const AxisState & b, double T, int order) noexcept
{
  const double way = b.position - a.position;
  Polynomial p;
  p.c[0] = a.position;
  if (order == 0) {
    p.c[1] = way / T;
    return p;
  }
  p.c[1] = a.velocity;
  if (order == 1) {
    p.c[2] = (3.0 * way / T - 2.0 * a.velocity - b.velocity) / T;
    p.c[3] = (a.velocity + b.velocity - 2.0 * way / T) / (T * T);
    return p;
  }
  // What is left at the end of the motion that `a` alone would give, in units of T.
  const double x = way - T * (a.velocity + 0.5 * T * a.acceleration);
  const double v = T * (b.velocity - a.velocity - T * a.acceleration);
  const double w = T * T * (b.acceleration - a.acceleration);
  p.c[2] = 0.5 * a.acceleration;
  p.c[3] = (10.0 * x - 4.0 * v + 0.5 * w) / (T * T * T);
  p.c[4] = (-15.0 * x + 7.0 * v - w) / (T * T * T * T);
  p.c[5] = (6.0 * x - 3.0 * v + 0.5 * w) / (T * T * T * T * T);
  return p;
}

}  // namespace

void PointTrajectory::sample(double time, MotionState & out) const noexcept
{
  if (points_.empty()) { return; }
  const auto after = std::upper_bound(
    points_.begin(), points_.end(), time,
    [](double t, const Point & point) { return t < point.time; });
  if (after == points_.begin() || after == points_.end()) {
    out = after == points_.begin() ? points_.front().state : points_.back().state;
    out.velocity.setZero();
    out.acceleration.setZero();
    return;
  }
  const Point & a = *(after - 1);
  const Point & b = *after;
  const Eigen::Index n = a.state.position.size();
  out.position.resize(n);
  out.velocity.resize(n);
  out.acceleration.resize(n);
  const auto axis = [](const MotionState & s, Eigen::Index i) -> AxisState {
    return {s.position[i], s.velocity[i], s.acceleration[i]};
  };
  for (Eigen::Index i = 0; i < n; ++i) {
    const AxisState s =
      between(axis(a.state, i), axis(b.state, i), b.time - a.time, std::min(a.order, b.order))
        .at(time - a.time);
    out.position[i] = s.position;
    out.velocity[i] = s.velocity;
    out.acceleration[i] = s.acceleration;
  }
}

int JointTolerances::violated(
  const JointVector & position_error, const JointVector & velocity_error) const noexcept
{
  for (Eigen::Index i = 0; i < position.size(); ++i) {
    if (std::abs(position_error[i]) > position[i] || std::abs(velocity_error[i]) > velocity[i]) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

}  // namespace ambf_arms
