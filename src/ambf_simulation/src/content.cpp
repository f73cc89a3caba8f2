// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/content.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "ambf_adf/names.hpp"
#include "ambf_adf/view_pose.hpp"

namespace ambf_simulation
{

namespace
{

template <typename Object>
View make_view(const Object & object, const std::string & model, const Eigen::Isometry3d & pose)
{
  View view;
  view.header = object.header;
  view.model = model;
  view.parent = object.parent;
  view.described = view.t_parent_view = pose;
  return view;
}

/// What `link_parents` may change.
std::vector<std::string> parents_of(const ambf_adf::Model & model)
{
  std::vector<std::string> parents;
  const auto add = [&](const auto & objects) {
    for (const auto & object : objects) { parents.push_back(object.parent); }
  };
  add(model.ghost_objects);
  add(model.volumes);
  add(model.cameras);
  add(model.lights);
  return parents;
}

}  // namespace

Content::Content(
  std::unique_ptr<ambf_dynamics::World> world, std::pair<std::string, std::string> moved_topics)
: world_(std::move(world)), moved_topics_(std::move(moved_topics))
{
}

void Content::link()
{
  auto world_views = views_of(world_file_);
  link_parents(scene_, world_views);
  world_file_.cameras = std::move(world_views.cameras);
  world_file_.lights = std::move(world_views.lights);
  for (auto & loaded : models_) {
    const auto before = parents_of(loaded.model);
    link_parents(scene_, loaded.model);
    if (parents_of(loaded.model) != before) { ++loaded.version; }
  }
  rebuild_views();
}

void Content::rebuild_views()
{
  std::map<std::string, Eigen::Isometry3d> moved;
  for (const auto & view : cameras_) { moved["c" + view.header.qualified] = view.t_parent_view; }
  for (const auto & view : lights_) { moved["l" + view.header.qualified] = view.t_parent_view; }
  cameras_.clear();
  lights_.clear();
  const auto add_views = [&](const auto & from, const std::string & model) {
    for (const auto & camera : from.cameras) {
      cameras_.push_back(make_view(camera, model, camera_pose(camera)));
    }
    for (const auto & light : from.lights) {
      lights_.push_back(make_view(light, model, light_pose(light)));
    }
  };
  add_views(world_file_, "");
  for (const auto & loaded : models_) { add_views(loaded.model, loaded.model.name); }
  const auto fit = [&](std::vector<View> & views, const char * kind) {
    for (auto & view : views) {
      if (const auto it = moved.find(kind + view.header.qualified); it != moved.end()) {
        view.t_parent_view = it->second;
      }
      if (view.parent.empty()) { continue; }
      if (const auto body = world_->find_body(view.parent)) {
        view.body = *body;
        continue;
      }
      for (std::size_t i = 0; i < cameras_.size(); ++i) {
        if (cameras_[i].header.qualified == view.parent && &cameras_[i] != &view) {
          view.camera = static_cast<std::uint32_t>(i);
        }
      }
    }
  };
  fit(cameras_, "c");
  fit(lights_, "l");
}

std::string Content::find_object(const std::string & name) const
{
  // Passive objects have no topic: an empty name would find one of them.
  if (name.empty()) { return {}; }
  std::string found, by_topic;
  int hits = 0;
  const auto look = [&](const auto & objects) {
    for (const auto & object : objects) {
      const auto & header = object.header;
      // No two objects have one topic, though they may share a name.
      if (header.topic == name) { by_topic = header.qualified; }
      if (
        ambf_adf::is_name_of(name, header.qualified) ||
        ambf_adf::is_name_of(name, header.ns + header.name) ||
        ambf_adf::is_name_of(name, header.topic)) {
        found = header.qualified;
        ++hits;
      }
    }
  };
  for (const auto & loaded : models_) {
    look(loaded.model.bodies);
    look(loaded.model.soft_bodies);
    look(loaded.model.joints);
    look(loaded.model.sensors);
    look(loaded.model.actuators);
    look(loaded.model.ghost_objects);
  }
  if (!by_topic.empty()) { return by_topic; }
  return hits == 1 ? found : std::string{};
}

bool Content::remove(const std::string & name)
{
  const auto model = std::find_if(
    models_.begin(), models_.end(), [&](const LoadedModel & m) { return m.model.name == name; });
  if (model == models_.end()) { return remove_object(find_object(name)); }
  const bool removed = world_->remove_model(model->handle);
  scene_.remove_model(name);
  models_.erase(model);
  return removed;
}

bool Content::remove_object(const std::string & qualified)
{
  if (qualified.empty() || !world_->remove_object(qualified)) { return false; }
  scene_.remove_object(qualified);
  // With a body goes what hangs on it; the names are free again.
  const auto drop = [&](auto & objects, auto hangs) {
    std::erase_if(objects, [&](const auto & object) {
      const bool gone = object.header.qualified == qualified || hangs(object);
      if (gone) { scene_.remove_object(object.header.qualified); }
      return gone;
    });
  };
  const auto parent = [&](const auto & object) { return object.parent == qualified; };
  const auto nowhere = [](const auto &) { return false; };
  for (auto & m : models_) {
    ++m.version;
    drop(m.model.bodies, nowhere);
    drop(m.model.joints, [&](const auto & j) {
      return j.parent == qualified || j.child == qualified;
    });
    drop(m.model.soft_bodies, nowhere);
    drop(m.model.sensors, parent);
    drop(m.model.actuators, parent);
    drop(m.model.ghost_objects, nowhere);
    drop(m.model.cameras, parent);
    drop(m.model.lights, parent);
  }
  return true;
}

void Content::remove_spawned()
{
  std::vector<std::string> gone;
  for (const auto & model : models_) {
    if (model.spawned) { gone.push_back(model.model.name); }
  }
  for (const auto & name : gone) { remove(name); }
}

void Content::reset_views()
{
  for (auto & view : cameras_) { view.t_parent_view = view.described; }
  for (auto & view : lights_) { view.t_parent_view = view.described; }
}

ambf_proxies::PartialGains Content::described_gains(const std::string & qualified) const
{
  for (const auto & loaded : models_) {
    for (const auto & body : loaded.model.bodies) {
      if (body.header.qualified == qualified && body.controller) {
        return ambf_proxies::gains_of(*body.controller);
      }
    }
  }
  return {};
}

}  // namespace ambf_simulation
