// SPDX-License-Identifier: BSD-3-Clause
// Closed forms for the arms of the da Vinci Research Kit. The DH rows are those of dvrk_arms.cpp; the
// comments name their frames 1 to 7.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "ambf_arms/inverse.hpp"
#include "ambf_arms/pose.hpp"

namespace ambf_arms
{
namespace
{

constexpr double quarter = 0.5 * std::numbers::pi;
/// Nearer to the remote centre than this the direction of the shaft is undefined [m].
constexpr double too_near = 1e-3;

/// Direction of the shaft for yaw and pitch: (sin y cos p, -sin p, -cos y cos p).
void yaw_and_pitch(const Eigen::Vector3d & shaft, double seed_yaw, JointVector & q) noexcept
{
  const double across = std::hypot(shaft.x(), shaft.z());
  q[0] = across > 1e-12 ? std::atan2(shaft.x(), -shaft.z()) : seed_yaw;
  q[1] = std::atan2(-shaft.y(), across);
}

/// Frame 3: x and y across the shaft, z along it.
Eigen::Matrix3d shaft_frame(double yaw, double pitch) noexcept
{
  const double cy = std::cos(yaw), sy = std::sin(yaw), cp = std::cos(pitch), sp = std::sin(pitch);
  Eigen::Matrix3d r;
  r.col(0) = Eigen::Vector3d(-sy * sp, -cp, cy * sp);
  r.col(1) = Eigen::Vector3d(-cy, 0.0, -sy);
  r.col(2) = Eigen::Vector3d(sy * cp, -sp, -cy * cp);
  return r;
}

bool valid(const Bounds & bounds, const JointVector & seed, Eigen::Index joints) noexcept
{
  return seed.size() == joints && bounds.low.size() == joints && bounds.high.size() == joints;
}

void measure(const Chain & chain, const Eigen::Isometry3d & goal, Solution & solution) noexcept
{
  const Eigen::Isometry3d reached = forward(chain, solution.q);
  solution.position_error = (reached.translation() - goal.translation()).norm();
  solution.angle_error = angle_between(reached.linear(), goal.linear());
}

/// Keeps the wrist `stop` away from the remote centre; one that is nearer already may stay there.
bool leave_cannula(double to_depth, double stop, double seed, double & insertion) noexcept
{
  const double least = stop - to_depth;
  if (insertion >= least) { return false; }
  insertion = seed <= least ? std::max(seed, insertion) : least;
  return true;
}

}  // namespace

std::uint32_t clip(const Bounds & bounds, JointVector & q) noexcept
{
  std::uint32_t clipped = 0;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    // Rounding at the limit itself is no clipping.
    const double slack = 1e-12;
    if (q[i] < bounds.low[i] - slack || q[i] > bounds.high[i] + slack) { clipped |= 1u << i; }
    q[i] = std::min(std::max(q[i], bounds.low[i]), bounds.high[i]);
  }
  return clipped;
}

Result<Solution> inverse(
  const PsmGeometry & geometry, const Chain & chain, const Bounds & bounds,
  const Eigen::Isometry3d & goal, const JointVector & seed) noexcept
{
  if (!valid(bounds, seed, 6)) { return tl::unexpected(Refusal::WrongSize); }
  if (!is_finite(goal) || !seed.allFinite()) { return tl::unexpected(Refusal::NotFinite); }
  const Eigen::Matrix3d rotation = goal.linear() * geometry.tip.linear().transpose();
  const Eigen::Vector3d p = goal.translation() - rotation * geometry.tip.translation();
  const Eigen::Vector3d yaw_axis = rotation.col(2);  // z6 = y5

  // The shaft passes the remote centre, and the wrist bends in the plane of shaft and yaw axis. So
  // x5, from the pitch axis to the yaw axis, is the part of p that is square to the yaw axis.
  const double height = p.dot(yaw_axis);
  Eigen::Vector3d across = p - height * yaw_axis;
  const double distance = across.norm();
  if (distance > 1e-9) {
    across /= distance;
  } else {
    // Any direction will do: keep the wrist's.
    const Eigen::Matrix3d now = forward(chain, seed, 4).linear();
    across = now.col(0) - now.col(0).dot(yaw_axis) * yaw_axis;
    across = across.norm() > 1e-9 ? Eigen::Vector3d(across.normalized())
                                  : Eigen::Vector3d(yaw_axis.unitOrthogonal());
  }
  const Eigen::Vector3d wrist = p - geometry.wrist * across;  // origin of frames 4 and 5
  const double depth = wrist.norm();
  if (depth < too_near) { return tl::unexpected(Refusal::InsideCannula); }
  const Eigen::Vector3d shaft = wrist / depth;

  Solution out;
  out.q.resize(6);
  JointVector & q = out.q;
  yaw_and_pitch(shaft, seed[0], q);
  const double to_depth = geometry.insertion_offset + geometry.shaft;
  q[2] = depth - to_depth;
  const Eigen::Vector3d pitch_axis = across.cross(yaw_axis);  // z5 = y4
  const Eigen::Matrix3d frame3 = shaft_frame(q[0], q[1]);
  q[3] = std::atan2(-pitch_axis.dot(frame3.col(0)), pitch_axis.dot(frame3.col(1))) -
         geometry.roll_offset;
  q[4] = std::atan2(-shaft.dot(yaw_axis), shaft.dot(across));
  q[5] = std::atan2(rotation.col(0).dot(across), rotation.col(0).dot(pitch_axis));
  q[3] = nearest_turn(q[3], seed[3], bounds.low[3], bounds.high[3]);
  const bool stopped = leave_cannula(to_depth, geometry.cannula_stop, seed[2], q[2]);
  out.clipped = clip(bounds, q) | (stopped ? 1u << 2 : 0u);
  if (out.clipped != 0) { measure(chain, goal, out); }
  return out;
}

