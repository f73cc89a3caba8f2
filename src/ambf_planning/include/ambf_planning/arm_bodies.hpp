// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "ambf_adf/expected.hpp"
#include "ambf_arms/arm.hpp"
#include "ambf_dynamics/collision_scene.hpp"

namespace ambf_planning
{

using ambf_arms::JointVector;
using ambf_dynamics::BodyIndex;
using ambf_dynamics::CollisionScene;
using ambf_dynamics::ModelHandle;

/// Which bodies of a scene move with an arm, and where they are at given joint values. A value: it
/// keeps what the scene had when it was made. What is const may be called by any number of threads.
class ArmBodies
{
public:
  /// The bodies of an arm in a scene. `model` is what the arm was made of, `models` what it is in the scene:
  /// its own model, and that of a tool beside it. `base`: identifier of the body that the arm stands on.
  /// `base_offset`: that body in the arm's own base frame. The error is a sentence.
  static ambf_adf::expected<ArmBodies, std::string> make(
    const ambf_arms::Arm & arm, const ambf_adf::Model & model, const CollisionScene & scene,
    std::span<const ModelHandle> models, const std::string & base,
    const Eigen::Isometry3d & base_offset = Eigen::Isometry3d::Identity());

  const ambf_arms::Arm & arm() const { return arm_; }
  std::span<const BodyIndex> bodies() const { return bodies_; }

  /// Reads from the scene where the arm stands, and how joints stand that are not the arm's (jaws).
  void read_scene(const CollisionScene & scene);
  /// A body moves with the arm from now on, as it lies to it in the scene at these joint values.
  /// `carrier` is a body of the arm. The error is a sentence.
  ambf_adf::expected<void, std::string> attach(
    const CollisionScene & scene, BodyIndex body, BodyIndex carrier);

  /// T_world_body in the order of `bodies`.
  void place(const JointVector & q, std::span<Eigen::Isometry3d> poses) const;
  /// How far at most any point of each body travels on the straight way between two postures [m].
  void reach(const JointVector & from, const JointVector & to, std::span<double> distances) const;

  /// Tip and base of the arm in the world.
  Eigen::Isometry3d tip(const JointVector & q) const;
  const Eigen::Isometry3d & base() const { return t_world_base_; }

private:
  struct Moving
  {
    int link = 0;
    Eigen::Isometry3d in_link = Eigen::Isometry3d::Identity();
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< of a ball around the shape, in the body
    double radius = 0.0;
  };
  explicit ArmBodies(const ambf_arms::Arm & arm) : arm_(arm) {}
  void place_links(const JointVector & q, std::vector<Eigen::Isometry3d> & links) const;
  void add(
    const CollisionScene & scene, BodyIndex body, int link, const Eigen::Isometry3d & in_link);

  ambf_arms::Arm arm_;
  std::vector<BodyIndex> bodies_;
  std::vector<Moving> moving_;
  std::vector<BodyIndex> link_bodies_;      ///< of every link of the mechanism
  std::vector<Eigen::Isometry3d> in_link_;  ///< their frames in those of the links
  /// Of links that no joint of the arm moves: where they are in their parents.
  std::vector<Eigen::Isometry3d> held_;
  BodyIndex base_body_ = ambf_dynamics::no_index;
  Eigen::Isometry3d base_offset_ = Eigen::Isometry3d::Identity();
  Eigen::Isometry3d t_world_base_body_ = Eigen::Isometry3d::Identity();
  Eigen::Isometry3d t_world_base_ = Eigen::Isometry3d::Identity();
};

}  // namespace ambf_planning
