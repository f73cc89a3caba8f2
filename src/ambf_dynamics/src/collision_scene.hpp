// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "ambf_dynamics/collision_scene.hpp"
#include "collision_parts.hpp"
#include "shapes.hpp"

namespace ambf_dynamics
{

class SceneImpl final : public CollisionScene
{
public:
  expected<Added, Errors> add_model(
    const ambf_adf::Model & model, const Eigen::Isometry3d & t_world_model) override;
  bool remove_model(ModelHandle model) override;
  BodyIndex put_box(
    const std::string & name, const Eigen::Vector3d & size,
    const Eigen::Isometry3d & t_world_box) override;
  bool remove_body(BodyIndex body) override;
  std::span<const SceneBody> bodies() const override { return bodies_; }
  std::optional<BodyIndex> find_body(std::string_view qualified) const override;
  bool set_pose(BodyIndex body, const Eigen::Isometry3d & t_world_body) override;
  const Eigen::Isometry3d & pose(BodyIndex body) const override;
  AllowedCollisions adjacent() const override;
  bool may_collide(BodyIndex a, BodyIndex b, const CheckerOptions & options) const override;
  std::unique_ptr<CollisionChecker> make_checker(
    std::span<const BodyIndex> moving, const AllowedCollisions & allowed,
    const CheckerOptions & options) const override;

private:
  struct Slot
  {
    std::shared_ptr<const CollisionParts> parts;
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    std::vector<int> groups;
    bool ignores_own_model = false;
    bool box = false;  ///< by put_box
  };
  struct Jointed
  {
    BodyIndex parent, child;
    ModelHandle model;
    bool ignores_collision;
  };

  BodyIndex insert(SceneBody info, Slot slot);

  ShapeFactory shapes_;
  std::vector<SceneBody> bodies_;
  std::vector<Slot> slots_;
  std::vector<Jointed> joints_;
  std::unordered_map<std::string, BodyIndex> by_name_;
  std::uint32_t next_model_ = 1;
};

}  // namespace ambf_dynamics
