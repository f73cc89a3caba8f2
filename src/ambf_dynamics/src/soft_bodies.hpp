// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "world_impl.hpp"

namespace ambf_dynamics
{

struct SoftSlot
{
  SoftBodyInfo info;
  btSoftBodyWorldInfo medium;  // gravity and distance fields of this body alone
  std::unique_ptr<btSoftBody> soft;
  std::vector<int> collision_groups;  // sorted
  std::optional<Eigen::Vector3d> own_gravity;
  std::vector<btVector3> initial;  // node positions at load
  SoftBodyCommand command;
};

/// Soft bodies: Bullet's position-based ones. What Bullet finds by walking its trees comes in an order
/// that depends on history, so the contacts are put in order of nodes before they are solved.
class SoftBodies final : public WorldSection
{
public:
  explicit SoftBodies(WorldImpl & world) : world_(world) {}
  ~SoftBodies() override;

  void add_model(
    const ambf_adf::Model & model, ModelHandle handle, const Eigen::Isometry3d & t_world_model,
    ambf_adf::Problems & problems) override;
  void remove_model(ModelHandle handle) override;
  bool remove_object(std::string_view qualified) override;
  void body_removed(Body & body) override;
  void renumber() override;
  void before_step() override;
  const ObjectNames * diverged() const override;
  void write_state(State & state) override;
  void hash(Hasher & h) const override;
  void save(Writer & out) const override;
  void restore(Reader & in) override;
  void reset() override;
  void describe(Hasher & h) const override;

  const std::vector<SoftBodyInfo> & infos() const { return infos_; }
  CommandResult set_command(SoftBodyIndex index, const SoftBodyCommand & command);

private:
  bool build(
    SoftSlot & slot, const ambf_adf::SoftBody & source, const Eigen::Isometry3d & t_world_model,
    ambf_adf::Problems & problems);
  /// Bullet's soft bodies collide with convex shapes only: says so once per model.
  void warn_of_unseen_shapes(ModelHandle handle, ambf_adf::Problems & problems) const;
  void remove(SoftSlot & slot);
  void settle(SoftSlot & slot);

  WorldImpl & world_;
  std::vector<std::unique_ptr<SoftSlot>> bodies_;
  std::vector<SoftBodyInfo> infos_;
};

/// May a soft body collide with a rigid one? Not with meshes and planes: Bullet's distance fields know
/// convex shapes only.
bool may_collide(const SoftSlot & soft, const Body & body);

}  // namespace ambf_dynamics
