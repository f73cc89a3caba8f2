// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/unsupported.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include "ambf_simulation/plugins.hpp"
#include "object_lists.hpp"

namespace ambf_simulation
{

namespace
{

using ambf_adf::Problems;

void tell(
  Problems & problems, const std::string & file, ambf_adf::Mark where, const std::string & key,
  const std::string & found, const std::string & expected, const std::string & hint)
{
  problems.push_back(
    {ambf_adf::Severity::Warning, ambf_adf::ProblemKind::Unsupported, file, where, key, found,
     expected, hint});
}

void tell_plugins(
  Problems & problems, const std::string & file, const std::filesystem::path & folder,
  ambf_adf::Mark where, const std::string & key, const std::vector<ambf_adf::Plugin> & plugins)
{
  for (const auto & plugin : plugins) {
    const auto maker = open_plugin(plugin_file(plugin, folder));
    if (maker) { continue; }
    tell(
      problems, file, where, key, "the plugin '" + plugin.name + "' (" + plugin.filename + ")",
      "a library with a plugin for this simulator", "it is left out: " + maker.error());
  }
}

template <typename Objects>
void tell_plugins_of(
  Problems & problems, const std::string & file, const std::filesystem::path & folder,
  const Objects & objects)
{
  for (const auto & object : objects) {
    const auto & header = object.header;
    tell_plugins(
      problems, file, folder, header.where, header.identifier + "/plugins", header.plugins);
  }
}

/// A key that nobody here acts on. Whoever tells it says it once, not for each object.
void tell_key(
  Problems & problems, const std::string & file, const ambf_adf::ObjectHeader & header,
  const std::string & key, const std::string & found, const std::string & hint)
{
  problems.push_back(
    {ambf_adf::Severity::Warning, ambf_adf::ProblemKind::UnusedKey, file, header.where,
     header.identifier + "/" + key, found, "", hint});
}

/// State has everything in any case: who asked for less is told.
void tell_publish_flags(
  Problems & problems, const std::string & file, const std::vector<ambf_adf::RigidBody> & bodies)
{
  const ambf_adf::RigidBody usual;
  for (const auto & body : bodies) {
    if (
      body.publish_joint_names == usual.publish_joint_names &&
      body.publish_joint_positions == usual.publish_joint_positions) {
      continue;
    }
    tell_key(
      problems, file, body.header, "publish joint names, publish joint positions", "false",
      "States have names and positions of joints in any case");
  }
}

/// What windows and pictures of AMBF do and ours do not.
void tell_view_keys(
  Problems & problems, const std::string & file, const std::vector<ambf_adf::Camera> & cameras)
{
  for (const auto & camera : cameras) {
    if (camera.monitor != 0) {
      tell_key(
        problems, file, camera.header, "monitor", std::to_string(camera.monitor),
        "windows open on the screen of the display; move them there");
    }
    if (camera.preprocessing_shaders || camera.depth_compute_shaders) {
      tell_key(
        problems, file, camera.header,
        camera.preprocessing_shaders ? "preprocessing shaders" : "depth compute shaders",
        "GLSL programs of AMBF",
        "images are drawn without them; <camera>/SegmentationData is there in any case");
    }
  }
}

}  // namespace

Problems unsupported(const ambf_adf::Model & model)
{
  Problems problems;
  const std::string & file = model.source_file;
  const std::filesystem::path folder = model.resource_base;
  tell_plugins(problems, file, folder, {}, "plugins", model.plugins);
  for_each_object_list(
    model, [&](const auto & objects) { tell_plugins_of(problems, file, folder, objects); });
  tell_publish_flags(problems, file, model.bodies);
  tell_view_keys(problems, file, model.cameras);
  for (const auto & volume : model.volumes) {
    tell(
      problems, file, volume.header.where, volume.header.identifier, "a volume",
      "bodies, soft bodies, ghosts", "it is left out: volumes are neither simulated nor drawn");
  }
  for (const auto & vehicle : model.vehicles) {
    tell(
      problems, file, vehicle.header.where, vehicle.header.identifier, "a vehicle",
      "bodies and joints",
      "it is left out: its bodies are there, without engine, steering and suspension");
  }
  return problems;
}

Problems unsupported(const ambf_adf::World & world)
{
  Problems problems;
  const auto folder = std::filesystem::path(world.source_file).parent_path();
  tell_plugins(problems, world.source_file, folder, {}, "plugins", world.plugins);
  tell_plugins_of(problems, world.source_file, folder, world.cameras);
  tell_plugins_of(problems, world.source_file, folder, world.lights);
  tell_view_keys(problems, world.source_file, world.cameras);
  return problems;
}

Problems unsupported(const ambf_adf::Launch & launch)
{
  Problems problems;
  const auto folder = std::filesystem::path(launch.source_file).parent_path();
  tell_plugins(problems, launch.source_file, folder, {}, "plugins", launch.plugins);
  return problems;
}

}  // namespace ambf_simulation
