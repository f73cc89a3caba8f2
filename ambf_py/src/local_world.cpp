// SPDX-License-Identifier: BSD-3-Clause
#include "local_world.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <variant>

#include "ambf_adf/parse.hpp"

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

}  // namespace

LocalWorld::LocalWorld(const ambf_dynamics::Parameters & parameters)
: simulation_(
    value_or_throw(ambf_dynamics::make_world(parameters), "the world's parameters do not fit"))
{
}

void LocalWorld::load_launch(const std::string & file)
{
  const std::string_view mark = "?models=";
  const auto at = file.rfind(mark);
  ambf_adf::LoadOptions options;
  if (at != std::string::npos) {
    auto models = ambf_adf::parse_choice(file.substr(at + mark.size()));
    if (!models) { throw BadInput("the world was not loaded: models: " + models.error()); }
    options.models = std::move(*models);
  }
  auto content = value_or_throw(
    simulation_.read_launch(file.substr(0, at), options), "the world was not loaded");
  if (const auto loaded = simulation_.load_launch(std::move(content)); !loaded) {
    throw BadInput("the world was not loaded:\n" + ambf_adf::to_string(loaded.error()));
  }
}

std::string LocalWorld::load(const ambf_simulation::LoadRequest & request)
{
  auto model = value_or_throw(simulation_.read(request), "the model was not loaded");
  return value_or_throw(simulation_.load(request, std::move(model)), "the model was not loaded");
}

std::vector<Look> LocalWorld::looks() const
{
  std::vector<Look> looks;
  for (const auto & loaded : simulation_.content().models()) {
    for (const auto & body : loaded.model.bodies) {
      const auto * mesh = std::get_if<ambf_adf::MeshFile>(&body.visual.geometry);
      const auto index = world().find_body(body.header.qualified);
      if (mesh == nullptr || !body.visual.visible || !index) { continue; }
      Look look{*index, mesh->path, body.scale};
      if (body.visual.material) { look.color = body.visual.material->diffuse; }
      looks.push_back(std::move(look));
    }
  }
  return looks;
}

void LocalWorld::check(const JointOrder & order) const
{
  const auto joints = world().joints();
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

void LocalWorld::command(
  std::span<const JointOrder> joints, std::span<const ActuatorOrder> actuators)
{
  auto & world = simulation_.world();
  for (const JointOrder & order : joints) { check(order); }
  for (const ActuatorOrder & order : actuators) {
    const auto & command = order.command;
    const bool known =
      order.actuator < world.actuators().size() &&
      (command.body == ambf_dynamics::no_index || command.body < world.bodies().size()) &&
      (command.sensor == ambf_dynamics::no_index || command.sensor < world.sensors().size());
    if (!known) { throw BadInput("actuator command: no such actuator, body or sensor index"); }
  }
  for (const JointOrder & order : joints) {
    world.set_joint_command(order.joint, order.mode, order.value);
  }
  for (const ActuatorOrder & order : actuators) {
    const auto result = world.set_actuator_command(order.actuator, order.command);
    if (result != ambf_dynamics::CommandResult::Ok) {
      throw BadInput(
        "actuator '" + world.actuators()[order.actuator].name +
        "': " + ambf_dynamics::to_string(result));
    }
  }
}

void LocalWorld::step(std::uint32_t count)
{
  // Nobody falls silent here: no watchdog, whatever the time.
  constexpr auto action = ambf_simulation::WatchdogAction::Release;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (simulation_.step(0, 0, action, false) == ambf_dynamics::StepStatus::Ok) { continue; }
    const auto & divergence = world().divergence();
    throw Diverged(
      "the world diverged at step " + std::to_string(divergence.step) + ": " + divergence.reason +
      "; reset it or restore a state");
  }
}

void LocalWorld::restore(std::span<const std::byte> bytes)
{
  value_or_throw(simulation_.restore(bytes, 0, 0), "the state was not restored");
}

}  // namespace ambf_py
