#include "core/unsupported.hpp"

#include <string>
#include <vector>

namespace ambf_physics
{

namespace
{

using ambf_adf::Problems;

void tell(
  Problems & problems, const std::string & file, ambf_adf::Mark where, const std::string & key,
  const std::string & found, const std::string & expected, const std::string & hint)
{
  problems.push_back(
    {ambf_adf::Severity::Warning, ambf_adf::ProblemKind::Unsupported, file, where, key, found, expected, hint});
}

void tell_plugins(
  Problems & problems, const std::string & file, ambf_adf::Mark where, const std::string & key,
  const std::vector<ambf_adf::Plugin> & plugins)
{
  for (const auto & plugin : plugins) {
    tell(
      problems, file, where, key, "the plugin '" + plugin.name + "' (" + plugin.filename + ")",
      "no plugins: they are made for AMBF's own classes", "it is left out; a node can do its work");
  }
}

template<typename Objects>
void tell_plugins_of(Problems & problems, const std::string & file, const Objects & objects)
{
  for (const auto & object : objects) {
    const auto & header = object.header;
    tell_plugins(problems, file, header.where, header.identifier + "/plugins", header.plugins);
  }
}

}  // namespace

Problems unsupported(const ambf_adf::Model & model)
{
  Problems problems;
  const std::string & file = model.source_file;
  tell_plugins(problems, file, {}, "plugins", model.plugins);
  const auto of_objects = [&](const auto & objects) {tell_plugins_of(problems, file, objects);};
  of_objects(model.bodies);
  of_objects(model.soft_bodies);
  of_objects(model.ghost_objects);
  of_objects(model.joints);
  of_objects(model.sensors);
  of_objects(model.actuators);
  of_objects(model.vehicles);
  of_objects(model.volumes);
  of_objects(model.cameras);
  of_objects(model.lights);
  for (const auto & volume : model.volumes) {
    tell(
      problems, file, volume.header.where, volume.header.identifier, "a volume", "bodies, soft bodies, ghosts",
      "it is left out: volumes are neither simulated nor drawn");
  }
  for (const auto & vehicle : model.vehicles) {
    tell(
      problems, file, vehicle.header.where, vehicle.header.identifier, "a vehicle", "bodies and joints",
      "it is left out: its bodies are there, without engine, steering and suspension");
  }
  return problems;
}

Problems unsupported(const ambf_adf::World & world)
{
  Problems problems;
  tell_plugins(problems, world.source_file, {}, "plugins", world.plugins);
  tell_plugins_of(problems, world.source_file, world.cameras);
  tell_plugins_of(problems, world.source_file, world.lights);
  return problems;
}

Problems unsupported(const ambf_adf::Launch & launch)
{
  Problems problems;
  tell_plugins(problems, launch.source_file, {}, "plugins", launch.plugins);
  return problems;
}

}  // namespace ambf_physics
