// SPDX-License-Identifier: BSD-3-Clause
#include "drawn_world.hpp"

#include <algorithm>

#include "ambf_adf/view_pose.hpp"
#include "ambf_node_support/eigen.hpp"

namespace ambf_render
{

using ambf_msgs::msg::WorldManifest;
using ambf_msgs::msg::WorldSnapshot;
using ambf_node_support::to_eigen;
using ambf_node_support::to_isometry;
using Eigen::Isometry3d;

DrawnWorld::DrawnWorld(
  ambf_rendering::Engine & engine, bool grid, std::string default_camera, Warn warn)
: warn_(warn), default_camera_(std::move(default_camera)), scene_(engine, warn), overlays_(scene_)
{
  scene_.show_surroundings(true, grid);
}

void DrawnWorld::build(const WorldManifest & manifest)
{
  auto world = reader_.read(manifest);
  for (const auto & text : world.warnings) { warn_(text); }
  // Models stay as they are unless their description changed.
  for (const auto & known : description_.models) {
    const bool same =
      std::any_of(world.models.begin(), world.models.end(), [&](const ambf_adf::Model & model) {
        return model.name == known.name && model == known &&
               model.resource_base == known.resource_base;
      });
    if (!same) { scene_.remove(known.name); }
  }
  for (const auto & model : world.models) {
    if (!scene_.has(model.name)) { scene_.add(model); }
  }
  description_ = std::move(world);
  bodies_.clear();
  soft_bodies_.clear();
  objects_.clear();
  // Identities are positions in the manifest: bodies from 1, then the soft bodies.
  for (const auto & info : manifest.bodies) {
    objects_.push_back({info.name, info.identifier});
    bodies_.push_back(scene_.body(info.identifier));
    if (bodies_.back()) {
      scene_.identify(*bodies_.back(), static_cast<std::uint32_t>(objects_.size()));
    }
  }
  for (const auto & info : manifest.soft_bodies) {
    objects_.push_back({info.name, info.identifier});
    soft_bodies_.push_back(scene_.soft_body(info.identifier));
    if (soft_bodies_.back()) {
      scene_.identify_soft(*soft_bodies_.back(), static_cast<std::uint32_t>(objects_.size()));
    }
  }
  scene_.place_ghosts();
  overlays_.set_world(description_.models);
  revision_ = manifest.revision;
  root_frame_ = manifest.root_frame;
  built_ = true;
  if (description_.cameras.empty()) { add_default_camera(); }
  place_cameras({});
  place_lamps({});
}

void DrawnWorld::add_default_camera()
{
  // Placed when there is something to see, and then left there: models that come later must not cut off
  // its videos and open its window anew.
  if (objects_.empty() || !placed_) {
    const auto focus = scene_.focus();
    ambf_adf::Camera camera;
    camera.header.name = "default_camera";
    camera.header.topic = camera.header.qualified = default_camera_;
    camera.look_at = focus.centre;
    camera.location = focus.centre + 2.4 * focus.radius * Eigen::Vector3d(0.55, -0.75, 0.4);
    camera.near_plane = 0.01;
    camera.far_plane = 30.0;
    placed_ = camera;
  }
  description_.cameras.push_back(*placed_);
  if (objects_.empty()) { placed_.reset(); }
}

bool DrawnWorld::fits(const WorldSnapshot & snapshot) const
{
  return built_ && snapshot.manifest_revision == revision_ &&
         snapshot.bodies.size() == 13 * bodies_.size();
}

void DrawnWorld::show(const WorldSnapshot & snapshot)
{
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!bodies_[i]) { continue; }
    const double * b = snapshot.bodies.data() + 13 * i;
    scene_.place(*bodies_[i], {b[0], b[1], b[2]}, Eigen::Quaterniond(b[6], b[3], b[4], b[5]));
  }
  scene_.place_ghosts();
  for (std::size_t i = 0; i < std::min(soft_bodies_.size(), snapshot.soft_offsets.size()); ++i) {
    if (!soft_bodies_[i]) { continue; }
    const std::size_t first = 3 * std::size_t{snapshot.soft_offsets[i]};
    const std::size_t last = i + 1 < snapshot.soft_offsets.size()
                               ? 3 * std::size_t{snapshot.soft_offsets[i + 1]}
                               : snapshot.soft_nodes.size();
    if (first <= last && last <= snapshot.soft_nodes.size()) {
      scene_.deform(*soft_bodies_[i], {snapshot.soft_nodes.data() + first, last - first});
    }
  }
  place_cameras(snapshot.cameras);
  place_lamps(snapshot.lights);
  marks_.contacts.clear();
  for (const auto & contact : snapshot.contacts) {
    ambf_rendering::ContactMark mark;
    mark.position = to_eigen(contact.position);
    mark.force = contact.normal_force * to_eigen(contact.normal) + to_eigen(contact.friction_force);
    marks_.contacts.push_back(mark);
  }
  marks_.ray_flags = snapshot.ray_flags;
  marks_.ray_depths = snapshot.ray_hits;
}

