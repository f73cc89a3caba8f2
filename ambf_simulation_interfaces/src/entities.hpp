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
  std::string object;                  ///< what the world's services call it
  std::vector<std::uint32_t> bodies;   ///< indices in the manifest; the first is the canonical link
  simulation_interfaces::msg::EntityInfo info;
  bool fixed = false;                  ///< no force moves it
};

using InfoByName = std::map<std::string, simulation_interfaces::msg::EntityInfo>;
using WorldNow = ambf_msgs::srv::ReadWorld::Response;

/// All entities, models first. `given` replaces the info of those that it names.
std::vector<Entity> entities_of(const ambf_msgs::msg::WorldManifest & manifest, const InfoByName & given = {});
const Entity * find(const std::vector<Entity> & entities, const std::string & name);

/// Box around everything of the entity; empty where nothing collides. World frame.
Eigen::AlignedBox3d world_bounds(const Entity & entity, const WorldNow & now);
/// As the standard wants it: in the frame of the canonical link.
simulation_interfaces::msg::Bounds bounds_of(const Entity & entity, const WorldNow & now);

simulation_interfaces::msg::EntityState state_of(
  const Entity & entity, const WorldNow & now, const std::string & frame);

/// A filter that can be applied; the error says what is wrong with it. `unsupported` tells a kind of
/// bounds that we do not know from one that is malformed.
struct FilterError
{
  bool unsupported = false;
  std::string message;
};
ambf_adf::expected<std::vector<Entity>, FilterError> filtered(
  std::vector<Entity> entities, const simulation_interfaces::msg::EntityFilters & filters,
  const WorldNow & now);

ambf_adf::expected<Eigen::Isometry3d, std::string> to_isometry(const geometry_msgs::msg::Pose & pose);
geometry_msgs::msg::Pose to_pose(const Eigen::Isometry3d & t);
Eigen::Isometry3d body_pose(const WorldNow & now, std::uint32_t body);

/// T_WF of a frame that a request may name: empty or the root frame, an entity, or the tf frame of a body.
std::optional<Eigen::Isometry3d> frame_pose(
  const std::string & frame, const ambf_msgs::msg::WorldManifest & manifest,
  const std::vector<Entity> & entities, const WorldNow & now);

/// Moves the entity as one rigid thing so that its canonical link has this pose and this twist; what is
/// not given stays as it is, turned with the entity.
struct Twist
{
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();
};
ambf_msgs::srv::SetBodyState::Request placed(
  const Entity & entity, const ambf_msgs::msg::WorldManifest & manifest, const WorldNow & now,
  const std::optional<Eigen::Isometry3d> & t_world_entity, const std::optional<Twist> & twist);

}  // namespace ambf_simulation_interfaces
