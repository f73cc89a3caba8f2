// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/write.hpp"

#include <fstream>

#include "write_objects.hpp"

namespace ambf_adf
{
namespace
{

template <class Objects>
void put_names(AdfEmitter & out, const char * list, const Objects & objects)
{
  std::vector<std::string> names;
  for (const auto & object : objects) { names.push_back(object.header.identifier); }
  // An empty list of bodies tells readers that the file is a model.
  if (!names.empty() || list == std::string("bodies")) { out.put(list, names); }
}

template <class Objects>
void put_blocks(AdfEmitter & out, const Objects & objects, const WriteContext & file)
{
  for (const auto & object : objects) {
    out.begin_map(object.header.identifier);
    put_object(out, object, file);
    out.end_map();
  }
}

}  // namespace

std::string write(const Model & model)
{
  const WriteContext file{
    model.ns, model.resource_base, model.high_resolution_path, model.low_resolution_path,
    model.gravity};
  AdfEmitter out;
  out.begin_map();
  out.put("adf version", "1.0");
  out.put("namespace", model.ns);
  out.put_unless("high resolution path", model.high_resolution_path, std::string());
  out.put_unless("low resolution path", model.low_resolution_path, std::string());
  out.put("ignore inter-collision", model.ignore_inter_collision);
  out.put_optional("gravity", model.gravity);
  put_shaders(out, "shaders", model.shaders, file);
  out.put("plugins", model.plugins);
  put_names(out, "bodies", model.bodies);
  put_names(out, "soft bodies", model.soft_bodies);
  put_names(out, "ghost objects", model.ghost_objects);
  put_names(out, "joints", model.joints);
  put_names(out, "sensors", model.sensors);
  put_names(out, "actuators", model.actuators);
  put_names(out, "vehicles", model.vehicles);
  put_names(out, "volumes", model.volumes);
  put_names(out, "cameras", model.cameras);
  put_names(out, "lights", model.lights);
  put_blocks(out, model.bodies, file);
  put_blocks(out, model.soft_bodies, file);
  put_blocks(out, model.ghost_objects, file);
  put_blocks(out, model.joints, file);
  put_blocks(out, model.sensors, file);
  put_blocks(out, model.actuators, file);
  put_blocks(out, model.vehicles, file);
  put_blocks(out, model.volumes, file);
  put_blocks(out, model.cameras, file);
  put_blocks(out, model.lights, file);
  out.put_entries(model.extensions);
  out.end_map();
  return out.text();
}

std::string write(const World & world)
{
  const WriteContext file{world.ns, world.resource_base, "", "", std::nullopt};
  AdfEmitter out;
  out.begin_map();
  out.put("adf version", "1.0");
  out.put("namespace", world.ns);
  out.put("gravity", world.gravity);
  out.put_optional("max iterations", world.max_steps_per_cycle);
  out.put_optional("solver iterations", world.solver_iterations);
  out.put_unless("environment", unresolve(file, world.environment), std::string());
  if (world.enclosure) {
    out.put("enclosure size", *world.enclosure, {"length", "width", "height"});
  }
  put_shaders(out, "shaders", world.shaders, file);
  if (world.skybox) {
    out.begin_map("skybox");
    out.put("path", unresolve(file, world.skybox->path));
    out.put("right", world.skybox->right);
    out.put("left", world.skybox->left);
    out.put("top", world.skybox->top);
    out.put("bottom", world.skybox->bottom);
    out.put("front", world.skybox->front);
    out.put("back", world.skybox->back);
    put_shaders(out, "shaders", world.skybox->shaders, file);
    out.end_map();
  }
  out.put("plugins", world.plugins);
  put_names(out, "cameras", world.cameras);
  put_names(out, "lights", world.lights);
  put_blocks(out, world.cameras, file);
  put_blocks(out, world.lights, file);
  out.put_entries(world.extensions);
  out.end_map();
  return out.text();
}

expected<void, Problem> write_file(const Model & model, const std::filesystem::path & file)
{
  std::ofstream stream(file, std::ios::binary);
  stream << write(model);
  stream.close();
  if (!stream) {
    return unexpected(Problem{
      Severity::Error,
      ProblemKind::Io,
      file.string(),
      {},
      "",
      "a file that cannot be written",
      "a writable place",
      "check the folder and the permissions"});
  }
  return {};
}

}  // namespace ambf_adf