Isometry3d DrawnWorld::parent_pose(const std::string & parent) const
{
  if (parent.empty()) { return Isometry3d::Identity(); }
  if (const auto body = scene_.body(parent)) { return scene_.pose(*body); }
  for (std::size_t i = 0; i < std::min(camera_poses_.size(), description_.cameras.size()); ++i) {
    if (description_.cameras[i].header.qualified == parent) { return camera_poses_[i]; }
  }
  return Isometry3d::Identity();
}

void DrawnWorld::place_cameras(const std::vector<double> & poses)
{
  const auto & cameras = description_.cameras;
  const bool given = poses.size() == 7 * cameras.size();
  camera_poses_.resize(cameras.size(), Isometry3d::Identity());
  for (std::size_t i = 0; i < cameras.size(); ++i) {
    camera_poses_[i] = given ? to_isometry(poses.data() + 7 * i)
                             : parent_pose(cameras[i].parent) * camera_pose(cameras[i]);
  }
}

void DrawnWorld::place_lamps(const std::vector<double> & poses)
{
  const auto & lights = description_.lights;
  const bool given = poses.size() == 7 * lights.size();
  std::vector<ambf_rendering::Lamp> lamps;
  for (std::size_t i = 0; i < lights.size(); ++i) {
    lamps.push_back(ambf_rendering::to_lamp(
      lights[i], given ? to_isometry(poses.data() + 7 * i)
                       : parent_pose(lights[i].parent) * light_pose(lights[i])));
  }
  scene_.set_lamps(lamps);
}

DrawnWorld::Object DrawnWorld::object_of(std::int32_t identity) const
{
  const auto index = static_cast<std::size_t>(identity);
  return identity < 1 || index > objects_.size() ? Object{} : objects_[index - 1];
}

std::string DrawnWorld::summary() const
{
  const auto count = [](std::size_t n, const char * what) {
    return std::to_string(n) + " " + what;
  };
  return "revision " + std::to_string(revision_) + ": " +
         count(description_.models.size(), "models, ") + count(scene_.body_count(), "bodies, ") +
         count(scene_.triangle_count(), "triangles, ") +
         count(description_.cameras.size(), "cameras, ") +
         count(description_.lights.size(), "lights");
}

ambf_adf::expected<std::string, std::string> find_object(
  const std::vector<DrawnWorld::Object> & objects, const std::string & text)
{
  std::vector<std::string> named;
  for (const auto & object : objects) {
    if (object.identifier == text) { return text; }
    if (object.name == text) { named.push_back(object.identifier); }
  }
  if (named.size() == 1) { return named.front(); }
  if (named.empty()) {
    return tl::unexpected(
      "found '" + text + "', expected the name or the identifier of a body in the manifest");
  }
  std::string all;
  for (const auto & identifier : named) { all += (all.empty() ? "'" : ", '") + identifier + "'"; }
  return tl::unexpected(
    "found '" + text + "', which several bodies are called; expected one of " + all);
}

}  // namespace ambf_render
