// SPDX-License-Identifier: BSD-3-Clause
#include "launched.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

#include "ambf_adf/scene.hpp"

namespace ambf_dynamics::bench
{
namespace
{

constexpr double swing_turning = 0.05;   // [rad]
constexpr double swing_sliding = 0.005;  // [m]
constexpr double frequency = 0.5;        // [Hz]

[[noreturn]] void give_up(const Errors & errors)
{
  std::fprintf(stderr, "%s\n", ambf_adf::to_string(errors).c_str());
  std::exit(1);
}

}  // namespace

LaunchedWorld::LaunchedWorld(const std::string & launch_file, const std::string & models)
{
  ambf_adf::LoadOptions options;
  const auto chosen = ambf_adf::parse_choice(models);
  if (!chosen) {
    std::fprintf(stderr, "--models: %s\n", chosen.error().c_str());
    std::exit(2);
  }
  options.models = *chosen;
  auto loaded = ambf_adf::load_launch(launch_file, options);
  if (!loaded) { give_up(loaded.error()); }
  Parameters parameters;
  parameters.gravity = loaded->world.gravity;
  auto world = make_world(parameters);
  if (!world) { give_up(world.error()); }
  world_ = std::move(*world);
  if (loaded->environment) { loaded->models.insert(loaded->models.begin(), *loaded->environment); }
  for (const ambf_adf::Model & model : loaded->models) {
    if (auto added = world_->add_model(model); !added) { give_up(added.error()); }
  }
  for (std::size_t i = 0; i < world_->joints().size(); ++i) {
    const JointInfo & joint = world_->joints()[i];
    if (joint.passive || !joint.commandable) { continue; }
    const double amplitude =
      joint.type == ambf_adf::JointType::Prismatic ? swing_sliding : swing_turning;
    double middle = world_->state().joints[joint_stride * i];
    if (joint.limits) {
      middle = std::clamp(
        middle, joint.limits->low + amplitude,
        std::max(joint.limits->low + amplitude, joint.limits->high - amplitude));
    }
    axes_.push_back({static_cast<JointIndex>(i), middle, amplitude});
  }
}

void LaunchedWorld::step()
{
  const double phase = 2.0 * std::numbers::pi * frequency * world_->state().time;
  for (const Axis & axis : axes_) {
    world_->set_joint_command(
      axis.joint, JointMode::Position, axis.middle + axis.amplitude * std::sin(phase));
  }
  if (world_->step() != StepStatus::Ok) {
    std::fprintf(stderr, "%s\n", world_->divergence().reason.c_str());
    std::exit(1);
  }
  world_->read_state(slot_);
}

}  // namespace ambf_dynamics::bench
