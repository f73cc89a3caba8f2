// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ambf_msgs/msg/world_manifest.hpp>
#include <ambf_msgs/msg/world_snapshot.hpp>

#include "ambf_node_support/world_description.hpp"
#include "ambf_rendering/overlays.hpp"

namespace ambf_render
{

/// The simulator's world as a scene: a manifest says what is in it, snapshots where that is.
class DrawnWorld
{
public:
  using Warn = std::function<void(const std::string &)>;
  struct Object
  {
    std::string name, identifier;  ///< as published, and qualified
  };

  /// `default_camera`: topic of the camera that a world without cameras gets.
  DrawnWorld(ambf_rendering::Engine & engine, bool grid, std::string default_camera, Warn warn);

  void build(const ambf_msgs::msg::WorldManifest & manifest);
  /// False for a snapshot of another world than the manifest's: it must wait.
  bool fits(const ambf_msgs::msg::WorldSnapshot & snapshot) const;
  void show(const ambf_msgs::msg::WorldSnapshot & snapshot);

  bool built() const { return built_; }
  std::uint32_t revision() const { return revision_; }
  const std::string & root_frame() const { return root_frame_; }
  ambf_rendering::Scene & scene() { return scene_; }
  ambf_rendering::Overlays & overlays() { return overlays_; }
  ambf_rendering::OverlayMarks & marks() { return marks_; }
  const std::vector<ambf_adf::Camera> & cameras() const { return description_.cameras; }
  const std::vector<Eigen::Isometry3d> & camera_poses() const { return camera_poses_; }
  /// Bodies, then soft bodies: by identity, from 1.
  const std::vector<Object> & objects() const { return objects_; }
  /// What a pixel of an identity image shows; empty for 0 and unknown numbers.
  Object object_of(std::int32_t identity) const;
  std::string summary() const;

private:
  void add_default_camera();
  Eigen::Isometry3d parent_pose(const std::string & parent) const;
  void place_cameras(const std::vector<double> & poses);
  void place_lamps(const std::vector<double> & poses);

  Warn warn_;
  std::string default_camera_;
  std::optional<ambf_adf::Camera> placed_;  ///< the default camera
  ambf_rendering::Scene scene_;
  ambf_rendering::Overlays overlays_;
  ambf_node_support::DescriptionReader reader_;
  ambf_node_support::WorldDescription description_;
  ambf_rendering::OverlayMarks marks_;
  std::vector<std::optional<ambf_rendering::Scene::Handle>> bodies_, soft_bodies_;
  std::vector<Object> objects_;
  std::vector<Eigen::Isometry3d> camera_poses_;
  std::string root_frame_ = "world";
  std::uint32_t revision_ = 0;
  bool built_ = false;
};

/// The identifier that a text means: it is one, or a name that only one object has. The error says which
/// identifiers there are to choose from.
ambf_adf::expected<std::string, std::string> find_object(
  const std::vector<DrawnWorld::Object> & objects, const std::string & text);

}  // namespace ambf_render
