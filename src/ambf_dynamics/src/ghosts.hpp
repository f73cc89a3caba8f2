// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "overlap.hpp"
#include "world_impl.hpp"

namespace ambf_dynamics
{

/// The last answer for a pair with a mesh, which holds until one of the two moves.
struct KnownOverlap
{
  bool valid = false;
  bool overlaps = false;
  btTransform t_ghost;
  btTransform t_body;
};

struct GhostSlot
{
  GhostInfo info;
  Body * parent = nullptr;  // null: the world
  std::shared_ptr<BuiltShape> shape;
  const btBvhTriangleMeshShape * volume = nullptr;  // the shape, where it is a closed mesh
  btTransform t_parent_ghost;                       // in the parent's body frame
  std::vector<int> collision_groups;                // sorted
  std::vector<BodyIndex> inside;
  std::vector<KnownOverlap> known;  // per body

  btTransform pose() const { return parent ? parent->pose() * t_parent_ghost : t_parent_ghost; }
};

/// Volumes that report which bodies overlap them. They are no part of Bullet's world: nothing can
/// collide with them, and a world without ghosts does not pay for them.
class Ghosts final : public WorldSection
{
public:
  explicit Ghosts(WorldImpl & world) : world_(world) {}

  void add_model(
    const ambf_adf::Model & model, ModelHandle handle, const Eigen::Isometry3d & t_world_model,
    ambf_adf::Problems & problems) override;
  void remove_model(ModelHandle handle) override;
  bool remove_object(std::string_view qualified) override;
  void body_removed(Body & body) override;
  void renumber() override;
  void write_state(State & state) override;
  void describe(Hasher & h) const override;

  const std::vector<GhostInfo> & infos() const { return infos_; }
  std::span<const BodyIndex> reading(GhostIndex index) const;

private:
  const btBvhTriangleMeshShape * closed_mesh(
    const ambf_adf::GhostObject & source, const BuiltShape & shape) const;
  bool senses(GhostSlot & ghost, const btTransform & t, const Body & body);

  WorldImpl & world_;
  std::vector<Box> boxes_;  // per body
  std::vector<std::unique_ptr<GhostSlot>> ghosts_;
  std::vector<GhostInfo> infos_;
};

}  // namespace ambf_dynamics