Result<Solution> inverse(
  const EcmGeometry & geometry, const Chain & chain, const Bounds & bounds,
  const Eigen::Isometry3d & goal, const JointVector & seed) noexcept
{
  if (!valid(bounds, seed, 4)) { return tl::unexpected(Refusal::WrongSize); }
  if (!is_finite(goal) || !seed.allFinite()) { return tl::unexpected(Refusal::NotFinite); }
  const double reach = goal.translation().norm();
  const double depth = reach - geometry.tip.translation().z();
  if (reach < too_near) { return tl::unexpected(Refusal::InsideCannula); }
  const Eigen::Vector3d shaft = goal.translation() / reach;
  Solution out;
  out.q.resize(4);
  JointVector & q = out.q;
  yaw_and_pitch(shaft, seed[0], q);
  const double to_depth = geometry.insertion_offset + geometry.shaft;
  q[2] = depth - to_depth;
  // The smallest turn that brings the goal's shaft onto the real one; what is left is roll.
  const Eigen::Matrix3d wanted = goal.linear() * geometry.tip.linear().transpose();
  const Eigen::Matrix3d aligned =
    Eigen::Quaterniond::FromTwoVectors(wanted.col(2), shaft).toRotationMatrix() * wanted;
  const Eigen::Matrix3d frame3 = shaft_frame(q[0], q[1]);
  q[3] = std::atan2(aligned.col(0).dot(frame3.col(1)), aligned.col(0).dot(frame3.col(0)));
  q[3] = nearest_turn(q[3], seed[3], bounds.low[3], bounds.high[3]);
  const bool stopped = leave_cannula(to_depth, geometry.cannula_stop, seed[2], q[2]);
  out.clipped = clip(bounds, q) | (stopped ? 1u << 2 : 0u);
  measure(chain, goal, out);
  return out;
}

