// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/scene.hpp"

#include <algorithm>

#include "ambf_adf/names.hpp"
#include "scene_linker.hpp"

namespace ambf_adf
{

std::vector<std::string> Scene::find(std::string_view reference, ObjectKind kind) const
{
  const auto [first, last] = objects_.equal_range(reference);
  std::vector<std::string> exact, same_identifier, partial;
  for (auto it = first; it != last; ++it) {
    if (it->second.kind == kind) { exact.push_back(it->first); }
  }
  if (!exact.empty()) { return exact; }
  for (const auto & [qualified, entry] : objects_) {
    if (entry.kind != kind) { continue; }
    if (entry.identifier == reference) {
      same_identifier.push_back(qualified);
    } else if (qualified.find(reference) != std::string::npos) {
      partial.push_back(qualified);
    }
  }
  return same_identifier.empty() ? partial : same_identifier;
}

expected<Model, Errors> Scene::add(Model model, const AddOptions & options)
{
  ModelLinker linker(*this, model, options);
  Errors errors = linker.link();
  if (!errors.empty()) { return unexpected(std::move(errors)); }
  return model;
}

bool Scene::remove_object(std::string_view qualified)
{
  bool removed = false;
  for (auto it = objects_.lower_bound(qualified); it != objects_.end() && it->first == qualified;) {
    topics_.erase(it->second.topic);
    it = objects_.erase(it);
    removed = true;
  }
  return removed;
}

bool Scene::remove_model(std::string_view model_name)
{
  const auto known = models_.find(model_name);
  if (known == models_.end()) { return false; }
  models_.erase(known);
  for (auto it = objects_.begin(); it != objects_.end();) {
    if (it->second.model == model_name) {
      topics_.erase(it->second.topic);
      it = objects_.erase(it);
    } else {
      ++it;
    }
  }
  return true;
}

std::vector<std::string> link_parents(const Scene & scene, Model & model)
{
  std::vector<std::string> unknown;
  const auto link = [&](auto & objects) {
    for (auto & object : objects) {
      if (object.parent.empty()) { continue; }
      auto found = scene.find(object.parent, ObjectKind::Body);
      if (found.size() != 1) { found = scene.find(object.parent, ObjectKind::Camera); }
      if (found.size() == 1) {
        object.parent = found.front();
      } else {
        unknown.push_back(object.parent);
      }
    }
  };
  link(model.ghost_objects);
  link(model.volumes);
  link(model.cameras);
  link(model.lights);
  return unknown;
}

}  // namespace ambf_adf
