#include "ambf_adf/scene.hpp"

namespace ambf_adf
{
namespace
{

namespace fs = std::filesystem;

void append(Problems & to, const Problems & from) { to.insert(to.end(), from.begin(), from.end()); }

/// Reads a model and puts it into the scene; errors and warnings go to the lists.
std::optional<Model> load_model(
  const fs::path & file, const ParseOptions & options, Scene & scene, Errors & errors,
  Problems & warnings)
{
  auto parsed = parse_file(file, options);
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

std::vector<fs::path> chosen_models(
  const Launch & launch, const LoadOptions & options, Errors & errors)
{
  std::vector<fs::path> files = options.extra_models;
  if (!options.models) {
    files.insert(files.end(), launch.multibodies.begin(), launch.multibodies.end());
    return files;
  }
  for (const std::size_t index : *options.models) {
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

}  // namespace

expected<LoadedWorld, Errors> load_launch(const fs::path & file, const LoadOptions & options)
{
  auto launch = parse_launch_file(file);
  if (!launch) {
    return unexpected(std::move(launch.error()));
  }
  LoadedWorld loaded;
  Errors errors;
  Scene scene;
  loaded.launch = std::move(*launch);
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
    if (auto added = scene.add(model)) {
      model = std::move(*added);
    }
  });
  if (!loaded.world.environment.empty()) {
    loaded.environment =
      load_model(loaded.world.environment, options.parse, scene, errors, loaded.warnings);
  }
  for (const auto & model_file : chosen_models(loaded.launch, options, errors)) {
    auto model = load_model(model_file, options.parse, scene, errors, loaded.warnings);
    if (model) {
      loaded.models.push_back(std::move(*model));
    }
  }
  as_model(loaded.world, [&](Model & model) {
    warn_unknown_parents(link_parents(scene, model), loaded.launch.world, loaded.warnings);
  });
  for (auto & model : loaded.models) {
    warn_unknown_parents(link_parents(scene, model), model.source_file, loaded.warnings);
  }
  std::error_code error;
  if (fs::exists(loaded.launch.input_devices, error)) {
    auto devices = parse_input_devices_file(loaded.launch.input_devices, options.parse);
    if (devices) {
      loaded.devices = std::move(*devices);
      append(loaded.warnings, loaded.devices.warnings);
    } else {
      append(errors, devices.error());
    }
  } else if (!loaded.launch.input_devices.empty()) {
    loaded.warnings.push_back(
      {Severity::Warning,
       ProblemKind::MissingFile,
       loaded.launch.source_file,
       {},
       "input devices config",
       "'" + loaded.launch.input_devices + "', which is not there",
       "a file of input devices",
       "no devices are loaded"});
  }
  if (!errors.empty()) {
    append(errors, loaded.warnings);
    return unexpected(std::move(errors));
  }
  return loaded;
}

}  // namespace ambf_adf
