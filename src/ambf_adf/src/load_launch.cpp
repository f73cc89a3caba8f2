// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <set>

#include "ambf_adf/scene.hpp"

namespace ambf_adf
{
namespace
{

namespace fs = std::filesystem;

void append(Problems & to, const Problems & from) { to.insert(to.end(), from.begin(), from.end()); }

/// Reads a model and puts it into the scene; errors and warnings go to the lists.
std::optional<Model> load_model(
  const fs::path & file, const LoadOptions & options, Scene & scene, Errors & errors,
  Problems & warnings)
{
  auto parsed =
    options.read_model ? options.read_model(file, options.parse) : parse_file(file, options.parse);
  if (!parsed) {
    append(errors, parsed.error());
    return std::nullopt;
  }
  auto added = scene.add(std::move(*parsed));
  if (!added) {
    append(errors, added.error());
    return std::nullopt;
  }
  append(warnings, added->warnings);
  return std::move(*added);
}

/// Gives the world's cameras and lights their names in the scene, or, after all models are loaded,
/// their parents.
template <class Step>
void as_model(World & world, Step step)
{
  Model model;
  model.name = "World";
  model.ns = world.ns;
  model.cameras = std::move(world.cameras);
  model.lights = std::move(world.lights);
  step(model);
  world.cameras = std::move(model.cameras);
  world.lights = std::move(model.lights);
}

void warn_unknown_parents(
  const std::vector<std::string> & parents, const std::string & file, Problems & warnings)
{
  for (const auto & parent : parents) {
    warnings.push_back(
      {Severity::Warning,
       ProblemKind::UnresolvedReference,
       file,
       {},
       "parent",
       "'" + parent + "', which is not loaded",
       "a body or a camera",
       "what has this parent stays where it is in the world"});
  }
}

std::vector<std::size_t> chosen_entries(const Launch & launch, const LoadOptions & options)
{
  const std::size_t size = launch.multibodies.size();
  std::vector<std::size_t> by_default;
  if (options.extra_models.empty() && !options.models_beside && size > 0) {
    by_default = {size > 1 ? std::size_t{1} : std::size_t{0}};
  }
  return options.models.of(size, launch.default_models.of(size, by_default));
}

std::vector<fs::path> chosen_models(
  const Launch & launch, const LoadOptions & options, const std::vector<std::size_t> & entries,
  Errors & errors)
{
  std::vector<fs::path> files = options.extra_models;
  for (const std::size_t index : entries) {
    if (index < launch.multibodies.size()) {
      files.emplace_back(launch.multibodies[index]);
      continue;
    }
    const std::string range = launch.multibodies.empty()
                                ? "nothing: the list is empty"
                                : "0 to " + std::to_string(launch.multibodies.size() - 1);
    errors.push_back(
      {Severity::Error,
       ProblemKind::BadValue,
       launch.source_file,
       {},
       "multibody configs",
       "the index " + std::to_string(index),
       range,
       "the list counts from 0"});
  }
  return files;
}

/// Of files that are not there only those matter that were chosen, and for them there is an error
/// of their own.
void forget_missing_files(Problems & warnings)
{
  std::erase_if(warnings, [](const Problem & p) { return p.kind == ProblemKind::MissingFile; });
}

bool has_body(const Model & model, const std::string & qualified)
{
  return std::any_of(model.bodies.begin(), model.bodies.end(), [&](const RigidBody & body) {
    return body.header.qualified == qualified;
  });
}

/// A model whose ghosts hang on bodies of later models is moved behind these: whoever puts the
/// models into a world one by one finds the parents there.
void put_ghosts_behind_parents(std::vector<Model> & models)
{
  std::set<std::string> moved;  // two models that hang on each other stay as they are
  for (std::size_t i = 0; i < models.size();) {
    std::size_t last = i;
    for (const auto & ghost : models[i].ghost_objects) {
      for (std::size_t j = last + 1; j < models.size(); ++j) {
        last = has_body(models[j], ghost.parent) ? j : last;
      }
    }
    if (last == i || !moved.insert(models[i].name).second) {
      ++i;
      continue;
    }
    const auto begin = models.begin();
    std::rotate(
      begin + static_cast<std::ptrdiff_t>(i), begin + static_cast<std::ptrdiff_t>(i) + 1,
      begin + static_cast<std::ptrdiff_t>(last) + 1);
  }
}

void load_devices(LoadedWorld & loaded, const LoadOptions & options, Errors & errors)
{
  if (options.devices.rule == Choice::Rule::Default || loaded.launch.input_devices.empty()) {
    return;
  }
  std::error_code error;
  if (!fs::exists(loaded.launch.input_devices, error)) {
    loaded.warnings.push_back(
      {Severity::Warning,
       ProblemKind::MissingFile,
       loaded.launch.source_file,
       {},
       "input devices config",
       "'" + loaded.launch.input_devices + "', which is not there",
       "a file of input devices",
       "no devices are loaded"});
    return;
  }
  auto devices =
    parse_input_devices_file(loaded.launch.input_devices, options.parse, options.devices);
  if (devices) {
    loaded.devices = std::move(*devices);
    append(loaded.warnings, loaded.devices.warnings);
  } else {
    append(errors, devices.error());
  }
}

}  // namespace

expected<LoadedWorld, Errors> load_launch(const fs::path & file, const LoadOptions & options)
{
  auto launch = parse_launch_file(file);
  if (!launch) { return unexpected(std::move(launch.error())); }
  LoadedWorld loaded;
  Errors errors;
  Scene scene;
  loaded.launch = std::move(*launch);
  forget_missing_files(loaded.launch.warnings);
  loaded.warnings = loaded.launch.warnings;

  if (!loaded.launch.world.empty()) {
    auto world = parse_world_file(loaded.launch.world, options.parse);
    if (world) {
      loaded.world = std::move(*world);
      append(loaded.warnings, loaded.world.warnings);
    } else {
      append(errors, world.error());
    }
  }
  as_model(loaded.world, [&](Model & model) {
    if (auto added = scene.add(model)) { model = std::move(*added); }
  });
  if (!loaded.world.environment.empty()) {
    loaded.environment =
      load_model(loaded.world.environment, options, scene, errors, loaded.warnings);
  }
  loaded.chosen = chosen_entries(loaded.launch, options);
  for (const auto & model_file : chosen_models(loaded.launch, options, loaded.chosen, errors)) {
    auto model = load_model(model_file, options, scene, errors, loaded.warnings);
    if (model) { loaded.models.push_back(std::move(*model)); }
  }
  as_model(loaded.world, [&](Model & model) {
    warn_unknown_parents(link_parents(scene, model), loaded.launch.world, loaded.warnings);
  });
  if (loaded.environment) {
    warn_unknown_parents(
      link_parents(scene, *loaded.environment), loaded.environment->source_file, loaded.warnings);
  }
  for (auto & model : loaded.models) {
    warn_unknown_parents(link_parents(scene, model), model.source_file, loaded.warnings);
  }
  put_ghosts_behind_parents(loaded.models);
  load_devices(loaded, options, errors);
  if (!errors.empty()) {
    append(errors, loaded.warnings);
    return unexpected(std::move(errors));
  }
  return loaded;
}

}  // namespace ambf_adf
