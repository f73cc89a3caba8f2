// SPDX-License-Identifier: BSD-3-Clause
#include "markers.hpp"

#include <algorithm>

#include <Eigen/Geometry>

#include "ambf_node_support/eigen.hpp"

namespace ambf_sensors
{

using ambf_msgs::msg::WorldManifest;
using ambf_msgs::msg::WorldSnapshot;
using ambf_node_support::to_eigen;
using visualization_msgs::msg::Marker;
using visualization_msgs::msg::MarkerArray;

namespace
{

/// Length of the line for a newton [m].
constexpr double kForceScale = 0.01;

void set_colour(Marker & marker, float red, float green, float blue, float alpha = 1.0F)
{
  marker.color.r = red;
  marker.color.g = green;
  marker.color.b = blue;
  marker.color.a = alpha;
}

void add_point(Marker & marker, const Eigen::Vector3d & p)
{
  ambf_node_support::fill(marker.points.emplace_back(), p);
}

}  // namespace

void MarkerMaker::build(const WorldManifest & manifest)
{
  const auto world = reader_.read(manifest);
  warnings_ = world.warnings;
  soft_.assign(manifest.soft_bodies.size(), {});
  rays_.clear();
  std::map<std::string, std::size_t> bodies, softs;
  for (std::size_t i = 0; i < manifest.bodies.size(); ++i) {
    bodies[manifest.bodies[i].identifier] = i;
  }
  for (std::size_t i = 0; i < manifest.soft_bodies.size(); ++i) {
    softs[manifest.soft_bodies[i].identifier] = i;
  }
  for (const auto & model : world.models) {
    std::map<std::string, std::string> qualified;
    for (const auto & body : model.bodies) {
      qualified[body.header.identifier] = qualified[body.header.qualified] = body.header.qualified;
    }
    for (const auto & source : model.soft_bodies) {
      const auto at = softs.find(source.header.qualified);
      const auto mesh = meshes_.get(source.collision_mesh.path);
      if (at == softs.end()) { continue; }
      if (!mesh) {
        warnings_.push_back(
          "soft body '" + source.header.name + "' gets no marker: " + mesh.error().reason);
        continue;
      }
      Soft & soft = soft_[at->second];
      soft.triangles = (*mesh)->unified_triangles;
      soft.node_count = (*mesh)->unified.size();
      const auto material = source.visual.material.value_or(ambf_adf::Material{});
      soft.red = static_cast<float>(material.diffuse.x());
      soft.green = static_cast<float>(material.diffuse.y());
      soft.blue = static_cast<float>(material.diffuse.z());
      soft.alpha = static_cast<float>(material.alpha);
    }
    for (const auto & sensor : model.sensors) {
      const auto parent = qualified.find(sensor.parent);
      const auto body = parent == qualified.end() ? bodies.end() : bodies.find(parent->second);
      if (body == bodies.end()) { continue; }
      for (const auto & ray : rays_on_body(sensor, parent->second, meshes_)) {
        rays_.push_back({body->second, ray});
      }
    }
  }
  root_frame_ = manifest.root_frame;
  body_count_ = manifest.bodies.size();
  revision_ = manifest.revision;
  built_ = fresh_ = true;
}

bool MarkerMaker::fits(const WorldSnapshot & snapshot) const
{
  return built_ && snapshot.manifest_revision == revision_ &&
         snapshot.bodies.size() == 13 * body_count_;
}

Marker MarkerMaker::marker(
  const WorldSnapshot & snapshot, const std::string & ns, int id, int type, double scale) const
{
  Marker marker;
  marker.header.stamp = snapshot.header.stamp;
  marker.header.frame_id = root_frame_;
  marker.ns = ns;
  marker.id = id;
  marker.type = type;
  marker.action = Marker::ADD;
  marker.pose.orientation.w = 1.0;
  marker.scale.x = marker.scale.y = marker.scale.z = scale;
  return marker;
}

void MarkerMaker::add_soft(const WorldSnapshot & snapshot, std::vector<Marker> & out) const
{
  for (std::size_t i = 0; i < std::min(soft_.size(), snapshot.soft_offsets.size()); ++i) {
    const std::size_t first = snapshot.soft_offsets[i];
    if (
      soft_[i].triangles.empty() ||
      3 * (first + soft_[i].node_count) > snapshot.soft_nodes.size()) {
      continue;
    }
    Marker surface =
      marker(snapshot, "soft_bodies", static_cast<int>(i), Marker::TRIANGLE_LIST, 1.0);
    set_colour(surface, soft_[i].red, soft_[i].green, soft_[i].blue, soft_[i].alpha);
    for (const std::uint32_t node : soft_[i].triangles) {
      const float * p = snapshot.soft_nodes.data() + 3 * (first + node);
      add_point(surface, Eigen::Vector3f(p[0], p[1], p[2]).cast<double>());
    }
    out.push_back(std::move(surface));
  }
}

void MarkerMaker::add_contacts(const WorldSnapshot & snapshot, std::vector<Marker> & out) const
{
  Marker points = marker(snapshot, "contact_points", 0, Marker::SPHERE_LIST, 0.01);
  Marker forces = marker(snapshot, "contact_forces", 0, Marker::LINE_LIST, 0.003);
  set_colour(points, 0.9F, 0.1F, 0.8F);
  set_colour(forces, 0.9F, 0.1F, 0.8F);
  for (const auto & contact : snapshot.contacts) {
    const Eigen::Vector3d at = to_eigen(contact.position);
    const Eigen::Vector3d force =
      contact.normal_force * to_eigen(contact.normal) + to_eigen(contact.friction_force);
    add_point(points, at);
    add_point(forces, at);
    add_point(forces, at + kForceScale * force);
  }
  for (auto * list : {&points, &forces}) {
    // A list without points is no marker: it takes away what was shown before.
    if (list->points.empty()) { list->action = Marker::DELETE; }
    out.push_back(std::move(*list));
  }
}

void MarkerMaker::add_rays(const WorldSnapshot & snapshot, std::vector<Marker> & out) const
{
  if (rays_.empty()) { return; }
  Marker lines = marker(snapshot, "rays", 0, Marker::LINE_LIST, 0.002);
  set_colour(lines, 1.0F, 1.0F, 1.0F);
  const bool known =
    snapshot.ray_flags.size() == rays_.size() && snapshot.ray_hits.size() == rays_.size();
  for (std::size_t i = 0; i < rays_.size(); ++i) {
    const auto pose = ambf_node_support::to_isometry(snapshot.bodies.data() + 13 * rays_[i].body);
    const bool hit = known && snapshot.ray_flags[i] != 0;
    add_point(lines, pose * rays_[i].ray.start);
    add_point(
      lines, pose * ray_end(rays_[i].ray, hit ? static_cast<double>(snapshot.ray_hits[i]) : 0.0));
    std_msgs::msg::ColorRGBA colour;
    colour.r = hit ? 0.95F : 0.1F;
    colour.g = colour.b = hit ? 0.1F : 0.8F;
    colour.a = 1.0F;
    lines.colors.insert(lines.colors.end(), 2, colour);
  }
  out.push_back(std::move(lines));
}

MarkerArray MarkerMaker::make(const WorldSnapshot & snapshot)
{
  MarkerArray array;
  if (fresh_) {
    array.markers.push_back(marker(snapshot, "", 0, Marker::CUBE, 1.0));
    array.markers.back().action = Marker::DELETEALL;
  }
  fresh_ = false;
  add_soft(snapshot, array.markers);
  add_contacts(snapshot, array.markers);
  add_rays(snapshot, array.markers);
  return array;
}

}  // namespace ambf_sensors
