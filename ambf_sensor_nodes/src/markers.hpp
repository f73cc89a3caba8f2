// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <ambf_msgs/msg/world_manifest.hpp>
#include <ambf_msgs/msg/world_snapshot.hpp>
#include <visualization_msgs/msg/marker_array.hpp>

#include "ambf_adf/rays.hpp"
#include "ambf_node_support/world_description.hpp"

namespace ambf_sensors
{

/// What rviz2 cannot draw from URDFs and tf: soft bodies, contacts with their forces, rays of sensors.
class MarkerMaker
{
public:
  void build(const ambf_msgs::msg::WorldManifest & manifest);
  bool fits(const ambf_msgs::msg::WorldSnapshot & snapshot) const;
  /// In the world's root frame. The first array after `build` begins with the deletion of all others.
  visualization_msgs::msg::MarkerArray make(const ambf_msgs::msg::WorldSnapshot & snapshot);
  /// Of the last `build`.
  const std::vector<std::string> & warnings() const { return warnings_; }

private:
  using Marker = visualization_msgs::msg::Marker;
  struct Soft
  {
    std::vector<std::uint32_t> triangles;  ///< three nodes each
    std::size_t node_count = 0;
    float red = 0.8F, green = 0.8F, blue = 0.8F, alpha = 1.0F;
  };
  Marker marker(
    const ambf_msgs::msg::WorldSnapshot & snapshot, const std::string & ns, int id, int type,
    double scale) const;
  void add_soft(const ambf_msgs::msg::WorldSnapshot & snapshot, std::vector<Marker> & out) const;
  void add_contacts(
    const ambf_msgs::msg::WorldSnapshot & snapshot, std::vector<Marker> & out) const;
  void add_rays(const ambf_msgs::msg::WorldSnapshot & snapshot, std::vector<Marker> & out) const;

  struct Ray
  {
    std::size_t body;  ///< index in the manifest
    ambf_adf::BodyRay ray;
  };
  ambf_node_support::DescriptionReader reader_;
  ambf_adf::MeshCache meshes_;
  std::vector<Soft> soft_;  ///< in the manifest's order; without triangles: unknown
  std::vector<Ray> rays_;
  std::vector<std::string> warnings_;
  std::string root_frame_;
  std::size_t body_count_ = 0;
  std::uint32_t revision_ = 0;
  bool built_ = false, fresh_ = false;
};

}  // namespace ambf_sensors
