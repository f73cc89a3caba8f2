// SPDX-License-Identifier: BSD-3-Clause
// What comes into a world: models and launch files, read, named and placed.

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "ambf_adf/names.hpp"
#include "ambf_adf/parse.hpp"
#include "ambf_convert/convert.hpp"
#include "ambf_simulation/content.hpp"
#include "ambf_simulation/unsupported.hpp"

namespace ambf_simulation
{

using ambf_adf::Errors;
using ambf_adf::expected;

namespace
{

ambf_adf::Problem problem(
  ambf_adf::ProblemKind kind, const ambf_adf::Model & model, std::string key, std::string found,
  std::string wanted)
{
  ambf_adf::Problem result;
  result.kind = kind;
  result.file = model.source_file;
  result.key = std::move(key);
  result.found = std::move(found);
  result.expected = std::move(wanted);
  return result;
}

/// Where the description places the first body that is no joint's child, or the first of all. References
/// are resolved as `scene` will.
Eigen::Isometry3d base_pose(ambf_adf::Scene scene, const ambf_adf::Model & described)
{
  const auto model = scene.add(described);
  if (!model || model->bodies.empty()) { return Eigen::Isometry3d::Identity(); }
  const auto is_base = [&](const ambf_adf::RigidBody & body) {
    return std::none_of(
      model->joints.begin(), model->joints.end(),
      [&](const ambf_adf::Joint & joint) { return joint.child == body.header.qualified; });
  };
  const auto base = std::find_if(model->bodies.begin(), model->bodies.end(), is_base);
  return (base != model->bodies.end() ? base : model->bodies.begin())->location.isometry();
}

/// Everything that has topics.
template <typename Model, typename Visit>
void for_each_header(Model & model, const Visit & visit)
{
  const auto all = [&](auto & objects) {
    for (auto & object : objects) { visit(object.header); }
  };
  all(model.bodies);
  all(model.soft_bodies);
  all(model.ghost_objects);
  all(model.sensors);
  all(model.actuators);
  all(model.cameras);
  all(model.lights);
}

/// Moves topics to another place, where others may have been before; `taken` are those of other models.
void move_topics(
  ambf_adf::Model & model, const std::pair<std::string, std::string> & moved,
  std::set<std::string> taken)
{
  const auto & [from, to] = moved;
  if (from == to) { return; }
  for_each_header(model, [&](const ambf_adf::ObjectHeader & header) {
    if (!header.topic.starts_with(from + "/")) { taken.insert(header.topic); }
  });
  for_each_header(model, [&](ambf_adf::ObjectHeader & header) {
    if (!header.topic.starts_with(from + "/")) { return; }
    const std::string base = to + header.topic.substr(from.size());
    header.topic = base;
    for (int i = 1; !taken.insert(header.topic).second; ++i) {
      header.topic = base + (base.ends_with('_') ? "" : "_") + std::to_string(i);
    }
  });
}

/// What a model's namespace is below the world's, without slashes at its ends; empty: the world's own.
std::string place_of(const std::string & ns, const std::string & world)
{
  const std::string root =
    ambf_adf::topic_namespace(world.empty() ? ambf_adf::default_namespace : world);
  const std::string all = ambf_adf::topic_namespace(ns);
  return all.size() > root.size() && all.starts_with(root)
           ? all.substr(root.size(), all.size() - root.size() - 1)
           : std::string{};
}

/// DDS has room for 247 characters in a topic's name; topics of objects and models end on a few of their own.
Errors too_long_names(const ambf_adf::Model & model)
{
  constexpr std::size_t longest = 220;
  Errors errors;
  const auto check = [&](const std::string & key, const std::string & topic) {
    if (topic.size() <= longest) { return; }
    errors.push_back(problem(
      ambf_adf::ProblemKind::BadValue, model, key.substr(0, 60),
      "a name of " + std::to_string(topic.size()) + " characters with its namespace",
      "at most " + std::to_string(longest)));
  };
  check("model " + model.name, model.ns + model.name);
  for_each_header(
    model, [&](const ambf_adf::ObjectHeader & header) { check(header.identifier, header.topic); });
  return errors;
}

}  // namespace

Errors raised(const ambf_adf::Problems & warnings, const std::vector<ambf_adf::ProblemKind> & kinds)
{
  Errors errors;
  for (auto warning : warnings) {
    if (std::find(kinds.begin(), kinds.end(), warning.kind) == kinds.end()) { continue; }
    warning.severity = ambf_adf::Severity::Error;
    errors.push_back(std::move(warning));
  }
  return errors;
}

expected<std::string, Errors> Content::add(ambf_adf::Model model, bool spawned)
{
  if (moved_topics_.first != moved_topics_.second) { move_topics(model, moved_topics_, topics()); }
  if (auto errors = too_long_names(model); !errors.empty()) {
    scene_.remove_model(model.name);
    return tl::unexpected(std::move(errors));
  }
  auto added = world_->add_model(model);
  if (!added) {
    scene_.remove_model(model.name);
    return tl::unexpected(added.error());
  }
  model.warnings.insert(model.warnings.end(), added->warnings.begin(), added->warnings.end());
  const auto left_out = unsupported(model);
  model.warnings.insert(model.warnings.end(), left_out.begin(), left_out.end());
  std::string name = model.name;
  // Below the same place as its bodies; the model's name where that is shared. Names without one letter of
  // ASCII all come to the same.
  std::string token = place_of(model.ns, moved_topics_.first);
  const auto taken = [&](const LoadedModel & one) { return one.topic_token == token; };
  const std::string base = ambf_adf::topic_token(name);
  if (token.empty() || std::any_of(models_.begin(), models_.end(), taken)) { token = base; }
  for (int i = 1; std::any_of(models_.begin(), models_.end(), taken); ++i) {
    token = base + (base.ends_with('_') ? "" : "_") + std::to_string(i);
  }
  models_.push_back(
    {std::move(model), added->handle, added->closure, std::move(token), spawned, 0});
  return name;
}

expected<ambf_adf::Model, Errors> Content::read(const LoadRequest & request) const
{
  const ambf_adf::ParseOptions parse;
  const std::string own_name = request.file.empty() ? "model" : request.file.stem().string();
  auto model = request.text.empty()
                 ? ambf_convert::parse_file(request.file, parse)
                 : ambf_convert::parse_text(
                     request.text, request.name.empty() ? own_name : request.name,
                     request.resource_base, parse);
  if (!model) { return tl::unexpected(model.error()); }
  if (!request.name.empty()) { model->name = request.name; }
  if (request.refuse_missing_files) {
    auto missing = raised(model->warnings, {ambf_adf::ProblemKind::MissingFile});
    if (!missing.empty()) { return tl::unexpected(std::move(missing)); }
  }
  world_->read_meshes(*model);
  (void)unsupported(*model);  // opens the libraries of its plugins
  return std::move(*model);
}

expected<std::string, Errors> Content::load(const LoadRequest & request, ambf_adf::Model model)
{
  ambf_adf::AddOptions options;
  options.namespace_prefix = request.namespace_prefix;
  options.below = request.below;
  options.place_by_name = !request.name.empty();
  options.allow_rename = request.allow_rename;
  const Eigen::Isometry3d t_world_model =
    request.place_base ? request.t_world_model * base_pose(scene_, model).inverse()
                       : request.t_world_model;
  if (!t_world_model.isApprox(Eigen::Isometry3d::Identity(), 0.0)) {
    options.pose = ambf_adf::Pose::from(t_world_model);
  }
  const std::string name = model.name;
  auto named = scene_.add(std::move(model), options);
  if (!named) { return tl::unexpected(named.error()); }
  if (request.keep_name && named->name != name) {
    scene_.remove_model(named->name);
    return tl::unexpected(Errors{problem(
      ambf_adf::ProblemKind::DuplicateName, *named, "name", "'" + name + "', which is taken",
      "another name")});
  }
  return add(std::move(*named), request.spawned);
}

expected<LaunchContent, Errors> Content::read_launch(
  const std::filesystem::path & file, const ambf_adf::LoadOptions & options,
  const DeviceRules & devices) const
{
  auto wanted = options;
  wanted.devices = devices.from_file;
  wanted.read_model = ambf_convert::parse_file;
  auto loaded = ambf_adf::load_launch(file, wanted);
  if (!loaded) { return tl::unexpected(loaded.error()); }
  LaunchContent content;
  content.file = std::filesystem::absolute(file).lexically_normal().string();
  content.warnings = std::move(loaded->warnings);
  const auto also = [&](const ambf_adf::Problems & more) {
    content.warnings.insert(content.warnings.end(), more.begin(), more.end());
  };
  content.devices = read_device_models(loaded->devices, options.parse);
  also(keys_without_effect(loaded->devices, devices));
  also(unsupported(loaded->launch));
  also(unsupported(loaded->world));
  Errors errors;
  const auto look_at = [&](ambf_adf::Model model) {
    world_->read_meshes(model);
    also(unsupported(model));
    move_topics(model, moved_topics_, {});
    const auto more = too_long_names(model);
    errors.insert(errors.end(), more.begin(), more.end());
  };
  if (loaded->environment) { look_at(*loaded->environment); }
  for (const auto & model : loaded->models) { look_at(model); }
  if (!errors.empty()) { return tl::unexpected(std::move(errors)); }
  content.loaded = std::move(*loaded);
  return content;
}

std::set<std::string> Content::topics() const
{
  std::set<std::string> topics;
  const auto add_topic = [&](const ambf_adf::ObjectHeader & header) {
    topics.insert(header.topic);
  };
  const auto views = views_of(world_file_);
  for_each_header(views, add_topic);
  for (const auto & loaded : models_) { for_each_header(loaded.model, add_topic); }
  return topics;
}

expected<void, Errors> Content::put(LaunchContent & content)
{
  ambf_adf::LoadedWorld & loaded = content.loaded;
  auto parameters = world_->parameters();
  parameters.gravity = loaded.world.gravity;
  if (loaded.world.solver_iterations) {
    parameters.solver_iterations = *loaded.world.solver_iterations;
  }
  if (auto set = world_->set_parameters(parameters); !set) { return set; }
  warnings_ = std::move(content.warnings);
  launch_file_ = std::move(content.file);
  launch_plugins_ = std::move(loaded.launch.plugins);
  world_file_ = std::move(loaded.world);
  std::vector<ambf_adf::Model> models;
  if (loaded.environment) { models.push_back(std::move(*loaded.environment)); }
  std::move(loaded.models.begin(), loaded.models.end(), std::back_inserter(models));
  // Names are unique within the launch file already; the scene learns them for what comes later.
  if (auto views = scene_.add(views_of(world_file_)); views) {
    move_topics(*views, moved_topics_, {});
    world_file_.cameras = std::move(views->cameras);
    world_file_.lights = std::move(views->lights);
  }
  for (auto & model : models) {
    auto named = scene_.add(std::move(model));
    if (!named) { return tl::unexpected(named.error()); }
    if (auto added = add(std::move(*named), false); !added) {
      return tl::unexpected(added.error());
    }
  }
  return {};
}

void Content::bring_along(DeviceModel & device)
{
  if (!device.model) { return; }
  ambf_adf::AddOptions options;
  options.pose = device.pose;
  const auto brought = scene_.add(std::move(*device.model), options).and_then([&](auto && named) {
    device.binding.root_link =
      named.bodies.empty() ? "" : named.bodies[device.root].header.qualified;
    return add(std::move(named), false);
  });
  if (!brought) {
    device.binding.root_problem = "simulated multibody: " + in_one_line(brought.error());
  }
}

void Content::unload()
{
  for (const auto & loaded : models_) { world_->remove_model(loaded.handle); }
  models_.clear();
  scene_ = {};
  launch_file_.clear();
  launch_plugins_.clear();
  warnings_.clear();
  world_file_ = {};
  world_->reset(true);
}

Content::Copy Content::copy() const
{
  return {scene_,          models_,   world_file_,         launch_file_,
          launch_plugins_, warnings_, world_->parameters()};
}

void Content::put_back(Copy copy)
{
  world_->set_parameters(copy.parameters);
  scene_ = std::move(copy.scene);
  world_file_ = std::move(copy.world_file);
  launch_file_ = std::move(copy.launch_file);
  launch_plugins_ = std::move(copy.launch_plugins);
  warnings_ = std::move(copy.warnings);
  for (auto & loaded : copy.models) {
    const auto added = world_->add_model(loaded.model);
    if (!added) { continue; }
    loaded.handle = added->handle;
    models_.push_back(std::move(loaded));
  }
}

}  // namespace ambf_simulation
