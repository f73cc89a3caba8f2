// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/simulation.hpp"

#include <algorithm>
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

Simulation::Simulation(std::unique_ptr<ambf_dynamics::World> world)
: world_(std::move(world)), contacts_asked_for_(world_->parameters().report_contacts)
{
  refit();
}

void Simulation::refit()
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
  commands_.rebuild(*world_);
  object_commands_.rebuild(*world_, cameras_, lights_);
  rebuild_hands();
  share_state();
}

void Simulation::rebuild_views()
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

std::string Simulation::find_object(const std::string & name) const
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

bool Simulation::remove(const std::string & name)
{
  const auto model = std::find_if(
    models_.begin(), models_.end(), [&](const LoadedModel & m) { return m.model.name == name; });
  bool removed = false;
  if (model != models_.end()) {
    removed = world_->remove_model(model->handle);
    scene_.remove_model(name);
    models_.erase(model);
  } else {
    const std::string qualified = find_object(name);
    removed = !qualified.empty() && world_->remove_object(qualified);
    if (removed) {
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
    }
  }
  if (removed) { refit(); }
  return removed;
}

void Simulation::reset(bool time, bool state, bool spawned)
{
  if (spawned) {
    std::vector<std::string> gone;
    for (const auto & model : models_) {
      if (model.spawned) { gone.push_back(model.model.name); }
    }
    for (const auto & name : gone) { remove(name); }
  }
  if (state) {
    world_->reset(time);
    commands_.clear();
    object_commands_.clear();
    hands_.proxies().forget();
    for (auto & view : cameras_) { view.t_parent_view = view.described; }
    for (auto & view : lights_) { view.t_parent_view = view.described; }
  } else if (time) {
    world_->reset_time();
  }
  share_state();
}

void Simulation::apply_posted(std::int64_t now)
{
  commands_.apply_posted(*world_, now);
  object_commands_.apply_posted(*world_, cameras_, lights_, now, commands_.counters());
  hands_.take_samples(*world_, now);
}

ambf_dynamics::StepStatus Simulation::step(
  std::int64_t now, std::int64_t timeout, WatchdogAction action, bool supervised)
{
  if (supervised) { apply_posted(now); }
  commands_.supervise(*world_, now, timeout, action);
  object_commands_.supervise(*world_, now, timeout, action, commands_.counters());
  hands_.before_step(*world_, cameras_, commands_, object_commands_, now, supervised);
  return world_->step();
}

void Simulation::restart_clock(std::int64_t now)
{
  commands_.restart_watchdogs(now);
  object_commands_.restart_watchdogs(now);
  hands_.restart_clock(now);
}

void Simulation::share_if_wanted()
{
  if (state_wanted.load(std::memory_order_relaxed)) { share_state(); }
}

void Simulation::share_state()
{
  SharedState & slot = shared_.back();
  world_->read_state(slot.state);
  if (slot.commanders_version != commands_.version()) {
    slot.commanders.resize(commands_.size());
    for (std::size_t i = 0; i < slot.commanders.size(); ++i) {
      slot.commanders[i] = commands_.commander(static_cast<ambf_dynamics::BodyIndex>(i));
    }
    slot.commanders_version = commands_.version();
  }
  const auto copy = [](const auto & table, std::vector<Commander> & to) {
    to.resize(table.size());
    for (std::size_t i = 0; i < to.size(); ++i) { to[i] = table.commander(i); }
  };
  copy(object_commands_.actuators, slot.actuator_commanders);
  copy(object_commands_.soft_bodies, slot.soft_body_commanders);
  copy(object_commands_.cameras, slot.camera_commanders);
  copy(object_commands_.lights, slot.light_commanders);
  world_poses(cameras_, cameras_, slot.state.bodies, slot.cameras);
  world_poses(lights_, cameras_, slot.state.bodies, slot.lights);
  parent_poses(cameras_, slot.camera_offsets);
  parent_poses(lights_, slot.light_offsets);
  if (readings_wanted.load(std::memory_order_relaxed)) { slot.readings.read_objects(*world_); }
  if (wrenches_wanted.load(std::memory_order_relaxed)) { slot.readings.read_wrenches(*world_); }
  if (!hands_.empty()) {
    hands_.read(*world_, slot.cameras, slot.hands);
  } else {
    slot.hands.clear();
  }
  slot.overridden = hands_.overridden();
  slot.counters = commands_.counters();
  slot.conflict = commands_.last_conflict();
  shared_.publish();
}

}  // namespace ambf_simulation
