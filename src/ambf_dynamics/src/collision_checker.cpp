// SPDX-License-Identifier: BSD-3-Clause
#include "collision_checker.hpp"

#include <algorithm>
#include <cmath>

namespace ambf_dynamics
{
namespace
{

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double least_tolerance = 1e-7;  // [m] of a sweep

/// What a question gets that is none: never taken for free.
Proximity unanswerable()
{
  Proximity out;
  out.distance = -infinite;
  return out;
}

/// For questions that ask nothing back while they look.
PlacedBodies & scratch()
{
  thread_local PlacedBodies placed;
  return placed;
}

}  // namespace

void PlacedBodies::set_sizes(const std::vector<Body> & bodies)
{
  const std::size_t parts =
    bodies.empty() ? 0 : bodies.back().first_part + bodies.back().parts->parts.size();
  boxes.resize(bodies.size());
  t_world_body_.resize(bodies.size());
  parts_placed_.resize(bodies.size());
  t_world_part.resize(parts);
  part_boxes.resize(parts);
}

void PlacedBodies::place(const Body & body, std::size_t i, const btTransform & t_world_body)
{
  const bool endless = body.parts->ball_radius == infinite;
  t_world_body_[i] = t_world_body;
  boxes[i] = endless ? body.parts->box : moved(body.parts->box, t_world_body);
  parts_placed_[i] = 0;
}

void PlacedBodies::place_parts(const Body & body, std::size_t i)
{
  if (parts_placed_[i]) { return; }
  parts_placed_[i] = 1;
  for (std::size_t k = 0; k < body.parts->parts.size(); ++k) {
    const CollisionPart & part = body.parts->parts[k];
    const btTransform & t = t_world_part[body.first_part + k] = t_world_body_[i] * part.t_body_part;
    const bool endless = part.kind == CollisionPart::Kind::Plane;
    part_boxes[body.first_part + k] = endless ? part.box : moved(part.box, t);
  }
}

/// Two bodies whose shapes are placed.
struct CheckerImpl::Pair
{
  const Body & a;
  const Body & b;
  const PlacedBodies & placed_a;
  const PlacedBodies & placed_b;
  std::uint32_t i;
  std::uint32_t j;
  bool both_move;

  /// The nearest points, where they are nearer than `best` says.
  void bring_nearer(double enough, Gap & best) const
  {
    for (std::size_t k = 0; k < a.parts->parts.size(); ++k) {
      for (std::size_t l = 0; l < b.parts->parts.size(); ++l) {
        const std::size_t at_a = a.first_part + k;
        const std::size_t at_b = b.first_part + l;
        const double far = std::max(best.distance, 0.0);
        if (!(squared_gap(placed_a.part_boxes[at_a], placed_b.part_boxes[at_b]) <= far * far)) {
          continue;
        }
        ambf_dynamics::bring_nearer(
          a.parts->parts[k], placed_a.t_world_part[at_a], b.parts->parts[l],
          placed_b.t_world_part[at_b], enough, best);
        if (best.distance < enough) { return; }
      }
    }
  }
};

CheckerImpl::CheckerImpl(
  std::vector<Body> moving, std::vector<Body> still, const std::vector<btTransform> & still_at,
  Pairs among, Pairs against, double padding)
: moving_(std::move(moving)),
  still_(std::move(still)),
  among_(std::move(among)),
  against_(std::move(against)),
  padding_(padding)
{
  const auto number_parts = [](std::vector<Body> & bodies) {
    std::size_t count = 0;
    for (Body & body : bodies) {
      body.first_part = count;
      count += body.parts->parts.size();
    }
  };
  number_parts(moving_);
  number_parts(still_);
  for (const Body & body : moving_) { indices_.push_back(body.index); }
  still_placed_.set_sizes(still_);
  for (std::size_t j = 0; j < still_.size(); ++j) {
    still_placed_.place(still_[j], j, still_at[j]);
    still_placed_.place_parts(still_[j], j);
  }
}

bool CheckerImpl::place(std::span<const Eigen::Isometry3d> poses, PlacedBodies & placed) const
{
  if (poses.size() != moving_.size()) { return false; }
  placed.set_sizes(moving_);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    if (!poses[i].matrix().allFinite()) { return false; }
    placed.place(moving_[i], i, to_bt(poses[i]));
  }
  return true;
}

template <class Far, class Look>
void CheckerImpl::each_pair(PlacedBodies & placed, Far && far, Look && look) const
{
  for (const auto & [i, j] : against_) {
    const double limit = far(i, j, false);
    if (!(squared_gap(placed.boxes[i], still_placed_.boxes[j]) <= limit * limit)) { continue; }
    placed.place_parts(moving_[i], i);
    if (look(Pair{moving_[i], still_[j], placed, still_placed_, i, j, false})) { return; }
  }
  for (const auto & [i, j] : among_) {
    const double limit = far(i, j, true);
    if (!(squared_gap(placed.boxes[i], placed.boxes[j]) <= limit * limit)) { continue; }
    placed.place_parts(moving_[i], i);
    placed.place_parts(moving_[j], j);
    if (look(Pair{moving_[i], moving_[j], placed, placed, i, j, true})) { return; }
  }
}

Proximity CheckerImpl::to_proximity(const Pair & pair, const Gap & gap) const
{
  return {pair.a.index,          pair.b.index,          gap.distance,
          to_eigen(gap.point_a), to_eigen(gap.point_b), to_eigen(gap.normal)};
}

