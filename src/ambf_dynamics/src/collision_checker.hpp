// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "ambf_dynamics/collision_scene.hpp"
#include "collision_parts.hpp"

namespace ambf_dynamics
{

/// Where bodies and their shapes are for one question. Shapes are placed when somebody looks at them.
class PlacedBodies
{
public:
  struct Body
  {
    BodyIndex index = no_index;
    std::shared_ptr<const CollisionParts> parts;
    std::size_t first_part = 0;  ///< in the arrays below
  };

  void set_sizes(const std::vector<Body> & bodies);
  void place(const Body & body, std::size_t i, const btTransform & t_world_body);
  void place_parts(const Body & body, std::size_t i);

  std::vector<HalfBox> boxes;  ///< per body
  std::vector<btTransform> t_world_part;
  std::vector<HalfBox> part_boxes;

private:
  std::vector<btTransform> t_world_body_;
  std::vector<std::uint8_t> parts_placed_;
};

class CheckerImpl final : public CollisionChecker
{
public:
  using Body = PlacedBodies::Body;
  /// A position in `moving`, and one in `moving` or in `still`.
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  CheckerImpl(
    std::vector<Body> moving, std::vector<Body> still, const std::vector<btTransform> & still_at,
    Pairs among, Pairs against, double padding);

  std::span<const BodyIndex> moving() const override { return indices_; }
  std::size_t pairs() const override { return among_.size() + against_.size(); }
  bool collides(std::span<const Eigen::Isometry3d> poses) const override;
  std::size_t collides(
    std::span<const Eigen::Isometry3d> poses, std::span<std::uint8_t> out) const override;
  std::vector<Proximity> contacts(std::span<const Eigen::Isometry3d> poses) const override;
  Proximity nearest(std::span<const Eigen::Isometry3d> poses, double limit) const override;
  Sweep sweep(const Place & place, std::span<const double> reach, double tolerance) const override;
  Sweep sweep(
    std::span<const Eigen::Isometry3d> from, std::span<const Eigen::Isometry3d> to,
    double tolerance) const override;

private:
  struct Pair;

  bool place(std::span<const Eigen::Isometry3d> poses, PlacedBodies & placed) const;
  /// Calls `look` for the pairs whose boxes are within `far(pair)` of each other, until it says true.
  template <class Far, class Look>
  void each_pair(PlacedBodies & placed, Far && far, Look && look) const;
  Proximity to_proximity(const Pair & pair, const Gap & gap) const;
  /// Which share of a way is free for certain from here; nothing, and the contact, where something touches.
  std::optional<double> free_share(
    PlacedBodies & placed, std::span<const double> reach, double most, Proximity & contact) const;

  std::vector<Body> moving_;
  std::vector<Body> still_;
  PlacedBodies still_placed_;
  std::vector<BodyIndex> indices_;
  Pairs among_;
  Pairs against_;
  double padding_;
};

}  // namespace ambf_dynamics