namespace
{

/// The first three joints put the gimbal's centre at p, or as near as a stretched or folded arm goes.
bool place_centre(
  const MtmGeometry & g, const Eigen::Vector3d & p, const JointVector & seed,
  JointVector & q) noexcept
{
  const double out = std::hypot(p.x(), p.y());
  q[0] = out > 1e-9 ? std::atan2(p.x(), -p.y()) : seed[0];
  const double second = std::hypot(g.forearm, g.platform);
  const double distance = std::hypot(out, p.z());
  const double cosine = (distance * distance - g.upper_arm * g.upper_arm - second * second) /
                        (2.0 * g.upper_arm * second);
  // The limits of the elbow leave one side: the forearm in front.
  const double bend = std::acos(std::clamp(cosine, -1.0, 1.0));
  const double upper = std::atan2(p.z(), out) -
                       std::atan2(second * std::sin(bend), g.upper_arm + second * std::cos(bend));
  q[1] = upper + quarter;
  q[2] = bend - quarter - std::atan2(g.platform, g.forearm);
  return cosine >= -1.0 && cosine <= 1.0;
}

/// Wrist pitch and yaw for a platform angle. `handle` is z7 in frame 3.
void pitch_and_yaw(
  const Eigen::Vector3d & handle, double platform, double & pitch, double & yaw) noexcept
{
  const double c = std::cos(platform), s = std::sin(platform);
  const double x = c * handle.x() + s * handle.y();
  const double y = c * handle.y() - s * handle.x();
  pitch = std::atan2(-handle.z(), -x);
  yaw = std::atan2(-y, std::hypot(x, handle.z()));
}

/// The platform angle that brings the wrist yaw to zero: nearest to the seed's within the limits of
/// platform and wrist pitch.
double best_platform(
  const Bounds & bounds, const Eigen::Vector3d & handle, const JointVector & seed) noexcept
{
  double best = 0.0;
  double least = std::numeric_limits<double>::infinity();
  constexpr double turn = 2.0 * std::numbers::pi;
  for (const double side : {1.0, -1.0}) {  // wrist pitch in front, or folded over the platform
    const double angle = std::atan2(-side * handle.y(), -side * handle.x());
    for (const double wanted : {angle - turn, angle, angle + turn}) {
      const double platform = std::clamp(wanted, bounds.low[3], bounds.high[3]);
      double pitch = 0.0, yaw = 0.0;
      pitch_and_yaw(handle, platform, pitch, yaw);
      pitch = nearest_turn(pitch, seed[4], bounds.low[4], bounds.high[4]);
      const double beyond = std::max(0.0, std::max(bounds.low[4] - pitch, pitch - bounds.high[4])) +
                            std::max(0.0, std::abs(yaw) - bounds.high[5]);
      // What stays within the limits goes before what does not, and a straight wrist before a short
      // way of the platform.
      const double cost = std::abs(platform - seed[3]) + 20.0 * std::abs(yaw) + 1e3 * beyond +
                          (beyond > 1e-9 ? 1e6 : 0.0);
      if (cost < least) {
        least = cost;
        best = platform;
      }
    }
  }
  return best;
}

}  // namespace

Result<Solution> inverse(
  const MtmGeometry & geometry, const Chain & chain, const Bounds & bounds,
  const Eigen::Isometry3d & goal, const JointVector & seed) noexcept
{
  if (!valid(bounds, seed, 7)) { return tl::unexpected(Refusal::WrongSize); }
  if (!is_finite(goal) || !seed.allFinite()) { return tl::unexpected(Refusal::NotFinite); }
  const Eigen::Matrix3d rotation = goal.linear() * geometry.tip.linear().transpose();
  const Eigen::Vector3d centre = goal.translation() - rotation * geometry.tip.translation();
  Solution out;
  out.q.resize(7);
  JointVector & q = out.q;
  q.setZero();
  const bool reachable = place_centre(geometry, centre, seed, q);
  // The wrist is solved for where the first joints really are, so that the orientation is met even
  // where the position is not.
  std::uint32_t first = 0;
  for (int i = 0; i < 3; ++i) {
    if (q[i] < bounds.low[i] - 1e-12 || q[i] > bounds.high[i] + 1e-12) { first |= 1u << i; }
    q[i] = std::clamp(q[i], bounds.low[i], bounds.high[i]);
  }
  const Eigen::Matrix3d in_frame3 = (forward(chain, q, 3).linear().transpose() * rotation).eval();
  const Eigen::Vector3d handle = in_frame3.col(2);

  const double best = best_platform(bounds, handle, seed);
  const double square = std::hypot(handle.x(), handle.y());
  const double fade = geometry.rule.fade > 0.0 ? std::min(1.0, square / geometry.rule.fade) : 1.0;
  const double start = std::clamp(seed[3], bounds.low[3], bounds.high[3]);
  q[3] = start + std::clamp(geometry.rule.gain, 0.0, 1.0) * fade * (best - start);
  pitch_and_yaw(handle, q[3], q[4], q[5]);
  q[4] = nearest_turn(q[4], seed[4], bounds.low[4], bounds.high[4]);
  const bool outside =
    std::abs(q[5]) > bounds.high[5] || q[4] > bounds.high[4] || q[4] < bounds.low[4];
  if (outside) {
    q[3] = best;
    pitch_and_yaw(handle, q[3], q[4], q[5]);
    q[4] = nearest_turn(q[4], seed[4], bounds.low[4], bounds.high[4]);
  }
  const Eigen::Matrix3d at_zero = forward(chain, q, 6).linear();  // q[6] is still 0
  q[6] = std::atan2(rotation.col(0).dot(at_zero.col(1)), rotation.col(0).dot(at_zero.col(0)));
  q[6] = nearest_turn(q[6], seed[6], bounds.low[6], bounds.high[6]);
  out.clipped = clip(bounds, q) | first;
  if (out.clipped != 0 || !reachable) { measure(chain, goal, out); }
  return out;
}

}  // namespace ambf_arms
