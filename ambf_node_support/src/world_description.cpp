// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_node_support/world_description.hpp"

#include <map>

#include "ambf_adf/parse.hpp"
#include "ambf_adf/paths.hpp"

namespace ambf_node_support
{

namespace
{

template <typename Object>
using ByName = std::map<std::string, Object>;

/// Cameras and lights of the world file.
void add_world_file(
  const std::string & adf, ByName<ambf_adf::Camera> & cameras, ByName<ambf_adf::Light> & lights,
  std::vector<std::string> & warnings)
{
  if (adf.empty()) { return; }
  ambf_adf::ParseOptions options;
  options.check_files = false;
  const auto world = ambf_adf::parse_world_text(adf, "the world file", {}, options);
  if (!world) {
    warnings.push_back(
      "cameras and lights of the world have default lenses:\n" +
      ambf_adf::to_string(world.error()));
    return;
  }
  for (const auto & camera : world->cameras) {
    cameras.try_emplace(camera.header.identifier, camera);
  }
  for (const auto & light : world->lights) { lights.try_emplace(light.header.identifier, light); }
}

/// The object of a qualified identifier; objects of the world file are known by its last part.
template <typename Object>
const Object * find(const ByName<Object> & objects, const std::string & qualified)
{
  if (const auto it = objects.find(qualified); it != objects.end()) { return &it->second; }
  const auto it = objects.find(qualified.substr(qualified.rfind('/') + 1));
  return it == objects.end() ? nullptr : &it->second;
}

template <typename Object>
std::vector<Object> in_order(
  const std::vector<ambf_msgs::msg::ObjectInfo> & infos, const ByName<Object> & objects)
{
  std::vector<Object> result;
  for (const auto & info : infos) {
    const Object * known = find(objects, info.identifier);
    Object object = known ? *known : Object{};
    object.header.qualified = info.identifier;
    object.header.name = info.name;
    object.header.topic = info.topic;
    object.parent = info.parent;
    result.push_back(std::move(object));
  }
  return result;
}

}  // namespace

WorldDescription DescriptionReader::read(const ambf_msgs::msg::WorldManifest & manifest)
{
  WorldDescription result;
  ByName<ambf_adf::Camera> cameras;
  ByName<ambf_adf::Light> lights;
  std::map<std::string, Known> models;
  for (const auto & info : manifest.models) {
    auto before = models_.extract(info.name);
    const bool same = !before.empty() && before.mapped().text == info.adf &&
                      before.mapped().resource_base == info.resource_base;
    if (!same) {
      ambf_adf::ParseOptions options;
      options.check_files = false;
      const auto base = ambf_adf::resolve_path({}, info.resource_base);
      auto model = ambf_adf::parse_text(info.adf, info.name, base, options);
      ++parsed_;
      if (!model) {
        result.warnings.push_back(
          "model '" + info.name + "' is not drawn:\n" + ambf_adf::to_string(model.error()));
        continue;
      }
      model->name = info.name;
      models[info.name] = {info.adf, info.resource_base, std::move(*model)};
    } else {
      models.insert(std::move(before));
    }
    const ambf_adf::Model & model = models.at(info.name).model;
    for (const auto & camera : model.cameras) { cameras[camera.header.qualified] = camera; }
    for (const auto & light : model.lights) { lights[light.header.qualified] = light; }
    result.models.push_back(model);
  }
  models_ = std::move(models);
  add_world_file(manifest.world_adf, cameras, lights, result.warnings);
  result.cameras = in_order(manifest.cameras, cameras);
  result.lights = in_order(manifest.lights, lights);
  return result;
}

}  // namespace ambf_node_support
