// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_planning/timed_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ambf_planning
{
namespace
{

/// The limits of a share of a way: those of the joint that reaches its own first.
ambf_arms::AxisLimits limits_along(
  const JointVector & way, const ambf_arms::MotionLimits & limits,
  const ambf_arms::MotionRatio & ratio)
{
  const double infinite = std::numeric_limits<double>::infinity();
  ambf_arms::AxisLimits out{infinite, infinite, infinite};
  for (Eigen::Index i = 0; i < way.size(); ++i) {
    const double size = std::abs(way[i]);
    if (size < 1e-12) { continue; }
    out.velocity = std::min(out.velocity, ratio.velocity * limits.velocity[i] / size);
    out.acceleration =
      std::min(out.acceleration, ratio.acceleration * limits.acceleration[i] / size);
    out.jerk = std::min(out.jerk, ratio.acceleration * limits.jerk[i] / size);
  }
  return out;
}

constexpr double look_period = 0.001;  // [s] at which a rounded corner is compared with the limits

}  // namespace

TimedPath::TimedPath(
  const std::vector<JointVector> & path, const ambf_arms::MotionLimits & limits,
  const ambf_arms::MotionRatio & ratio, const Free & free)
{
  if (path.empty()) { return; }
  begin_ = path.front();
  ambf_arms::MotionLimits reduced = limits;
  reduced.velocity *= ratio.velocity;
  reduced.acceleration *= ratio.acceleration;
  reduced.jerk *= ratio.acceleration;
  // Two pieces at once, each with its jerk, may change by this much between two looks.
  const JointVector acceleration =
    (reduced.acceleration - look_period * reduced.jerk).cwiseMax(0.5 * reduced.acceleration);
  for (std::size_t k = 1; k < path.size(); ++k) {
    Piece piece;
    piece.from = path[k - 1];
    piece.way = path[k] - path[k - 1];
    if (piece.way.cwiseAbs().maxCoeff() < 1e-12) { continue; }
    piece.profile = ambf_arms::fastest_profile({}, 1.0, limits_along(piece.way, limits, ratio));
    piece.duration = piece.profile.duration();
    const double rest = duration();
    piece.begins = rest;
    pieces_.push_back(piece);
    if (!free || pieces_.size() == 1) { continue; }
    const Piece & before = pieces_[pieces_.size() - 2];
    // No further back than the middle of the one before, and than the end of the one before that.
    double room = 0.5 * std::min(before.duration, piece.duration);
    if (pieces_.size() > 2) {
      const Piece & earlier = pieces_[pieces_.size() - 3];
      room = std::min(room, rest - (earlier.begins + earlier.duration));
    }
    for (double overlap = room; overlap > 0.01 * room && overlap > 1e-4; overlap *= 0.6) {
      pieces_.back().begins = rest - overlap;
      bool within = true;
      MotionState state;
      for (double t = rest - overlap; within && t <= rest; t += look_period) {
        sample(t, state);
        within = (state.velocity.cwiseAbs() - reduced.velocity).maxCoeff() <= 1e-9 &&
                 (state.acceleration.cwiseAbs() - acceleration).maxCoeff() <= 1e-9;
      }
      if (within && free(*this, rest - overlap, rest)) { break; }
      pieces_.back().begins = rest;
    }
  }
}

double TimedPath::duration() const
{
  return pieces_.empty() ? 0.0 : pieces_.back().begins + pieces_.back().duration;
}

void TimedPath::sample(double time, MotionState & out) const
{
  out.position = begin_;
  out.velocity = out.acceleration = JointVector::Zero(begin_.size());
  for (const Piece & piece : pieces_) {
    if (time <= piece.begins) { break; }
    const double since = time - piece.begins;
    if (since >= piece.duration) {
      out.position = piece.from + piece.way;
      continue;
    }
    // From where the pieces before it lead to, which may not be quite reached yet.
    const ambf_arms::AxisState share = piece.profile.at(since);
    out.position += share.position * piece.way;
    out.velocity += share.velocity * piece.way;
    out.acceleration += share.acceleration * piece.way;
  }
}

std::vector<std::pair<double, MotionState>> TimedPath::samples(double period) const
{
  std::vector<std::pair<double, MotionState>> out;
  const double end = duration();
  const int count = std::max(1, static_cast<int>(std::ceil(end / period - 1e-9)));
  for (int k = 0; k <= count; ++k) {
    const double time = end * k / count;
    out.emplace_back(time, MotionState{});
    sample(time, out.back().second);
  }
  return out;
}

double TimedPath::load(const ambf_arms::MotionLimits & limits, double period) const
{
  double most = 0.0;
  for (const auto & [time, state] : samples(period)) {
    most = std::max(most, state.velocity.cwiseAbs().cwiseQuotient(limits.velocity).maxCoeff());
    most =
      std::max(most, state.acceleration.cwiseAbs().cwiseQuotient(limits.acceleration).maxCoeff());
  }
  return most;
}

}  // namespace ambf_planning
