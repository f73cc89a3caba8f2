// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <ambf_msgs/srv/step_world.hpp>

#include "ambf_simulation/simulation.hpp"
#include "ambf_simulation/step_rounds.hpp"
#include "roster.hpp"
#include "short_names.hpp"

namespace ambf_physics
{

/// The commands of a step request, checked and turned into indices of `revision`.
struct StepOrders
{
  std::uint32_t revision = 0;
  std::vector<JointOrder> joints;
  std::vector<std::pair<ambf_dynamics::BodyIndex, BodyOrder>> bodies;
  std::vector<std::pair<std::uint32_t, ambf_dynamics::ActuatorCommand>> actuators;
  std::vector<std::pair<std::uint32_t, Eigen::Isometry3d>> cameras;
};

/// Everything that can be wrong with a request, whoever sends it.
ambf_adf::expected<StepOrders, StepRefusal> check_step(
  const ambf_msgs::srv::StepWorld::Request & request, const Roster & roster, Mode mode);

/// Gives the commands to the world; the caller owns it. They hold until replaced: no watchdog.
void apply(
  const StepOrders & orders, Simulation & simulation, std::uint32_t source, std::int64_t now);

/// Copies what the request wants to see.
void observe(
  const ambf_msgs::srv::StepWorld::Request & request, const ambf_dynamics::State & state,
  ambf_msgs::srv::StepWorld::Response & response);

}  // namespace ambf_physics
