// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include <ambf_msgs/msg/world_manifest.hpp>
#include <ambf_msgs/srv/read_world.hpp>
#include <ambf_msgs/srv/set_body_state.hpp>
#include <geometry_msgs/msg/pose.hpp>
#include <simulation_interfaces/msg/bounds.hpp>
#include <simulation_interfaces/msg/entity_filters.hpp>
#include <simulation_interfaces/msg/entity_info.hpp>
#include <simulation_interfaces/msg/entity_state.hpp>

#include "ambf_adf/expected.hpp"

namespace ambf_simulation_interfaces
{

/// What the standard calls an entity: a model by its name, or, in a model of several bodies, one of them
/// as `model/body`. The canonical link of a model is its first body without a parent.
struct Entity
{
  std::string name;
  std::string object;                 ///< what the world's services call it
  std::vector<std::uint32_t> bodies;  ///< indices in the manifest; the first is the canonical link
  simulation_interfaces::msg::EntityInfo info;
  bool fixed = false;  ///< no force moves the canonical link
  bool soft = false;   ///< has soft bodies, which the world's services neither read nor place
};

using InfoByName = std::map<std::string, simulation_interfaces::msg::EntityInfo>;
using WorldNow = ambf_msgs::srv::ReadWorld::Response;

/// All entities, models first. `given` replaces the info of those that it names.
std::vector<Entity> entities_of(
  const ambf_msgs::msg::WorldManifest & manifest, const InfoByName & given = {});
const Entity * find(const std::vector<Entity> & entities, const std::string & name);

/// Box around all collision shapes of the entity, in the frame of the canonical link. TYPE_EMPTY where
/// nothing collides, and for shapes without an end: planes.
simulation_interfaces::msg::Bounds bounds_of(const Entity & entity, const WorldNow & now);

/// The entity must have a body.
simulation_interfaces::msg::EntityState state_of(
  const Entity & entity, const WorldNow & now, const std::string & frame);

/// What is wrong with a filter. `unsupported` tells what we do not know from what is malformed.
struct FilterError
{
  bool unsupported = false;
  std::string message;
};
ambf_adf::expected<std::vector<Entity>, FilterError> filtered(
  std::vector<Entity> entities, const simulation_interfaces::msg::EntityFilters & filters,
  const WorldNow & now);

geometry_msgs::msg::Pose to_pose(const Eigen::Isometry3d & t);

/// T_WE of a pose in a frame: the root frame (also empty, or "world"), an entity, or the tf frame of a body.
/// The error says which field is wrong.
ambf_adf::expected<Eigen::Isometry3d, std::string> world_pose(
  const std::string & frame, const geometry_msgs::msg::Pose & pose,
  const ambf_msgs::msg::WorldManifest & manifest, const std::vector<Entity> & entities,
  const WorldNow & now);

/// Moves the entity as one rigid thing so that its canonical link has this pose and this twist. A twist that
/// is not given stays as it is, with the motion of the joints; one that is given stops them.
struct Twist
{
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();
};
ambf_msgs::srv::SetBodyState::Request placed(
  const Entity & entity, const ambf_msgs::msg::WorldManifest & manifest, const WorldNow & now,
  const std::optional<Eigen::Isometry3d> & t_world_entity, const std::optional<Twist> & twist);

}  // namespace ambf_simulation_interfaces
