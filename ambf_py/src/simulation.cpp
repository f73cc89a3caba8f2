// SPDX-License-Identifier: BSD-3-Clause
#include "simulation.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <variant>

#include "ambf_adf/parse.hpp"
#include "ambf_convert/convert.hpp"

namespace ambf_py
{

namespace
{

template <typename T>
T value_or_throw(ambf_adf::expected<T, ambf_adf::Errors> && result, const std::string & what)
{
  if (!result) { throw BadInput(what + ":\n" + ambf_adf::to_string(result.error())); }
  return std::move(*result);
}

/// The world file's cameras and lights; they take their names before the models do.
ambf_adf::Model views_of(const ambf_adf::World & world)
{
  ambf_adf::Model model;
  model.name = "World";
  model.ns = world.ns;
  model.cameras = world.cameras;
  model.lights = world.lights;
  return model;
}

}  // namespace

Simulation::Simulation(const ambf_dynamics::Parameters & parameters)
: world_(value_or_throw(ambf_dynamics::make_world(parameters), "the world's parameters do not fit"))
{
}

std::string Simulation::add(ambf_adf::Model model)
{
  auto added = world_->add_model(model);
  if (!added) {
    scene_.remove_model(model.name);
    throw BadInput(
      "model '" + model.name + "' was not loaded:\n" + ambf_adf::to_string(added.error()));
  }
  models_.push_back({model.name, added->handle});
  for (const auto & body : model.bodies) {
    const auto * mesh = std::get_if<ambf_adf::MeshFile>(&body.visual.geometry);
    if (mesh == nullptr || !body.visual.visible) { continue; }
    Look look{body.header.qualified, mesh->path, body.scale};
    if (body.visual.material) { look.color = body.visual.material->diffuse; }
    looks_.push_back(std::move(look));
  }
  return model.name;
}

void Simulation::load_launch(const std::string & file)
{
  const std::string_view mark = "?models=";
  const auto at = file.rfind(mark);
  ambf_adf::LoadOptions options;
  options.read_model = ambf_convert::parse_file;
  if (at != std::string::npos) {
    auto models = ambf_adf::parse_choice(file.substr(at + mark.size()));
    if (!models) { throw BadInput("the world was not loaded: models: " + models.error()); }
    options.models = std::move(*models);
  }
  auto loaded =
    value_or_throw(ambf_adf::load_launch(file.substr(0, at), options), "the world was not loaded");
  auto parameters = world_->parameters();
  parameters.gravity = loaded.world.gravity;
  if (loaded.world.solver_iterations) {
    parameters.solver_iterations = *loaded.world.solver_iterations;
  }
  if (auto set = world_->set_parameters(parameters); !set) {
    throw BadInput("the world's parameters do not fit:\n" + ambf_adf::to_string(set.error()));
  }
  (void)scene_.add(views_of(loaded.world));
  std::vector<ambf_adf::Model> models;
  if (loaded.environment) { models.push_back(std::move(*loaded.environment)); }
  std::move(loaded.models.begin(), loaded.models.end(), std::back_inserter(models));
  for (auto & model : models) {
    add(value_or_throw(scene_.add(std::move(model)), "names of the world conflict"));
  }
}

std::string Simulation::place(
  ambf_adf::Model model, const std::string & name, const std::string & ns,
  const Eigen::Isometry3d & t_world_model)
{
  ambf_adf::AddOptions options;
  options.below = ns;
  options.place_by_name = !name.empty();
  if (!name.empty()) { model.name = name; }
  if (!t_world_model.isApprox(Eigen::Isometry3d::Identity(), 0.0)) {
    options.pose = ambf_adf::Pose::from(t_world_model);
  }
  return add(value_or_throw(scene_.add(std::move(model), options), "names of the model conflict"));
}

std::string Simulation::load_file(
  const std::filesystem::path & file, const std::string & name, const std::string & ns,
  const Eigen::Isometry3d & t_world_model)
{
  return place(
    value_or_throw(ambf_convert::parse_file(file), "the model was not loaded"), name, ns,
    t_world_model);
}

std::string Simulation::load_text(
  const std::string & text, const std::string & name, const std::string & resource_base,
  const std::string & ns, const Eigen::Isometry3d & t_world_model)
{
  return place(
    value_or_throw(
      ambf_convert::parse_text(text, name.empty() ? "model" : name, resource_base),
      "the model was not loaded"),
    name, ns, t_world_model);
}

bool Simulation::remove(const std::string & name)
{
  const auto model = std::find_if(
    models_.begin(), models_.end(), [&](const Loaded & loaded) { return loaded.name == name; });
  if (model == models_.end()) { return world_->remove_object(name) && scene_.remove_object(name); }
  const bool removed = world_->remove_model(model->handle);
  scene_.remove_model(name);
  models_.erase(model);
  return removed;
}

void Simulation::check(const JointOrder & order) const
{
  const auto joints = world_->joints();
  if (order.joint >= joints.size()) {
    throw BadInput(
      "joint index " + std::to_string(order.joint) + ": expected less than " +
      std::to_string(joints.size()));
  }
  const std::string name = "joint '" + joints[order.joint].name + "'";
  if (order.mode > ambf_dynamics::last_joint_mode) {
    throw BadInput(
      name + ": found mode " + std::to_string(static_cast<int>(order.mode)) +
      ", expected none 0, effort 1, position 2, velocity 3, release 4 or acceleration 5");
  }
  if (!std::isfinite(order.value)) { throw BadInput(name + ": the command is not finite"); }
  const bool drives =
    order.mode != ambf_dynamics::JointMode::None && order.mode != ambf_dynamics::JointMode::Release;
  if (drives && !joints[order.joint].commandable) {
    throw BadInput(name + ": has no single free axis with a motor and cannot be commanded");
  }
}

void Simulation::command(
  std::span<const JointOrder> joints, std::span<const ActuatorOrder> actuators)
{
  for (const JointOrder & order : joints) { check(order); }
  for (const ActuatorOrder & order : actuators) {
    const auto & command = order.command;
    const bool known =
      order.actuator < world_->actuators().size() &&
      (command.body == ambf_dynamics::no_index || command.body < world_->bodies().size()) &&
      (command.sensor == ambf_dynamics::no_index || command.sensor < world_->sensors().size());
    if (!known) { throw BadInput("actuator command: no such actuator, body or sensor index"); }
  }
  for (const JointOrder & order : joints) {
    world_->set_joint_command(order.joint, order.mode, order.value);
  }
  for (const ActuatorOrder & order : actuators) {
    const auto result = world_->set_actuator_command(order.actuator, order.command);
    if (result != ambf_dynamics::CommandResult::Ok) {
      throw BadInput(
        "actuator '" + world_->actuators()[order.actuator].name +
        "': " + ambf_dynamics::to_string(result));
    }
  }
}

void Simulation::step(std::uint32_t count)
{
  if (world_->step(count) == ambf_dynamics::StepStatus::Ok) { return; }
  const auto & divergence = world_->divergence();
  throw Diverged(
    "the world diverged at step " + std::to_string(divergence.step) + ": " + divergence.reason +
    "; reset it or restore a state");
}

}  // namespace ambf_py