bool CheckerImpl::collides(std::span<const Eigen::Isometry3d> poses) const
{
  PlacedBodies & placed = scratch();
  if (!place(poses, placed)) { return true; }
  bool hit = false;
  each_pair(
    placed, [&](auto, auto, bool) { return padding_; },
    [&](const Pair & pair) {
      Gap gap;
      gap.distance = padding_;
      pair.bring_nearer(padding_, gap);
      return hit = gap.distance < padding_;
    });
  return hit;
}

std::size_t CheckerImpl::collides(
  std::span<const Eigen::Isometry3d> poses, std::span<std::uint8_t> out) const
{
  const std::size_t n = moving_.size();
  std::size_t count = 0;
  for (std::size_t k = 0; k < out.size(); ++k) {
    const std::size_t first = std::min(k * n, poses.size());
    const bool hit = collides(poses.subspan(first, std::min(n, poses.size() - first)));
    out[k] = hit;
    count += hit;
  }
  return count;
}

std::vector<Proximity> CheckerImpl::contacts(std::span<const Eigen::Isometry3d> poses) const
{
  PlacedBodies & placed = scratch();
  if (!place(poses, placed)) { return {unanswerable()}; }
  std::vector<Proximity> out;
  each_pair(
    placed, [&](auto, auto, bool) { return padding_; },
    [&](const Pair & pair) {
      Gap gap;
      gap.distance = padding_;
      pair.bring_nearer(-infinite, gap);
      if (gap.distance < padding_) { out.push_back(to_proximity(pair, gap)); }
      return false;
    });
  std::stable_sort(out.begin(), out.end(), [](const Proximity & a, const Proximity & b) {
    return a.distance < b.distance;
  });
  return out;
}

Proximity CheckerImpl::nearest(std::span<const Eigen::Isometry3d> poses, double limit) const
{
  PlacedBodies & placed = scratch();
  if (!place(poses, placed)) { return unanswerable(); }
  Proximity best;
  double far = limit;
  each_pair(
    placed, [&](auto, auto, bool) { return std::max(far, 0.0); },
    [&](const Pair & pair) {
      Gap gap;
      gap.distance = far;
      pair.bring_nearer(-infinite, gap);
      if (gap.distance < far) {
        far = gap.distance;
        best = to_proximity(pair, gap);
      }
      return false;
    });
  return best;
}

std::optional<double> CheckerImpl::free_share(
  PlacedBodies & placed, std::span<const double> reach, double most, Proximity & contact) const
{
  double share = most;
  bool hit = false;
  const auto speed = [&](std::uint32_t i, std::uint32_t j, bool both_move) {
    return reach[i] + (both_move ? reach[j] : 0.0);
  };
  each_pair(
    placed,
    [&](auto i, auto j, bool both_move) { return speed(i, j, both_move) * share + padding_; },
    [&](const Pair & pair) {
      const double v = speed(pair.i, pair.j, pair.both_move);
      Gap gap;
      // Above the padding, because what stands still may touch as well.
      const double far = v * share + padding_;
      gap.distance = std::max(far, std::nextafter(padding_, infinite));
      pair.bring_nearer(padding_, gap);
      if (gap.distance < padding_) {
        contact = to_proximity(pair, gap);
        return hit = true;
      }
      if (v > 0.0) { share = std::min(share, (gap.distance - padding_) / v); }
      return false;
    });
  return hit ? std::nullopt : std::optional(share);
}

Sweep CheckerImpl::sweep(const Place & place, std::span<const double> reach, double tolerance) const
{
  Sweep out;
  PlacedBodies placed;
  std::vector<Eigen::Isometry3d> poses(moving_.size(), Eigen::Isometry3d::Identity());
  const bool good =
    reach.size() == moving_.size() &&
    std::all_of(reach.begin(), reach.end(), [](double r) { return std::isfinite(r) && r >= 0.0; });
  const double fastest = good && !reach.empty() ? *std::max_element(reach.begin(), reach.end()) : 0;
  const double least = std::max(tolerance, least_tolerance) / std::max(fastest, least_tolerance);
  for (double share = 0.0;;) {
    ++out.looks;
    place(share, poses);
    out.reached = share;
    if (!good || !this->place(poses, placed)) {
      out.contact = unanswerable();
      out.free = false;
      return out;
    }
    const auto step = free_share(placed, reach, 1.0 - share, out.contact);
    if (!step) {
      out.free = false;
      return out;
    }
    if (share >= 1.0) { return out; }
    share = std::min(1.0, share + std::max(*step, least));
  }
}

Sweep CheckerImpl::sweep(
  std::span<const Eigen::Isometry3d> from, std::span<const Eigen::Isometry3d> to,
  double tolerance) const
{
  if (from.size() != moving_.size() || to.size() != moving_.size()) {
    return {false, 0.0, unanswerable(), 0};
  }
  std::vector<Eigen::AngleAxisd> turns;
  std::vector<double> reach;
  for (std::size_t i = 0; i < from.size(); ++i) {
    turns.emplace_back(Eigen::Matrix3d(from[i].linear().transpose() * to[i].linear()));
    const CollisionParts & parts = *moving_[i].parts;
    const double farthest = parts.ball_centre.length() + parts.ball_radius;
    reach.push_back(
      (to[i].translation() - from[i].translation()).norm() +
      std::abs(turns.back().angle()) * farthest);
  }
  return sweep(
    [&](double share, std::span<Eigen::Isometry3d> poses) {
      for (std::size_t i = 0; i < poses.size(); ++i) {
        const Eigen::AngleAxisd turn(share * turns[i].angle(), turns[i].axis());
        poses[i].linear() = from[i].linear() * turn.toRotationMatrix();
        poses[i].translation() =
          (1.0 - share) * from[i].translation() + share * to[i].translation();
      }
    },
    reach, tolerance);
}

}  // namespace ambf_dynamics
